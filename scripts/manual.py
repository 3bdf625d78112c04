#!/usr/bin/env python3
"""Writes a man page for each command, from what the program says of its commands and from their examples.

    scripts/manual.py LANGUAGE DATE FOLDER < DUMP

DUMP is what `mpaas --experimental-dump-help` prints in LANGUAGE, en or zh-Hans; DATE, such as 2026-11-27, stands in the
pages. Sections are those of mdoc(7): NAME, SYNOPSIS, DESCRIPTION, EXIT STATUS, EXAMPLES, SEE ALSO. Pages in Chinese load
groff's macros for Chinese, since lines would not break between characters otherwise.
"""
import datetime
import json
import os
import re
import sys

import examples

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
STATUSES = {
    "en": {0: "Done.", 1: "A negative answer: not verified, differences found, a check failed.", 64: "Wrong usage.",
           65: "Malformed input.", 66: "Input is missing.", 69: "A service cannot be reached.", 70: "An internal fault.",
           73: "Output cannot be created.", 74: "An input or output error.", 75: "Try again later.",
           77: "Not trusted or not permitted.", 78: "Bad configuration.", 130: "Interrupted."},
    "zh-Hans": {0: "完成。", 1: "否定的回答：未通过验证、存在差异或检查失败。", 64: "用法错误。", 65: "输入格式错误。",
                66: "缺少输入。", 69: "服务不可达。", 70: "内部故障。", 73: "无法创建输出。", 74: "输入输出错误。",
                75: "稍后重试。", 77: "不受信任或没有权限。", 78: "配置错误。", 130: "被中断。"},
}
# The columns of an example on a terminal of 80, behind what sections and displays are indented by.
COLUMNS = 66


def text(line):
    """A line of running text; between Chinese punctuation and a letter it may break."""
    line = line.replace("\\", "\\e").replace("`", "\\(ga")
    line = re.sub("([、，；：）])(?=[A-Za-z_])", r"\1\\:", line)
    return "\\&" + line if line[:1] in (".", "'") else line


def literal(line):
    """A line of a program text, whose signs stay those of ASCII."""
    for sign, name in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        line = line.replace(sign, name)
    return "\\&" + line if line.startswith(".") else line


def word(value):
    """A single argument of a macro."""
    value = value.replace("\\", "\\e").replace('"', "\\(dq")
    return f'"{value}"' if " " in value else value


def paragraphs(discussion):
    for line in discussion.strip("\n").split("\n") if discussion else []:
        yield text(line.strip()) if line.strip() else ".Pp"


def option(argument):
    """An argument as it is called in running text: its names, and its value."""
    value = "Ar " + word(argument["valueName"] + ("..." if argument["isRepeating"] else ""))
    if argument["kind"] == "positional":
        return value
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    return "Fl " + " , ".join(map(spelled, names)) + (" " + value if argument["kind"] == "option" else "")


def spelled(name):
    return ("-" if name["kind"] == "long" else "") + name["name"]


def synopsis(argument):
    if argument["kind"] != "positional":
        argument = argument | {"names": [argument["preferredName"]]}
    return f".Op {option(argument)}" if argument["isOptional"] else f".{option(argument)}"


