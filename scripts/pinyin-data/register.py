"""DAYS: how much each character speaks for daily speech, and how little for an encyclopaedia, whose sentences the network
was trained on (Sources/MPaaSPinyin/Data/RegisterTable.swift has the layout)."""
import collections, math, struct
import sources, folding

FIRST, LAST = 0x4E00, 0x9FFF
EQUAL = 8       # how often a character must be seen before it says much
SCALE = 16      # weights are kept in sixteenths of a nat
SHORTEST = 14   # sentences with fewer characters are daily speech in any case
ENOUGH = 4      # longer ones are where their characters have so much on the average


def weights(encyclopaedia, daily):
    """Character → sixteenths of a nat, from two lists of sentences."""
    others = collections.Counter(c for text in encyclopaedia for c in text)
    own = collections.Counter(c for text in daily for c in text)
    ratio = own.total() / others.total()
    result = {}
    for c in sorted(own | others):
        if FIRST <= ord(c) <= LAST:
            weight = math.log((own[c] + EQUAL) / (others[c] * ratio + EQUAL))
            result[c] = max(-127, min(127, round(weight * SCALE)))
    return result


def is_daily(weights, sentence):
    return len(sentence) < SHORTEST or sum(weights.get(c, 0) for c in sentence) >= ENOUGH * len(sentence)


def sentences(fold):
    """The sentences of both kinds, folded."""
    return ([folding.fold(text, fold) for text, *_ in sources.sentences()], [text for text, *_ in sources.everyday('dev')])


def section(fold):
    found = weights(*sentences(fold))
    count = LAST - FIRST + 1
    return struct.pack(f'<HHI{count}b', SHORTEST, ENOUGH, count, *(found.get(chr(one), 0) for one in range(FIRST, LAST + 1)))
