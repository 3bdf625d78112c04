"""NAME, GIVN, PERS, PLAC: names of people and places, from the .tsv files of this folder."""
import functools, struct
import sources, words
from folding import fold
from syllables import reading

# 单老师: a surname before these is read as a surname in running text too.
TITLES = '老师 先生 女士 小姐 同学 师傅 医生 大夫 教授 太太 夫人 同志 阿姨 叔叔 大爷 大妈 大哥 大姐 奶奶 爷爷 氏 姓'.split()
# Surnames that mean something else often enough before such a word.
NO_TITLE = set('任应要能教过相都长还会得和中有可是为那大只更种重干')
# Places that are another word more often in running text.
NOT_IN_TEXT = set('大城 六合 行在 斜谷 相州 阳夏 不其 不羹 方与 曲逆 率水 数马 长子 会理 三都 角门 得荣 河涌 将台 曲水 召陵'.split())


@functools.cache
def load(name):
    table = {}
    for text, spellings in sources.table(name):
        values = [reading(one) for one in spellings.split()]
        assert len(values) == len(text) and all(values), (name, text)
        table[text] = values
    return table


def own(table):
    """What running text is to know of all this."""
    phrases = held()
    for text, values in load('surnames').items():
        if len(text) > 1 and text not in ('若干', '第五', '东方', '百里', '南门', '东门', '西门', '高堂', '车师', '王孙', '哈尔'):
            phrases[text] = values
        usual = table.get(ord(text), [0])[0] & 0x3FFF if len(text) == 1 else 0
        if len(text) == 1 and text not in NO_TITLE and usual != values[0]:
            for title in TITLES[:-2]:
                phrases[text + title] = values + [table[ord(c)][0] & 0x3FFF for c in title]
            phrases['姓' + text] = [reading('xing4')] + values
    for title, spelling in (('老师', 'lao3 shi1'), ('先生', 'xian1 sheng5'), ('大夫', 'dai4 fu5'), ('太太', 'tai4 tai5'),
                            ('叔叔', 'shu1 shu5'), ('奶奶', 'nai3 nai5'), ('爷爷', 'ye2 ye5'), ('小姐', 'xiao3 jie5')):
        for phrase in phrases:
            if phrase.endswith(title) and len(phrase) == len(title) + 1:
                phrases[phrase][1:] = [reading(one) for one in spelling.split()]
    phrases.update(load('words'))
    for text, values in load('places').items():
        if text not in NOT_IN_TEXT:
            phrases[text] = values
    for text, values in load('persons').items():
        if len(text) > 2 or text not in ('宁静', '晟', '叶公'):
            phrases[text] = values
    return phrases


def held(name='usage'):
    """Words that hold, of daily speech or of `heteronyms`, and what is known of their readings; 0 for what is not."""
    phrases = {}
    for c, spelling, held, _ in sources.usage(name):
        for word in held:
            values = phrases.setdefault(word, [0] * len(word))
            for i, one in enumerate(word):
                if one == c:
                    values[i] = reading(spelling)
    return phrases


def further(table):
    """Adds readings that only names have, marked as rare."""
    from syllables import RARE
    for name in ('surnames', 'given', 'persons', 'places'):
        for text, values in load(name).items():
            for c, value in zip(text, values):
                known = table.setdefault(ord(c), [])
                if value not in [one & 0x3FFF for one in known] and value & 7 != 5:
                    known.append(value | RARE if known else value)


def section(name, table, folding):
    entries = {}
    for text, values in load(name).items():
        entries.setdefault(fold(text, folding), (1, values, True))
        if text == fold(text, folding):
            entries[text] = (1, values, True)
    return words.trie(entries, table)[0]
