"""How the combined engine weighs dictionary and network (Sources/MPaaSPinyin/Network/Certainty.swift): the constants there,
and how often the engines are right on sentences that the dictionary's model has not seen (ten-fold cross-validation)."""
import collections, math, random
import numpy as np
import context, names, network, readings, register, sources, words
from syllables import reading

FLOOR = -10
HOLDING = 245 / 250  # the confidence of a word that holds; the network is not asked about what is surer


def logit(p, least):
    p = min(max(p, least), 1 - least)
    return math.log(p / (1 - p))


def logistic(rows, truth, strength=0.3, steps=30):
    """Weights of a logistic regression, by Newton's method."""
    x, y = np.array(rows, float), np.array(truth, float)
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + strength * np.eye(len(w))
        w -= np.linalg.solve(hessian, x.T @ (p - y) + strength * w)
    return w


def dictionary(model, sentence, position):
    """(reading, confidence in 250ths as a probability, whether it is that of a word) as DictionaryEngine gives them."""
    c = sentence[position]
    found = model.read(sentence, position)
    start, end = next((s, e) for s, e in model.vocabulary.divide(sentence) if s <= position < e)
    word = sentence[start:end]
    values = model.vocabulary.readings.get(word)
    value = values[position - start] if values and len(word) > 1 else 0
    holds = len(word) > 2 or word in model.vocabulary.own or word in model.holding
    if c not in model.choices:
        return found, 1, False, 1
    if value and holds:
        return found, HOLDING, True, len(word)
    sums = model.sums(c, [context.kind(one) for one in sentence], position, (len(word), value) if value else None)
    total = sum(math.exp((one - max(sums.values())) / 16) for one in sums.values())
    return found, int(250 / total) / 250, found == value, len(word)


Case = collections.namedtuple('Case', 'fold kind truth answer shares daily')


def cases(folds):
    """A Case for each sentence of CPP's development part and for each everyday one, in folds that the model has not seen."""
    table = readings.readings()
    names.further(table)
    vocabulary = words.Vocabulary(names.own(table), names.held('heteronyms'))
    samples = context.samples(vocabulary)
    labels = context.network_labels([sentence for sentence, *_ in samples], context.wanted(table))
    # A traditional character has no reading but its own.
    traditional = [ord(original[place]) for original, place, _ in sources.sentences()]
    first, daily = len(samples), context.everyday()
    samples, labels = samples + daily, labels + [{}] * len(daily)
    traditional += [ord(sentence[place]) for sentence, place, *_ in daily]
    own = [[one & 0x3FFF for one in table.get(scalar, [])] for scalar in traditional]
    characters, classes, weights = sources.network()
    known = network.trained(table, characters, classes, weights)
    spelled = {index: reading('er5' if name == 'r5' else name) for name, index in classes.items()}
    # The engine reads a text without a stop as if there were one.
    stopped = [s if s[-1] < '\u3400' or s[-1] > '\u9fff' else s + '。' for s, *_ in samples]
    states = network.hidden(weights, [network.indices(characters, sentence) for sentence in stopped])
    order = list(range(len(samples)))
    random.Random(1).shuffle(order)
    for fold in range(folds):
        held = set(order[fold::folds])
        rest = [i for i in range(len(samples)) if i not in held]
        model = context.Model(vocabulary, table, [samples[i] for i in rest], [labels[i] for i in rest])
        days = register.weights([samples[i][0] for i in rest if i < first], [samples[i][0] for i in rest if i >= first])
        for i in sorted(held):
            sentence, position, truth, _ = samples[i]
            shares = {}
            if sentence[position] in known:
                z = network.logits(weights, states[i][position + 1])[known[sentence[position]]]
                e = np.exp(z - z.max())
                shares = dict(zip((spelled[k] for k in known[sentence[position]]), e / e.sum()))
            answer = dictionary(model, sentence, position)
            if ord(sentence[position]) != traditional[i]:
                shares = {one: share for one, share in shares.items() if one in own[i]}
                answer = answer if answer[0] in own[i] else (own[i][0], 1, False, 1)
            kind = 'CPP' if i < first else 'everyday'
            yield Case(fold, kind, truth, answer, shares, register.is_daily(days, sentence))
        print(f'fold {fold}', flush=True)


def run(folds=10):
    agreed, differing, right, seen = [], [], collections.Counter(), collections.Counter()
    for case in cases(folds):
        (one, sure, isWord, length), shares, kind = case.answer, case.shares, case.kind
        seen[kind] += 1
        right['dictionary', kind] += one == case.truth
        other = max(shares, key=shares.get) if shares else one
        right['network', kind] += other == case.truth
        right['daily', kind] += case.daily
        odds = logit(sure, 0.002) if sure > 0.02 else logit(0.02, 0.002)
        if case.daily or not shares or one == other or isWord and length > 1 and sure >= HOLDING:
            right['combined', kind] += one == case.truth
            if shares and one == other and not case.daily:
                agreed.append(([1, logit(shares[other], 1e-5), odds], one == case.truth))
        else:
            less = max(math.log(shares.get(one, 0) + 1e-30) - math.log(shares[other]), FLOOR)
            word = isWord and length > 1
            row = [1, odds, less, word, odds * less / 10, less * less / 10]
            differing.append((case.fold, row, one == case.truth, other == case.truth, kind))
    chosen = []
    for fold in range(folds):
        train = [(row, a) for f, row, a, b, _ in differing if f != fold and a != b]
        w = logistic(*zip(*train))
        for f, row, a, b, kind in differing:
            if f == fold:
                difference = float(np.dot(row, w))
                right['combined', kind] += a if difference > 0 else b
                chosen.append(([1, abs(difference)], a if difference > 0 else b))
    for (name, kind), count in right.items():
        print(f'{name:12}{kind:10}{count / seen[kind]:.4%} of {seen[kind]}')
    print('differing: own, dictionary, network, word, product / 10, square / 10', np.round(
        logistic(*zip(*[(r, a) for _, r, a, b, _ in differing if a != b])), 3))
    print('agreed: own, network, dictionary', np.round(logistic(*zip(*agreed)), 3))
    print('chosen: own, difference', np.round(logistic(*zip(*chosen)), 3))
