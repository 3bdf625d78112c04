"""Words: which there are, how often, how they are read, how text is divided into them, and the trie that holds them
(Sources/MPaaSPinyin/Data/WordTrie.swift has the layout)."""
import copy, itertools, math, struct
import sources, folding
from syllables import reading, digits, RARE

LONGEST = 12            # characters of a word
COMMON_ENOUGH = 20      # how often jieba must have seen a word that has no reading of its own
TOTAL = 60_101_964      # of jieba's counts
FIRST, LAST = 0x4E00, 0x9FFF


def cost(count):
    """Twelfths of a nat; at most 255."""
    return max(1, min(255, round(12 * (math.log(TOTAL) - math.log(max(count, 1))))))


UNKNOWN = 255


def is_han(text):
    return all(FIRST <= ord(c) <= LAST or 0x3400 <= ord(c) <= 0x4DBF or c == '〇' for c in text)


class Vocabulary:
    """Words with their costs and, where known, their readings."""

    def __init__(self, own, written=()):
        """Phrase → readings that scripts/pinyin-data knows itself. own: places, persons, surnames before titles; written:
        words that are likelier than their parts apart, but no more than that."""
        self.fold = folding.folding()
        counts = sources.frequencies()
        self.costs, self.readings = {}, {}
        self.own = {folding.fold(phrase, self.fold) for phrase in (*own, *written)}
        phrases = {}
        for phrase, spellings in sources.phrases().items():
            values = [reading(one) for one in spellings]
            if len(values) == len(phrase) <= LONGEST and all(values) and is_han(phrase):
                phrases[phrase] = values
        # What is written in simplified characters comes first: its reading is the better one where two fold into one.
        for phrase, values in sorted(phrases.items(), key=lambda one: folding.fold(one[0], self.fold) != one[0]):
            word = folding.fold(phrase, self.fold)
            if word not in self.readings:
                self.readings[word] = values
                self.costs[word] = cost(max(counts.get(word, 0), 3))
        for phrases, least in ((dict(written), 3), (own, 40)):
            for phrase, values in phrases.items():
                word = folding.fold(phrase, self.fold)
                # What is not said is read as the phrases have it.
                self.readings[word] = [a or b for a, b in zip(values, self.readings.get(word, values))]
                self.costs[word] = min(self.costs.get(word, 255), cost(max(counts.get(word, 0), least)))
        for word, count in counts.items():
            if len(word) == 1 and is_han(word) or 2 <= len(word) <= 4 and count >= COMMON_ENOUGH and is_han(word):
                self.costs.setdefault(folding.fold(word, self.fold), cost(count))
        # A word that is written costs no more than its parts do apart: 参将.
        for phrase in written:
            word = folding.fold(phrase, self.fold)
            apart = sum(self.costs.get(word[start:end], UNKNOWN) for start, end in self.divide(word, len(word) - 1))
            self.costs[word] = max(1, min(self.costs[word], apart - 1))
        # A word without readings of its own has those of the words in it: 银行卡.
        for word in [word for word in self.costs if len(word) > 2 and word not in self.readings]:
            values = [0] * len(word)
            for start, end in self.divide(word, len(word) - 1):
                if end - start > 1 and word[start:end] in self.readings:
                    values[start:end] = self.readings[word[start:end]]
            if any(values):
                self.readings[word] = values
        # 看着: where no phrase says otherwise, what stands behind a verb has no tone.
        for word in self.costs:
            if len(word) == 2 and word[1] == '着' and word not in self.readings:
                self.readings[word] = [0, reading('zhe5')]
        # 看著 is 看着 in traditional characters.
        self.variants = set()
        back = {b: a for a, b in folding.SOMETIMES.items()}
        for word in [word for word in self.costs if len(word) > 1 and any(c in back for c in word)]:
            values = self.readings.get(word)
            if values is None:
                continue
            other = ''.join(back.get(c, c) for c in word)
            if other not in self.costs:
                self.costs[other] = self.costs[word]
                self.readings[other] = values
                self.variants.add(other)

    def without(self, refuted):
        """The same words, (word, position) of which say no reading."""
        result = copy.copy(self)
        result.readings = dict(self.readings)
        for word, position in refuted:
            values = list(result.readings[word])
            values[position] = 0
            result.readings[word] = values
        return result

    def divide(self, text, longest=LONGEST):
        """The words of a text, as (start, end), by the least cost; WordDivision.swift divides in the same way."""
        count = len(text)
        best, ends = [0] * (count + 1), [0] * (count + 1)
        costs = self.costs
        for start in range(count - 1, -1, -1):
            least, end = costs.get(text[start], UNKNOWN) + best[start + 1], start + 1
            for stop in range(start + 2, min(count, start + longest) + 1):
                one = costs.get(text[start:stop])
                if one is not None and one + best[stop] < least:
                    least, end = one + best[stop], stop
            best[start], ends[start] = least, end
        start = 0
        while start < count:
            yield start, ends[start]
            start = ends[start]


