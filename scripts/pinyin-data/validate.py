"""Ten-fold cross-validation of the dictionary engine's model, in Python."""
import random
import context, names, readings, words


def run(folds=10):
    table = readings.readings()
    names.further(table)
    vocabulary = words.Vocabulary(names.own(table), names.held('heteronyms'))
    samples = context.samples(vocabulary)
    labels = context.network_labels([sentence for sentence, *_ in samples], context.wanted(table))
    daily = context.everyday()
    first = len(samples)
    samples, labels = samples + daily, labels + [{}] * len(daily)
    order = list(range(len(samples)))
    random.Random(1).shuffle(order)
    right, seen = [0, 0], [0, 0]
    for fold in range(folds):
        held = set(order[fold::10])
        rest = [i for i in range(len(samples)) if i not in held]
        model = context.Model(vocabulary, table, [samples[i] for i in rest], [labels[i] for i in rest])
        for i in held:
            seen[i >= first] += 1
            right[i >= first] += model.read(samples[i][0], samples[i][1]) == samples[i][2]
        print(f'fold {fold}: {len(model.weights):,} weights; so far CPP {right[0] / seen[0]:.4%} of {seen[0]}, everyday '
              f'{right[1] / seen[1]:.4%} of {seen[1]}', flush=True)
