"""NETW: the network of g2pM (kakaobrain/g2pM, Apache-2.0) as Sources/MPaaSPinyin/Network/NetworkWeights.swift reads it.

Of g2pM only the weights and the lists of its characters and classes are taken, not its digest of CC-CEDICT. Which
characters the network was trained to read is found by asking it: over the sentences of CPP's dev part it gives almost
all of the probability to readings of such a character, and almost none of it for any other. Those that CPP asks about
are among them.
"""
import os, struct
import numpy as np
import sources
from syllables import reading

EMBEDDING, UNITS, HIDDEN = 64, 32, 32
BEGIN, END, UNKNOWN = '시', '끝', '<UNK>'
LOG2E = 1.4426950408889634
# Gates i, f, g, o as powers of two: sigmoid(x) = 1 / (1 + 2^s), tanh(x) = (1 - 2^s) / (1 + 2^s).
SCALE = np.repeat(np.array([-LOG2E, -LOG2E, -2 * LOG2E, -LOG2E]), UNITS)
# Group of eight units, gate, unit: what the loop has in registers at once lies together.
ORDER = np.arange(4 * UNITS).reshape(4, UNITS // 8, 8).transpose(1, 0, 2).reshape(-1)


def sentences():
    """CPP's sentences, the character asked about between marks."""
    path = os.path.join(sources.FIXTURES, 'text', 'pinyin', 'cpp_dev.sent')
    return [line.rstrip('\n') for line in open(path, encoding='utf8')]


def hidden(weights, texts):
    """The states of both directions for lists of character indices."""
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    result = [None] * len(texts)
    for start in range(0, len(order), 512):
        batch = order[start:start + 512]
        longest = max(len(texts[i]) for i in batch)
        states = []
        for name, step in (('l0', 1), ('l0_reverse', -1)):
            indices = np.zeros((len(batch), longest), int)
            for row, i in enumerate(batch):
                indices[row, :len(texts[i])] = texts[i][::step]
            inputs = weights['embedding.weight'][indices] @ weights[f'lstm.weight_ih_{name}'].T
            inputs += weights[f'lstm.bias_ih_{name}'] + weights[f'lstm.bias_hh_{name}']
            recurrent = weights[f'lstm.weight_hh_{name}'].T
            h = c = np.zeros((len(batch), UNITS), np.float32)
            outputs = []
            for t in range(longest):
                i, f, g, o = np.split(inputs[:, t] + h @ recurrent, 4, 1)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                h = sigmoid(o) * np.tanh(c)
                outputs.append(h)
            states.append(np.stack(outputs, 1))
        for row, i in enumerate(batch):
            n = len(texts[i])
            result[i] = np.concatenate([states[0][row, :n], states[1][row, :n][::-1]], 1)
    return result


def logits(weights, states):
    h = np.maximum(states @ weights['logit_layer.0.weight'].T + weights['logit_layer.0.bias'], 0)
    return h @ weights['logit_layer.2.weight'].T + weights['logit_layer.2.bias']


def indices(characters, text):
    unknown = characters[UNKNOWN]
    return [characters[BEGIN], *(characters.get(c, unknown) for c in text), characters[END]]


def trained(table, characters, classes, weights):
    """Character → the classes that it can have, for the characters that the network was trained to read."""
    spelled = {reading(k): i for k, i in classes.items() if reading(k)}
    syllables = {c: {r >> 3 & 0x7FF for r in table.get(ord(c), [])} for c in characters if len(c) == 1}
    own = {c: [spelled[r & 0x3FFF] for r in table.get(ord(c), []) if r & 0x3FFF in spelled] for c in syllables}
    total, count = {}, {}
    asked = {text[text.index('▁') + 1] for text in sentences()}
    texts = [text.replace('▁', '') for text in sentences()]
    for text, states in zip(texts, hidden(weights, [indices(characters, t) for t in texts])):
        places = [i for i, c in enumerate(text) if len(table.get(ord(c), [])) > 1 and c in own]
        if not places:
            continue
        z = logits(weights, states[[i + 1 for i in places]])
        z = np.exp(z - z.max(1, keepdims=True))
        for i, row in zip(places, z / z.sum(1, keepdims=True)):
            c = text[i]
            total[c] = total.get(c, 0) + row
            count[c] = count.get(c, 0) + 1
    names = {i: reading(k) for k, i in classes.items()}
    result = {}
    for c in sorted(total):
        share = total[c] / count[c]
        # A reading that the table lacks in this tone only.
        others = [i for i in np.flatnonzero(share > 0.2)
                  if names[i] and i not in own[c] and names[i] >> 3 in syllables[c]]
        candidates = [*own[c], *map(int, others)]
        if (c in asked or share[candidates].sum() > 0.8) and len(candidates) > 1:
            result[c] = candidates
    return result


def half(array):
    return np.ascontiguousarray(array, '<f2').tobytes()


def single(array):
    return np.ascontiguousarray(array, '<f4').tobytes()


def section(table):
    characters, classes, weights = sources.network()
    known = trained(table, characters, classes, weights)
    scalars = np.zeros(len(characters), '<u4')
    for c, i in characters.items():
        scalars[i] = ord(c) if len(c) == 1 and c not in (BEGIN, END) else 0
    readings = np.zeros(len(classes), '<u2')
    for k, i in classes.items():
        readings[i] = reading('er5' if k == 'r5' else k) or 0
    lists, places = [0], np.zeros(len(characters), '<u2')
    for c, candidates in known.items():
        places[characters[c]] = len(lists)
        lists += [len(candidates), *candidates]
    parts = [scalars.tobytes(), places.tobytes(), np.array(lists, '<u2').tobytes(), readings.tobytes()]
    for name in ('l0', 'l0_reverse'):
        bias = weights[f'lstm.bias_ih_{name}'] + weights[f'lstm.bias_hh_{name}']
        inputs = (weights[f'lstm.weight_ih_{name}'] * SCALE[:, None])[ORDER]
        recurrent = (weights[f'lstm.weight_hh_{name}'] * SCALE[:, None])[ORDER]
        parts += [single((bias * SCALE)[ORDER]), half(inputs.T),
                  half(recurrent.reshape(4, 32, UNITS).transpose(0, 2, 1))]
    parts += [single(weights['logit_layer.0.bias']), half(weights['logit_layer.0.weight'].T)]
    parts += [single(weights['logit_layer.2.bias']), half(weights['logit_layer.2.weight'])]
    parts += [half(weights['embedding.weight'])]
    head = struct.pack('<8I', len(characters), len(classes), len(lists), characters[BEGIN], characters[END],
                       characters[UNKNOWN], EMBEDDING, UNITS)
    return b''.join(part + bytes(-len(part) % 16) for part in [head, *parts])
