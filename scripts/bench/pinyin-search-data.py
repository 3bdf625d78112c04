#!/usr/bin/env python3
"""Makes texts and queries for the benchmark of the search, the same in every run.

usage: pinyin-search-data.py KIND COUNT FOLDER      KIND: contacts, phrases

Writes FOLDER/KIND-COUNT.txt (a text a line) and FOLDER/KIND-COUNT.tsv (kind, tab, query). Needs PyPI pypinyin, whose
list of phrases (MIT) is what phrases are made of: its own and, until there are enough, two of them joined.
"""
import random
import sys

from pypinyin import Style, lazy_pinyin
from pypinyin.phrases_dict import phrases_dict

SURNAMES = ('王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗' * 6 + '郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余于杜叶程苏魏吕丁任沈'
            * 2 + '姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤单仇解曲')
GIVEN = ('英华玉秀明珍文金红国丽梅海建春平志晓小伟军强兰云龙成芳玲桂永杰德荣清林新凤光生学元月佳天美燕立兴庆艳峰波宁敏子忠世'
         '雨宇欣诗涵梓浩然轩一诺晨曦泽睿嘉怡乐重长行朝')
SUFFIXES = [''] * 14 + [' 先生', '(销售部)', '-腾讯', 'VIP', 'Lily', '2023']
NAMES = ['Tom', 'Amy', 'Kevin', 'Lucy', 'David', 'ATM客服', 'iPhone售后']
KINDS = ['full', 'initials', 'fullprefix', 'mixed', 'hanzi', 'hanzi+py', '1char', 'miss']


def contacts(count, rng):
    for _ in range(count):
        if rng.random() < .04:
            yield rng.choice(NAMES) + str(rng.randrange(1000))
        else:
            given = ''.join(rng.choice(GIVEN) for _ in range(rng.choice((1, 2, 2))))
            yield rng.choice(SURNAMES) + given + rng.choice(SUFFIXES)


def phrases(count, rng):
    base = sorted(p for p in phrases_dict if 2 <= len(p) <= 8)
    short = [p for p in base if len(p) <= 4]
    made = dict.fromkeys(base)
    while len(made) < count:
        made[rng.choice(short) + rng.choice(short)] = None
    made = list(made)[:count]
    rng.shuffle(made)
    return made


def query(kind, text, rng):
    han = [c for c in text if '\u4e00' <= c <= '\u9fff'] or list('张三')
    start = rng.randrange(max(len(han) - 2, 1))
    part = ''.join(han[start:start + rng.choice((2, 3))])
    full = lazy_pinyin(part, style=Style.NORMAL, v_to_u=False)
    initials = ''.join(s[0] for s in full)
    if kind == 'full':
        return ''.join(full)
    if kind == 'initials':
        return initials
    if kind == 'fullprefix':
        return ''.join(full[:-1]) + full[-1][:rng.randint(1, 2)]
    if kind == 'mixed':
        return full[0] + initials[1:]
    if kind == 'hanzi':
        return part[:2]
    if kind == 'hanzi+py':
        return part[0] + (full[1] if len(full) > 1 else '')
    if kind == '1char':
        return rng.choice('abcdefghjklmnopqrstwxyz')
    return initials + 'xqzv'


def main():
    kind, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    rng = random.Random(7)
    texts = list({'contacts': contacts, 'phrases': phrases}[kind](count, rng))
    with open(f'{folder}/{kind}-{count}.txt', 'w', encoding='utf8') as out:
        out.writelines(t + '\n' for t in texts)
    with open(f'{folder}/{kind}-{count}.tsv', 'w', encoding='utf8') as out:
        for _ in range(100):
            for name in KINDS:
                out.write(f'{name}\t{query(name, rng.choice(texts), rng)}\n')


main()
