"""READ: how each character is read (Sources/MPaaSPinyin/Data/ReadingTable.swift has the layout)."""
import struct
import sources
from syllables import reading, RARE


# Characters whose reading in kMandarin is the usual one although the standard's table does not have it.
KEPT = set('桔蕃忒怔尢繇欸嗯')
# Characters whose usual reading none of the sources has first.
USUAL = {'朮': 'zhu2', '鉄': 'tie3'}


def readings():
    """Code point → readings, the usual one first, rare ones marked."""
    usual, common = {}, {}
    for scalar, key, value in sources.unihan('Unihan_Readings'):
        if key == 'kMandarin':
            usual[scalar] = [r for r in map(reading, value.split()) if r]
        elif key == 'kTGHZ2013':
            common[scalar] = [r for part in value.split() for r in map(reading, part.split(':')[1].split(',')) if r]
    table = {}
    others = sources.characters()
    for scalar in sorted(set(usual) | set(common) | set(others)):
        known = [r for r in map(reading, others.get(scalar, [])) if r]
        first = usual.get(scalar, [])[:1]
        if not set(first) & set(common.get(scalar, first)) and chr(scalar) not in KEPT:
            first = []  # what kMandarin has is no reading of today's standard: 绩, 卓, 著
        first = first or common.get(scalar, [])[:1] or known[:1]
        if chr(scalar) in USUAL:
            first = [reading(USUAL[chr(scalar)])]
        result = []
        for r in first + common.get(scalar, []) + usual.get(scalar, [])[:1]:
            if r not in result:
                result.append(r)
        result += [r | RARE for r in dict.fromkeys(known) if r not in result]
        if result:
            table[scalar] = result
    return table


def two_stage(table):
    """(block numbers, entries) of a table of UInt16 by code point; block 0 is empty."""
    numbers, blocks = [], {bytes(256): 0}
    for block in range((max(table) >> 7) + 1):
        content = struct.pack('<128H', *(table.get(block << 7 | low, 0) for low in range(128)))
        numbers.append(blocks.setdefault(content, len(blocks)))
    return numbers, b''.join(blocks)


def part(content):
    if not isinstance(content, bytes):
        content = struct.pack(f'<{len(content)}H', *content)
    padded = content + bytes(-len(content) % 4)
    return struct.pack('<I', len(content) // 2) + padded


def section(table):
    entries, lists, places = {}, [], {}
    for scalar, values in table.items():
        if len(values) == 1:
            entries[scalar] = values[0]
            continue
        values = tuple(values)
        if values not in places:
            if len(lists) % 2:
                lists.append(0)
            places[values] = len(lists)
            lists += [len(values), *values]
        entries[scalar] = 0x8000 | places[values] // 2
    assert len(lists) // 2 < 0x8000
    numbers, blocks = two_stage(entries)
    return part(numbers) + part(blocks) + part(lists)
