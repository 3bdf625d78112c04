"""Ten-fold cross-validation of the dictionary engine's model, in Python."""
import random
import context, names, readings, words

MARGINS = (-1000, 0, context.MARGIN, 2 * context.MARGIN)


def run(folds=10):
    table = readings.readings()
    names.further(table)
    vocabulary = words.Vocabulary(names.own(table))
    samples = context.samples(vocabulary)
    labels = context.network_labels([sentence for sentence, *_ in samples], context.wanted(table))
    order = list(range(len(samples)))
    random.Random(1).shuffle(order)
    seen = 0
    right = {}
    for fold in range(folds):
        held = set(order[fold::10])
        rest = [i for i in range(len(samples)) if i not in held]
        model = context.Model(vocabulary, table, [samples[i] for i in rest], [labels[i] for i in rest])
        seen += len(held)
        for margin in MARGINS:
            holding = model.weak(margin)
            right[margin] = right.get(margin, 0) + sum(
                model.read(samples[i][0], samples[i][1], holding) == samples[i][2] for i in held)
        print(f'fold {fold}: {len(model.weights):,} weights; so far', ', '.join(
            f'{value / seen:.4%} with margin {margin} ({len(model.weak(margin))} words)' for margin, value in right.items()), flush=True)
