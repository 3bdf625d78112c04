"""Reads the examples of commands, which stand in Sources/MPaaSTerminal/Catalogue/Texts/Examples, a file for each noun.

    # …                   a remark
    starts: NAME…         the scripts scripts/doc-starts/NAME make the folder that examples run in; for the whole file at its
                          head, else for one command instead, which then has nothing of the head's `before:` either
    before: LINE          runs before the examples of a command, or of all commands, and is not shown; may stand several times
    == crash run          the command, "mpaas" for the program itself; its examples follow
    $ LINE                what is typed; "> LINE" goes on with it
    en: SENTENCE          what it does, in each language
    zh: SENTENCE
    status: 1 77          the line may end with these statuses instead of 0
    until: TEXT           the line before, which may be one of `before:`, runs until all examples have run; the next one
                          runs when it has printed TEXT
    not run: WHY          the example needs what is not here, such as a device

The program has the lines and the sentences; the others are for scripts/help-examples, which runs the examples.
"""
import glob
import os

FOLDER = "Sources/MPaaSTerminal/Catalogue/Texts/Examples"


class Line:
    """A line of a shell; `until` is what it prints when it is ready, where it goes on."""

    def __init__(self, text, place):
        self.text, self.place, self.until, self.statuses = text, place, None, {0}


class Example(Line):
    """A line that the help shows, with a sentence in each language."""

    def __init__(self, text, place):
        super().__init__(text, place)
        self.sentences, self.reason = {}, None


class Examples:
    """The examples of a command."""

    def __init__(self, command, place, starts, before):
        self.command, self.place, self.starts, self.before, self.examples = command, place, starts, before, []


def read(root):
    """The examples of all commands, by the command's words."""
    found = {}
    for path in sorted(glob.glob(f"{root}/{FOLDER}/*.txt")):
        for each in read_file(path):
            if each.command in found:
                raise SystemExit(f"{each.place}: {each.command} has examples at {found[each.command].place}")
            found[each.command] = each
    return found


def read_file(path):
    head, found, last = Examples("", path, [], []), [], None
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
        place = f"{os.path.basename(path)}:{number}"
        if not line or line.startswith("# "):
            continue
        if line.startswith("== "):
            found.append(Examples(line[3:], place, list(head.starts), list(head.before)))
            continue
        last = read_line(line, place, found[-1] if found else head, last)
    return found


def read_line(line, place, examples, last):
    """Puts a line where it belongs; the line of a shell that the next ones may be about."""
    if line.startswith("$ "):
        examples.examples.append(Example(line[2:], place))
        return examples.examples[-1]
    if line.startswith("> "):
        last.text += "\n" + line[2:]
        return last
    label, separator, text = line.partition(": ")
    if not separator:
        raise SystemExit(f"{place}: not understood: {line}")
    if label == "before":
        examples.before.append(Line(text, place))
        return examples.before[-1]
    if label == "starts":
        examples.starts, examples.before = text.split(), []
    elif label in ("en", "zh"):
        last.sentences[label] = text
    elif label == "status":
        last.statuses = {int(word) for word in text.split()}
    elif label == "until":
        last.until = text
    elif label == "not run":
        last.reason = text
    else:
        raise SystemExit(f"{place}: not understood: {line}")
    return last
