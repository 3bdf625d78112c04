"""TRAD: which simplified character stands for a traditional one (Sources/MPaaSPinyin/Data/FoldingTable.swift has the layout)."""
import struct
import sources
from readings import part, two_stage

# Variants that are no simplification, so that Unihan has them under other properties, if at all.
OTHERS = dict(zip('裏籤週崑託閒妳牠喫佔佈併倖僱慾捨採昇祕兇羣綫衞爲説眞峯啓啟鷄麪鄕値戶産呑靑淸敎戲彙牀衆',
                  '里签周昆托闲你它吃占布并幸雇欲舍采升秘凶群线卫为说真峰启启鸡面乡值户产吞青清教戏汇床众'))
# Characters that simplified text has too, read otherwise: these stand for another one in traditional text only.
SOMETIMES = dict(zip('著於瞭徵夥藉麽乾剋', '着于了征伙借么干克'))


# Characters that have a reading of their own, for which the simplified one is hardly ever read: 閤門, 蒼朮, 鉄道.
OWN = set('閤朮鉄')


def folding():
    """Traditional → simplified, for characters that simplified text does not have."""
    own = {scalar for scalar, key, _ in sources.unihan('Unihan_Readings') if key == 'kTGHZ2013'}
    table = {ord(a): ord(b) for a, b in OTHERS.items()}
    for scalar, key, value in sources.unihan('Unihan_Variants'):
        if key != 'kSimplifiedVariant' or scalar in own or chr(scalar) in OWN:
            continue
        targets = [int(one[2:], 16) for one in value.split()]
        if scalar in targets:
            continue
        targets.sort(key=lambda one: one not in own)
        if scalar < 0x10000 and targets[0] < 0x10000:
            table.setdefault(scalar, targets[0])
    table[ord('釐')] = ord('厘')
    return {a: b for a, b in table.items() if a != b}


def fold(text, table):
    return ''.join(chr(table.get(ord(c), ord(c))) for c in text)


def section(table):
    numbers, blocks = two_stage(table)
    pairs = [ord(c) for pair in sorted(SOMETIMES.items()) for c in pair]
    return part(numbers) + part(blocks) + part(pairs)
