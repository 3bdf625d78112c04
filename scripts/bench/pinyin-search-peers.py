#!/usr/bin/env python3
"""Times other searches on the texts and queries of PinyinBench and prints the ratios; see scripts/bench/pinyin-search.

usage: pinyin-search-peers.py TEXTS QUERIES OURS FIXTURES
"""
import importlib.util
import json
import os
import random
import sys
import tempfile
import time

SECONDS = 5  # for each peer at most


def clock():
    return time.process_time() * 1e3


def oracle(texts, fixtures):
    path = os.path.join(fixtures, 'oracle.py')
    if not os.path.exists(path):
        return None
    spec = importlib.util.spec_from_file_location('oracle', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def search(q):
        query = module.Query(q)
        return sum(bool(query.ranges(t)) for t in texts)
    return search


def scan(texts, _):
    """Substrings of the text, of its joined usual readings and of their first letters: what many programs do."""
    from pypinyin import Style, lazy_pinyin
    rows = []
    for text in texts:
        full = lazy_pinyin(text, style=Style.NORMAL, v_to_u=False)
        rows.append((text.lower(), ''.join(full).lower(), ''.join(s[0] for s in full if s).lower()))
    return lambda q: sum(q in a or q in b or q in c for a, b, c in rows)


def pinin(texts, _):
    try:
        import PinInPy
    except (ImportError, NameError):  # pininpy 1.0.7 needs a newer Python than 3.11, and says so in this way
        return None
    from pypinyin.pinyin_dict import pinyin_dict
    with tempfile.NamedTemporaryFile('w', suffix='.txt', encoding='utf8') as table:
        table.writelines(f'U+{c:04X}: {r}  # {chr(c)}\n' for c, r in pinyin_dict.items())
        table.flush()
        tree = PinInPy.TreeSearcher(PinInPy.Logic.CONTAIN, table.name)
        for text in texts:
            tree.put_string(text)
    return lambda q: len(tree.execute_search(q))


def main():
    texts = open(sys.argv[1], encoding='utf8').read().split('\n')[:-1]
    queries = [line.split('\t')[1] for line in open(sys.argv[2], encoding='utf8').read().split('\n')[:-1]]
    ours = {r['what']: r for r in map(json.loads, open(sys.argv[3], encoding='utf8'))}
    random.Random(1).shuffle(queries)
    mine = ours['search all']
    print(f'{"":24}{"build ms":>10}{"p50 ms":>12}{"p99 ms":>12}{"p50 ratio":>11}{"queries":>9}')
    print(f'{"MPaaSPinyin, all hits":24}{ours["search build"]["ms"]:10.0f}{mine["p50_ms"]:12.3f}{mine["p99_ms"]:12.3f}'
          f'{1:11.0f}{mine["queries"]:9.0f}')
    for name, make in (('oracle (Python)', oracle), ('pypinyin, scanned', scan), ('PinIn (pininpy)', pinin)):
        start = clock()
        search = make(texts, sys.argv[4])
        build = clock() - start
        if search is None:
            print(f'{name:24}not installed, or not for this Python')
            continue
        times, limit = [], clock() + SECONDS * 1e3
        for q in queries:
            start = clock()
            search(q)
            times.append(clock() - start)
            if clock() > limit:
                break
        times.sort()
        p50, p99 = times[len(times) // 2], times[min(int(len(times) * .99), len(times) - 1)]
        print(f'{name:24}{build:10.0f}{p50:12.3f}{p99:12.3f}{p50 / mine["p50_ms"]:11.0f}{len(times):9}')


main()
