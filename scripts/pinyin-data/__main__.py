"""Writes the data file that everything about pinyin reads; Documentation/PinyinData.md has its format and sources.

usage: python3 scripts/pinyin-data [--output FILE]
"""
import os, struct, sys
sys.dont_write_bytecode = True
import sources, readings, network

VERSION = 1
LIMIT = 3_000_000


def write(path, sections):
    head = struct.pack('<4sIII', b'MPPY', VERSION, len(sections), 0)
    offset = len(head) + 12 * len(sections)
    contents, body = b'', b''
    for tag, content in sections:
        start = offset + len(body)
        body += bytes(-start % 16)
        start += -start % 16
        contents += struct.pack('<4sII', tag, start, len(content))
        body += content
        print(f'{tag.decode()} {len(content):9,} bytes')
    whole = head + contents + body
    print(f'all  {len(whole):9,} bytes')
    if len(whole) > LIMIT:
        sys.exit(f'pinyin-data: more than {LIMIT:,} bytes')
    with open(path, 'wb') as file:
        file.write(whole)


def touch():
    """Builds do not see that the file which the assembler takes in has changed."""
    os.utime(os.path.join(sources.PACKAGE, 'Sources', 'CPinyinData', 'pinyin_data.S'))


if __name__ == '__main__':
    output = os.path.join(sources.PACKAGE, 'Sources', 'CPinyinData', 'include', 'pinyin.data')
    if sys.argv[1:2] == ['--output']:
        output = sys.argv[2]
    elif sys.argv[1:]:
        sys.exit(__doc__)
    table = readings.readings()
    write(output, [
        (b'READ', readings.section(table)),
        (b'NETW', network.section(table)),
    ])
    touch()