def broken(line):
    """A line of a shell in lines of at most COLUMNS; options stay with their values."""
    parts = []
    for each in re.findall(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""", line):
        if parts and re.fullmatch(r"-\S*[^-\s]\S*", parts[-1]) and not each.startswith("-"):
            parts[-1] += " " + each
        else:
            parts.append(each)
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 > COLUMNS:
            lines[-1] += " \\"
            lines.append("  " + part)
        else:
            lines[-1] += " " + part
    return lines


class Manual:
    """The pages of all commands in a language."""

    def __init__(self, language, date, dump):
        self.language, self.date = language, f"{date:%B} {date.day}, {date.year}"
        with open(f"{ROOT}/Sources/MPaaSTerminal/Catalogue/Texts/house.{language}.json", encoding="utf-8") as file:
            self.words = json.load(file)
        self.examples = examples.read(ROOT)
        self.commands = {}
        self.collect(dump["command"], ())

    def collect(self, command, path):
        path += (command["commandName"],)
        self.commands[path] = command
        for child in command.get("subcommands", []):
            if child.get("shouldDisplay", True):
                self.collect(child, path)

    def page(self, path):
        command = self.commands[path]
        lines = ['.\\" Made by scripts/man from the definitions of the commands.', f".Dd {self.date}",
                 f".Dt {'.'.join(path).upper()} 1", ".Os"]
        if self.language != "en":
            lines.insert(1, ".mso zh.tmac")
        lines += [".Sh NAME", f".Nm {word(' '.join(path))}", f'.Nd "{text(command["abstract"])}"', ".Sh SYNOPSIS", ".Nm"]
        lines += [".Ar subcommand"] if self.children(path) else []
        shown = [each for each in command["arguments"] if each["shouldDisplay"]]
        lines += map(synopsis, shown)
        lines += [".Sh DESCRIPTION"] + list(paragraphs(command.get("discussion") or ""))
        lines += [".Bl -tag -width 6n"] + [line for each in shown for line in self.item(each)] + [".El"]
        lines += self.statuses() + self.shown(path) + self.references(path)
        return "\n".join(lines) + "\n"

    def item(self, argument):
        yield f".It {option(argument)}"
        told = argument.get("abstract") or ""
        if argument["valueName"] in ("help", "version") and argument["kind"] == "flag":
            told = self.words[f"text.help-{argument['valueName']}"]
        yield from paragraphs(told + self.values(argument))
        if argument.get("discussion"):
            yield ".Pp"
            yield from paragraphs(argument["discussion"])

    def values(self, argument):
        """The permitted values and the default, as the help has them."""
        values, default = argument.get("allValues"), argument.get("defaultValue")
        if not values and not default:
            return ""
        key = "text.help-" + "-".join(["values"] * bool(values) + ["default"] * bool(default))
        separator = ", " if self.language == "en" else "、"
        return self.words[key].format(values=separator.join(values or []), default=default)

    def statuses(self):
        lines = [".Sh EXIT STATUS", ".Bl -tag -width 4n -compact"]
        for number, meaning in STATUSES[self.language].items():
            lines += [f".It {number}", meaning]
        return lines + [".El"]

    def shown(self, path):
        subject = self.examples.get(" ".join(path[1:]) or path[0])
        lines = []
        for each in subject.examples if subject else []:
            lines += [".Pp"] if lines else [".Sh EXAMPLES"]
            lines += [text(each.sentences["en" if self.language == "en" else "zh"]), ".Bd -literal -offset indent -compact"]
            lines += [literal(line) for typed in each.text.split("\n") for line in broken(typed)] + [".Ed"]
        return lines

    def children(self, path):
        return [other for other in self.commands if other[:-1] == path]

    def references(self, path):
        """The command above, those below or beside, and those that the texts name."""
        beside = self.children(path) or self.children(path[:-1])
        found = set(beside if len(beside) <= 12 or self.children(path) else []) | {path[:-1]} | set(self.named(path))
        pages = [f".Xr {'.'.join(each)} 1" for each in sorted(found - {path, ()})]
        return [".Sh SEE ALSO"] + [page + " ," for page in pages[:-1]] + pages[-1:]

    def named(self, path):
        command = self.commands[path]
        told = [command.get("discussion")] + [each.get("abstract") for each in command["arguments"]]
        for call in re.findall(r"mpaas(?: [a-z0-9-]+)+", " ".join(filter(None, told))):
            words = tuple(call.split(" "))
            yield max((words[:end] for end in range(1, len(words) + 1) if words[:end] in self.commands), key=len)


def main():
    language, date, folder = sys.argv[1:]
    manual = Manual(language, datetime.date.fromisoformat(date), json.load(sys.stdin))
    os.makedirs(folder, exist_ok=True)
    for path in manual.commands:
        with open(f"{folder}/{'.'.join(path)}.1", "w", encoding="utf-8") as file:
            file.write(manual.page(path))


if __name__ == "__main__":
    sys.exit(main())