def pattern(word, values, table, holds=False):
    """Four bits a character: which of its readings (0...6), 8 more for the same without its tone; 15 where none is said.
    The highest four are 0 where nothing beside the word counts."""
    result = 0
    for position in range(16):
        nibble = 0 if holds and position == 15 else 15
        if values is not None and position < len(word):
            known = [one & 0x3FFF for one in table.get(ord(word[position]), [])]
            value = values[position]
            if value in known[:7]:
                nibble = known.index(value)
            elif value & 7 == 5:
                nibble = next((8 + i for i, one in enumerate(known[:7]) if one >> 3 == value >> 3), 15)
        result |= nibble << 4 * position
    return result


def padded(format, values):
    content = struct.pack(f'<{len(values)}{format}', *values)
    return content + bytes(-len(content) % 8)


def trie(words, table):
    """words: word → (cost, readings or None, whether they hold). Nodes lie level by level, the children of one beside each other."""
    items = sorted((tuple(map(ord, word)), cost, pattern(word, values, table, holds))
                   for word, (cost, values, holds) in words.items())
    counts = {}
    for _, _, one in items:
        counts[one] = counts.get(one, 0) + 1
    patterns = sorted(counts, key=lambda one: (-counts[one], one))
    numbers = {one: i for i, one in enumerate(patterns)}
    labels, costs, codes, starts, inner, long = [], [], [], [], [], []
    queue, depth, roots = [items], 0, 0
    while queue:
        following = []
        for group in queue:
            if depth:
                starts.append(len(labels))
            for label, members in itertools.groupby(group, key=lambda one: one[0][depth]):
                members = list(members)
                ending = members.pop(0) if len(members[0][0]) == depth + 1 else None
                if ending and numbers[ending[2]] >= 255:
                    long.append((len(labels), numbers[ending[2]]))
                labels.append(label)
                costs.append(ending[1] if ending else 0)
                codes.append(min(numbers[ending[2]], 255) if ending else 0)
                inner.append(bool(members))
                if members:
                    following.append(members)
        if not depth:
            roots = len(labels)
        queue, depth = following, depth + 1
    starts.append(len(labels))
    bits, ranks, rank = [], [], 0
    for block in range(0, len(inner), 64):
        ranks.append(rank)
        bits.append(sum(1 << i for i, one in enumerate(inner[block:block + 64]) if one))
        rank += bits[-1].bit_count()
    assert max(labels) < 0x10000 and len(patterns) < 0x10000
    return struct.pack('<IIIIII', len(labels), roots, rank, len(patterns), len(long), 0) + b''.join([
        padded('H', labels), padded('B', costs), padded('B', codes), padded('Q', bits), padded('I', ranks),
        padded('I', starts), padded('Q', patterns), padded('I', [one for one, _ in long]),
        padded('H', [number for _, number in long])]), labels[:roots]


def section(vocabulary, table, holding):
    words = {word: (cost, vocabulary.readings.get(word), word in vocabulary.own or word in holding) for word, cost in vocabulary.costs.items()}
    return trie(words, table)
