"""A reading as 14 bits: initial (5), final (6), tone (3). Sources/MPaaSPinyin/Reading/Syllable.swift has the same lists."""
import unicodedata

INITIALS = ['', 'b', 'p', 'm', 'f', 'd', 't', 'n', 'l', 'g', 'k', 'h', 'j', 'q', 'x', 'zh', 'ch', 'sh', 'r', 'z', 'c', 's']
FINALS = ['a', 'o', 'e', 'ê', 'ai', 'ei', 'ao', 'ou', 'an', 'en', 'ang', 'eng', 'er',
          'i', 'ia', 'io', 'ie', 'iai', 'iao', 'iou', 'ian', 'in', 'iang', 'ing', 'iong',
          'u', 'ua', 'uo', 'uai', 'uei', 'uan', 'uen', 'uang', 'ueng',
          'ü', 'üe', 'üan', 'ün', 'm', 'n', 'ng']
RARE = 1 << 14  # in a list of readings: not one of the common ones


def spelled(initial, final):
    """The spelling in Hanyu Pinyin, with ü as v."""
    if final in ('m', 'n', 'ng'):
        return initial + final
    if initial == '':
        if final.startswith('i'):
            return {'i': 'yi', 'in': 'yin', 'ing': 'ying', 'iou': 'you'}.get(final, 'y' + final[1:])
        if final.startswith('u'):
            return {'u': 'wu', 'uei': 'wei', 'uen': 'wen'}.get(final, 'w' + final[1:])
        if final.startswith('ü'):
            return 'yu' + final[1:]
        return final
    short = {'iou': 'iu', 'uei': 'ui', 'uen': 'un', 'ueng': 'ong'}.get(final, final)
    if short.startswith('ü'):
        short = ('u' if initial in 'jqx' else 'v') + short[1:]
    return initial + short


SYLLABLES = {}
for _i, _initial in enumerate(INITIALS):
    for _f, _final in enumerate(FINALS):
        if _initial in ('j', 'q', 'x') and _final.startswith('u'):
            continue  # ju is jü
        SYLLABLES.setdefault(spelled(_initial, _final), (_i, _f))

MARKS = {'\u0304': 1, '\u0301': 2, '\u030c': 3, '\u0300': 4}


def reading(text):
    """'zhòng', 'zhong4' or 'lv4' → the 14 bits; None where it is no syllable of Mandarin."""
    tone, letters = 5, []
    for c in unicodedata.normalize('NFD', text.strip().lower().replace('u:', 'v')):
        if c in MARKS:
            tone = MARKS[c]
        elif c in '12345':
            tone = int(c)
        elif c == '0':
            tone = 5
        elif c == '\u0308' and letters and letters[-1] == 'u':
            letters[-1] = 'v'
        elif c == '\u0302' and letters and letters[-1] == 'e':
            letters[-1] = 'ê'
        else:
            letters.append(c)
    name = ''.join(letters)
    found = SYLLABLES.get(name) or SYLLABLES.get(name.replace('v', 'u')) or SYLLABLES.get('ê' if name == 'ea' else '')
    return None if found is None else found[0] << 9 | found[1] << 3 | tone


def digits(value):
    """The 14 bits → 'zhong4'."""
    return spelled(INITIALS[value >> 9 & 31], FINALS[value >> 3 & 63]) + str(value & 7)
