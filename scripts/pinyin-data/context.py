"""CTXT: how a character with several readings is read, given what stands beside it (Sources/MPaaSPinyin/Data/ContextTable.swift
has the layout): a log-linear model over the word, the neighbours and the character itself."""
import collections, struct
import numpy as np
import sources, folding
from syllables import reading, RARE

REPEATS, STRENGTH, RATE = 60, 0.05, 0.5
# What a label of the network, of a part of a phrase, of a whole phrase, of an everyday sentence, and of a piece of one
# count beside one of CPP.
NETWORK, PHRASE, WHOLE, EVERYDAY, PIECE = 0.5, 0.3, 0.1, 2, 1
MARGIN = 16                     # words whose own reading does not win by so much, standing alone, hold in any case
SMALLEST, SCALE = 0.35, 16      # weights below are dropped; the rest is kept in sixteenths
WORD = 8                        # the kind of feature that says which reading the word has


def kind(character):
    """A character as the features see it."""
    if '\u4e00' <= character <= '\u9fff' or '\u3400' <= character <= '\u4dbf' or character == '·':
        return character
    if '0' <= character <= '9' or '０' <= character <= '９':
        return '0'
    if 'a' <= character <= 'z' or 'A' <= character <= 'Z':
        return 'a'
    return ','


def features(text, i, inside=False):
    """(kind, first, second): what stands around a character of a text of kinds; `inside`: only what lies in the text."""
    count = len(text)
    at = lambda k: ord(text[k]) if 0 <= k < count else 44
    all = [(1, at(i - 1), 0, 1, 0), (2, at(i + 1), 0, 0, 1), (3, at(i - 2), at(i - 1), 2, 0), (4, at(i + 1), at(i + 2), 0, 2),
           (5, at(i - 1), at(i + 1), 1, 1), (6, at(i - 2), 0, 9, 9), (7, at(i + 2), 0, 9, 9)]
    return [(k, a, b) for k, a, b, before, after in all if not inside or i >= before and i + after < count]


MASK = (1 << 64) - 1


def place(character, kind, first, second, buckets):
    """(bucket, check) of a feature; ContextTable.swift computes the same."""
    key = character | first << 16 | second << 32 | kind << 48
    key = key * 0x9E3779B97F4A7C15 & MASK
    key ^= key >> 32
    key = key * 0xD6E8FEB86659FD93 & MASK
    return (key >> 32) * buckets >> 32, key & 0xFFFF


def network_labels(texts, wanted):
    """For each text, position → (readings, probabilities): the network of g2pM, held to the readings that there are."""
    indices, classes, weights = sources.network()
    weights = {name: array.astype(np.float64) for name, array in weights.items()}
    classes = {reading(name): index for name, index in classes.items()}
    embedding = weights['embedding.weight']
    sigmoid = lambda x: 1 / (1 + np.exp(-x))

    def run(batch, suffix):
        inner, outer = weights['lstm.weight_hh_l0' + suffix], weights['lstm.weight_ih_l0' + suffix]
        bias = weights['lstm.bias_ih_l0' + suffix] + weights['lstm.bias_hh_l0' + suffix]
        given = embedding[batch] @ outer.T + bias
        hidden = np.zeros((len(batch), 32))
        cell, states = hidden, []
        for step in range(batch.shape[1]):
            z = given[:, step] + hidden @ inner.T
            cell = sigmoid(z[:, 32:64]) * cell + sigmoid(z[:, :32]) * np.tanh(z[:, 64:96])
            hidden = sigmoid(z[:, 96:]) * np.tanh(cell)
            states.append(hidden)
        return np.stack(states, 1)

    result = [None] * len(texts)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for start in range(0, len(order), 256):
        chosen = order[start:start + 256]
        coded = [[indices['시'], *(indices.get(c, 1) for c in texts[i]), indices['끝']] for i in chosen]
        longest = max(map(len, coded))
        ahead, back = np.zeros((2, len(chosen), longest), int)
        for row, codes in enumerate(coded):
            ahead[row, :len(codes)], back[row, :len(codes)] = codes, codes[::-1]
        ahead, back = run(ahead, ''), run(back, '_reverse')
        for row, i in enumerate(chosen):
            size = len(coded[row])
            states = np.concatenate([ahead[row, :size], back[row, :size][::-1]], 1)[1:-1]
            found = result[i] = {}
            for position, c in enumerate(texts[i]):
                values = [one for one in wanted.get(c, ()) if one in classes]
                if len(values) > 1:
                    hidden = np.maximum(weights['logit_layer.0.weight'] @ states[position] + weights['logit_layer.0.bias'], 0)
                    rows = [classes[one] for one in values]
                    z = weights['logit_layer.2.weight'][rows] @ hidden + weights['logit_layer.2.bias'][rows]
                    p = np.exp(z - z.max())
                    found[position] = dict(zip(values, (p / p.sum()).tolist()))
    return result


