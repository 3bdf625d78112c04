"""Writes the data file that everything about pinyin reads; Documentation/PinyinData.md has its format and sources.

usage: python3 scripts/pinyin-data [--output FILE | --check | --validate | --combine]

--check writes nothing and fails where the file that is kept differs. --validate trains on nine tenths of CPP's development
part and of the everyday sentences and reads the last, ten times. --combine does so beside the network and prints how to
weigh the two.
"""
import os, struct, sys
sys.dont_write_bytecode = True
import sources, readings, words, folding, names, context, network, register

VERSION = 1
LIMIT = 3_060_000


def file(sections):
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
    return whole


def sections():
    table = readings.readings()
    names.further(table)
    vocabulary = words.Vocabulary(names.own(table), names.held('heteronyms'))
    samples = context.samples(vocabulary)
    labels = context.network_labels([sentence for sentence, *_ in samples], context.wanted(table))
    # The network is no teacher of daily speech.
    daily = context.everyday()
    samples, labels = samples + daily, labels + [{}] * len(daily)
    model = context.Model(vocabulary, table, samples, labels)
    trie, roots = words.section(model.vocabulary, table, model.holding)
    return [
        (b'READ', readings.section(table)),
        (b'TRAD', folding.section(vocabulary.fold)),
        (b'WORD', trie),
        (b'CTXT', context.section(model, roots)),
        *((tag, names.section(name, table, vocabulary.fold)) for tag, name in (
            (b'NAME', 'surnames'), (b'GIVN', 'given'), (b'PERS', 'persons'), (b'PLAC', 'places'))),
        (b'NETW', network.section(table)),
        (b'DAYS', register.section(vocabulary.fold)),
    ]


def touch():
    """Builds do not see that the file which the assembler takes in has changed."""
    os.utime(os.path.join(sources.PACKAGE, 'Sources', 'CPinyinData', 'pinyin_data.S'))


if __name__ == '__main__':
    output = os.path.join(sources.PACKAGE, 'Sources', 'CPinyinData', 'include', 'pinyin.data')
    if sys.argv[1:] == ['--validate']:
        import validate
        validate.run()
    elif sys.argv[1:] == ['--combine']:
        import combine
        combine.run()
    elif sys.argv[1:] == ['--check']:
        with open(output, 'rb') as kept:
            if kept.read() != file(sections()):
                sys.exit('pinyin-data: the file that is kept differs from what its sources give')
    elif len(sys.argv) == 1 or len(sys.argv) == 3 and sys.argv[1] == '--output':
        whole = file(sections())
        with open(sys.argv[2] if len(sys.argv) == 3 else output, 'wb') as kept:
            kept.write(whole)
        touch()
    else:
        sys.exit(__doc__)