class Model:
    """Which readings a character can have in running text, and the weights of the features."""

    def __init__(self, vocabulary, table, samples, labels):
        """samples: (sentence, position, reading, what it counts); labels: the network's for the same sentences."""
        self.vocabulary, self.table = vocabulary.without(refuted(vocabulary, samples)), table
        vocabulary = self.vocabulary
        seen = collections.defaultdict(collections.Counter)
        for sentence, position, value, _ in samples:
            seen[sentence[position]][value] += 1
        phrases = collections.defaultdict(collections.Counter)
        for word, values in vocabulary.readings.items():
            for c, value in zip(word, values):
                phrases[c][value] += value != 0
        self.choices, self.single = {}, {}
        for scalar, known in table.items():
            c = chr(scalar)
            if not '\u4e00' <= c <= '\u9fff':
                continue
            every = [one & 0x3FFF for one in known][:15]
            common = [one & 0x3FFF for one in known if not one & RARE]
            values = [one for one in every if one in common or phrases[c][one] or seen[c][one] > 1]
            if len(values) > 1:
                self.choices[c] = values
        self.weights = {}
        self.fit(samples, labels)
        self.holding = self.weak(MARGIN)

    def evidence(self, sentence):
        """For each character the (length, reading or None) of its word, if the word has more than one."""
        found = [None] * len(sentence)
        for start, end in self.vocabulary.divide(sentence):
            if end - start > 1:
                values = self.vocabulary.readings.get(sentence[start:end])
                for i in range(start, end):
                    found[i] = (end - start, values[i - start] if values else None)
        return found

    def keys(self, c, around, word, value):
        """The names of the weights that speak for a reading of c."""
        result = [(c, *one, value) for one in around]
        if word is not None and word[1] and word[1] in self.choices[c]:
            result.append(('word', min(word[0], 4), word[1] == value))
            result.append((c, WORD, int(word[0] > 2), self.choices[c].index(word[1]), value))
        return result

    def fit(self, samples, labels):
        cases = []
        for (sentence, position, value, count), given in zip(samples, labels):
            kinds, words = [kind(c) for c in sentence], self.evidence(sentence)
            targets = {i: (shares, NETWORK) for i, shares in given.items()}
            targets[position] = ({value: 1.0}, count)
            for i, (shares, weight) in targets.items():
                if sentence[i] in self.choices:
                    cases.append((sentence[i], [(0, 0, 0), *features(kinds, i)], words[i], shares, weight))
        for word, values in self.vocabulary.readings.items():
            # 看著 teaches nothing about 著 in simplified text.
            for i, (c, value) in enumerate(zip(word, values if word not in self.vocabulary.variants else ())):
                if value in self.choices.get(c, ()):
                    cases.append((c, features(word, i, True), None, {value: 1.0}, PHRASE))
                    cases.append((c, [(0, 0, 0), *features(word, i)], (len(word), value), {value: 1.0}, WHOLE))
        for c, spelling, _, pieces in sources.usage():
            for piece, i in pieces:
                if reading(spelling) in self.choices.get(c, ()):
                    cases.append((c, features(piece, i, True), self.evidence(piece)[i], {reading(spelling): 1.0}, PIECE))
        numbers, entries, rows, truth, group, share = {}, [], [], [], [], []
        for number, (c, around, word, shares, weight) in enumerate(cases):
            for value in self.choices[c]:
                for key in self.keys(c, around, word, value):
                    entries.append(numbers.setdefault(key, len(numbers)))
                    rows.append(len(truth))
                truth.append(shares.get(value, 0.0))
                group.append(number)
                share.append(weight)
        entries, rows, truth, group, share = map(np.array, (entries, rows, truth, group, share))
        weights, sums = np.zeros(len(numbers)), np.full(len(numbers), 1e-8)
        for _ in range(REPEATS):
            z = np.bincount(rows, weights[entries], minlength=len(truth))
            top = np.full(len(cases), -1e9)
            np.maximum.at(top, group, z)
            e = np.exp(z - top[group])
            error = (e / np.bincount(group, e, minlength=len(cases))[group] - truth) * share
            slope = np.bincount(entries, error[rows], minlength=len(numbers)) + STRENGTH * weights
            sums += slope * slope
            weights -= RATE * slope / np.sqrt(sums)
        for key, number in numbers.items():
            weight = weights[number]
            # The bias of a character says which readings it has; it is always kept.
            if key[0] == 'word' or key[1] == 0 or abs(weight) >= SMALLEST:
                self.weights[key] = max(-127, min(127, round(weight * SCALE))) if key[0] != 'word' else round(weight * SCALE)

    def sums(self, c, kinds, position, word):
        """What speaks for each reading of a character."""
        around = [(0, 0, 0), *features(kinds, position)]
        return {value: sum(self.weights.get(key, 0) for key in self.keys(c, around, word, value)) for value in self.choices[c]}

    def weak(self, margin):
        """The words of two characters whose readings the model would overrule, or nearly, where they stand alone."""
        found = set()
        for word, values in self.vocabulary.readings.items():
            for i, (c, value) in enumerate(zip(word, values)):
                if len(word) == 2 and value in self.choices.get(c, ()):
                    sums = self.sums(c, word, i, (2, value))
                    if sums.pop(value) < max(sums.values()) + margin:
                        found.add(word)
        return found

    def read(self, sentence, position, holding=None):
        """The likeliest reading, as the engine finds it."""
        c = sentence[position]
        for start, end in self.vocabulary.divide(sentence):
            if start <= position < end:
                word = sentence[start:end]
                values = self.vocabulary.readings.get(word)
                value = values[position - start] if values and len(word) > 1 else 0
                break
        known = [one & 0x3FFF for one in self.table.get(ord(c), [])]
        holds = len(word) > 2 or word in self.vocabulary.own or word in (self.holding if holding is None else holding)
        if value and (holds or c not in self.choices or value not in known):
            return value
        if c not in self.choices:
            return known[0] if known else 0
        sums = self.sums(c, [kind(one) for one in sentence], position, (len(word), value) if value else None)
        return max(self.choices[c], key=sums.get)


def refuted(vocabulary, samples):
    """The (word, position) that CPP reads otherwise more than once and more often than as the phrases say.

    Not so where the phrases say a neutral tone: CPP is uneven there."""
    balance = collections.Counter()
    for sentence, position, value, _ in samples:
        start, end = next((start, end) for start, end in vocabulary.divide(sentence) if start <= position < end)
        word = sentence[start:end]
        values = vocabulary.readings.get(word)
        if len(word) > 1 and values and values[position - start] & 7 not in (0, 5) and word not in vocabulary.own:
            balance[word, position - start] += 1 if values[position - start] == value else -1
    return {one for one, count in balance.items() if count < -1}


def samples(vocabulary):
    """CPP's development part, folded: (sentence, position, reading, what it counts)."""
    return [(folding.fold(sentence, vocabulary.fold), position, reading(spelling), 1)
            for sentence, position, spelling in sources.sentences()]


def everyday(part='dev'):
    """The everyday sentences: (sentence, position, reading, what it counts)."""
    return [(sentence, position, reading(spelling), EVERYDAY) for sentence, position, spelling in sources.everyday(part)]


def wanted(table):
    return {chr(scalar): [one & 0x3FFF for one in known if not one & RARE] for scalar, known in table.items()}


def section(model, roots):
    """The table of characters (for U+4E00...U+9FFF the root of the trie and the row), the rows, the buckets."""
    lists = {chr(scalar): [one & 0x3FFF for one in known] for scalar, known in model.table.items()}
    rows, places = [], {}
    for c in sorted(model.choices):
        places[c] = len(rows) + 1
        biases = [(lists[c].index(value), model.weights.get((c, 0, 0, 0, value), 0)) for value in model.choices[c]]
        rows.append(len(biases))
        rows += [index << 8 | bias & 0xFF for index, bias in biases]
    assert len(rows) < 0xFFFF
    entries = []
    for key, weight in model.weights.items():
        if key[0] != 'word' and key[1] != 0 and weight:
            c, kind, first, second, value = key
            if kind == WORD:
                second = lists[c].index(model.choices[c][second])
            entries.append((ord(c), kind, first, second, lists[c].index(value), weight))
    buckets = len(entries) // 5
    placed = sorted((*place(*one[:4], buckets), one[4], one[5]) for one in entries)
    starts = [0] * (buckets + 1)
    for bucket, *_ in placed:
        starts[bucket + 1] += 1
    assert max(starts) <= 64
    for i in range(buckets):
        starts[i + 1] += starts[i]
    # Starts in two levels: every 16th as 32 bits, the others as the distance from it.
    roots = {label: number + 1 for number, label in enumerate(roots)}
    characters = b''.join(struct.pack('<HH', roots.get(one, 0), places.get(chr(one), 0)) for one in range(0x4E00, 0xA000))
    words = [model.weights.get(('word', size, True), 0) - model.weights.get(('word', size, False), 0) for size in (2, 3, 4)]
    base = [starts[i] for i in range(0, buckets + 1, 16)]
    steps = [starts[i] - starts[i // 16 * 16] for i in range(buckets + 1)]
    assert max(steps) < 256
    pad = lambda content: content + bytes(-len(content) % 8)
    return b''.join([
        struct.pack('<IIIhhh2x', len(rows), buckets, len(placed), *words), bytes(4), characters,
        pad(struct.pack(f'<{len(rows)}H', *rows)), pad(struct.pack(f'<{len(base)}I', *base)), pad(bytes(steps)),
        pad(b''.join(struct.pack('<HBb', check, index, weight) for _, check, index, weight in placed))])
