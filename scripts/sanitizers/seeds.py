#!/usr/bin/env python3
"""Writes files that readers are fuzzed from and that the fixtures have none of.

    scripts/sanitizers/seeds.py READER FIXTURES FOLDER

Archives (nested, stored and deflated, of an app of each system), binary manifests of Android, texts with secrets of the
known forms, profiles of each format that `perf show` reads, and records of a key-value store. A reader without such files
gets none.
"""
import io
import json
import os
import random
import struct
import sys
import zipfile


def chunk(kind, header, body):
    """A chunk of Android's binary XML: type, size of the header, size of all."""
    return struct.pack("<HHI", kind, 8 + len(header), 8 + len(header) + len(body)) + header + body


def pool(strings, is_utf8):
    """A string pool, whose texts are UTF-8 or UTF-16."""
    offsets, data = [], b""
    for text in strings:
        offsets.append(len(data))
        if is_utf8:
            data += bytes([len(text), len(text.encode())]) + text.encode() + b"\0"
        else:
            data += struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
    data += b"\0" * (-len(data) % 4)
    start = 28 + 4 * len(strings)
    header = struct.pack("<IIIII", len(strings), 0, 256 if is_utf8 else 0, start, 0)
    return chunk(1, header, b"".join(struct.pack("<I", each) for each in offsets) + data)


def manifest(is_utf8, namespace="http://schemas.android.com/apk/res/android"):
    """A manifest with a permission, flags of the application, and an exported activity."""
    strings = []

    def text(value):
        if value not in strings:
            strings.append(value)
        return strings.index(value)

    none = 0xFFFFFFFF

    def start(name, attributes):
        body = struct.pack("<IIHHHHHH", none, text(name), 20, 20, len(attributes), 0, 0, 0)
        for key, kind, value in attributes:
            raw = text(value) if kind == 3 else none
            body += struct.pack("<IIIHBBI", text(namespace), text(key), raw, 8, 0, kind, raw if kind == 3 else value)
        return chunk(0x102, struct.pack("<II", 1, none), body)

    def end(name):
        return chunk(0x103, struct.pack("<II", 1, none), struct.pack("<II", none, text(name)))

    nodes = b"".join([
        chunk(0x100, struct.pack("<II", 1, none), struct.pack("<II", text("android"), text(namespace))),
        start("manifest", [("package", 3, "com.example.app"), ("versionCode", 0x10, 7)]),
        start("uses-sdk", [("minSdkVersion", 0x10, 21), ("targetSdkVersion", 0x10, 34)]), end("uses-sdk"),
        start("uses-permission", [("name", 3, "android.permission.CAMERA")]), end("uses-permission"),
        start("application", [("debuggable", 0x12, none), ("allowBackup", 0x12, 0), ("label", 1, 0x7F010001)]),
        start("activity", [("name", 3, ".Main"), ("exported", 0x12, none)]), end("activity"), end("application"),
        end("manifest"),
        chunk(0x101, struct.pack("<II", 1, none), struct.pack("<II", text("android"), text(namespace))),
    ])
    ids = chunk(0x180, b"", struct.pack("<II", 0x0101000F, 0x01010003))
    return chunk(3, b"", pool(strings, is_utf8) + ids + nodes)


def archives(fixtures):
    app = f"{fixtures}/scan/isign-Test.app"

    def zipped(entries, method):
        output = io.BytesIO()
        with zipfile.ZipFile(output, "w", method) as archive:
            for name, data in entries:
                archive.writestr(name, data)
        return output.getvalue()

    def read(path):
        with open(path, "rb") as file:
            return file.read()

    plist, image, library = (read(f"{app}/Info.plist"), read(f"{fixtures}/scan/macho/arc"), read(f"{fixtures}/scan/elf/hard"))
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        ipa = zipped([("Payload/A.app/Info.plist", plist), ("Payload/A.app/A", image)], method)
        apk = zipped([("AndroidManifest.xml", manifest(True)), ("lib/x86_64/liba.so", library[:16000])], method)
        yield from (ipa, apk, zipped([("a/b.ipa", ipa), ("c.apk", apk)], method))
    yield zipped([(f"{number}/x", b"") for number in range(50)], zipfile.ZIP_STORED)


def secrets():
    random.seed(28)

    def letters(count, of="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"):
        return "".join(random.choice(of) for _ in range(count))

    forms = [
        "AKIA" + letters(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), "ghp_" + letters(36), "xoxb-1234567890-" + letters(24),
        "AIza" + letters(35), "sk_live_" + letters(24), "-----BEGIN RSA PRIVATE KEY-----\n" + letters(64) + "\n",
        "eyJ" + letters(20) + ".eyJ" + letters(40) + "." + letters(43), "https://user:" + letters(16) + "@example.com/",
        'api_key = "' + letters(32, "0123456789abcdef") + '"', "password: " + letters(20),
    ]
    for form in forms:
        yield f"let a = 1\n{form}\nend\n".encode()
    yield "\n".join(forms).encode()


def profiles():
    yield b"main;work;leaf 12\nmain;wait 3\n"
    yield json.dumps({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [{"name": "main"}, {"name": "leaf", "file": "a.c", "line": 3}]},
        "profiles": [
            {"type": "sampled", "name": "t", "unit": "microseconds", "startValue": 0, "endValue": 5,
             "samples": [[0], [0, 1]], "weights": [2, 3]},
            {"type": "evented", "name": "u", "unit": "none", "startValue": 0, "endValue": 5,
             "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 5}]},
        ]}).encode()
    yield json.dumps({"traceEvents": [
        {"ph": "X", "name": "a", "pid": 1, "tid": 2, "ts": 0, "dur": 9},
        {"ph": "B", "name": "b", "pid": 1, "tid": 2, "ts": 1}, {"ph": "E", "pid": 1, "tid": 2, "ts": 4},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}}]}).encode()
    yield (b"app 12/34 [001] 5.000001: 1000 cycles:\n\t7f00 leaf+0x4 (/lib/a.so)\n\t4010 main+0x10 (/bin/app)\n\n"
           b"app 12/35 5.1: 1 cpu-clock:\n\t4020 [unknown] (/bin/app)\n\n")
    # Of protobuf: a sample type, a sample, a location, a function, the table of strings.
    yield bytes([10, 4, 8, 1, 16, 2, 18, 5, 10, 1, 1, 18, 0, 34, 6, 8, 1, 34, 2, 8, 1, 42, 4, 8, 1, 16, 3, 50, 0,
                 50, 3, 99, 112, 117, 50, 2, 110, 115, 50, 4, 109, 97, 105, 110])
    yield json.dumps({"callStackTree": {"callStackPerThread": True, "callStacks": [
        {"threadAttributed": True, "callStackRootFrames": [
            {"binaryUUID": "70B89F27-1634-3580-A695-57CDB41D7743", "offsetIntoBinaryTextSegment": 123,
             "sampleCount": 20, "binaryName": "App", "address": 74565, "subFrames": []}]}]},
        "diagnosticMetaData": {"appVersion": "1", "hangDuration": "20 sec"}}).encode()


def stores():
    """Records of a key-value store as `StoreBytes` takes them: of each kind, with an expiry, removed, and none at all."""
    def record(number, flags, key, value, expiry=None, business=b"b"):
        body = struct.pack("<QB", number, flags)
        if expiry is not None:
            body += struct.pack("<q", expiry)
        body += bytes([len(business), len(key)]) + business + key + value
        return bytes([len(body)]) + body

    values = [struct.pack("<q", 7), b"\1", struct.pack("<d", 0.5), b"text", b"data", b"bplist00", b"archive", b"{}", b"[1]"]
    records = [record(n, n, b"key", value) for n, value in enumerate(values, 1)]
    records.append(record(10, 0x24, b"gone", b"x", 1))
    records.append(record(11, 0x24, b"later", b"x", 1 << 52))
    records.append(record(12, 0x14, b"purge", b"x", business=b""))
    records.append(record(13, 0x40, b"key", b""))
    records.append(b"\xff" + bytes(16))
    yield from (b"\0" + each for each in records)
    yield b"\0" + b"".join(records)
    yield b"\0" + b"".join(reversed(records)) * 3
    yield b"\1" + bytes(5000)


def main():
    reader, fixtures, folder = sys.argv[1:4]
    found = {
        "archive": lambda: archives(fixtures), "package": lambda: archives(fixtures), "manifest": lambda: (manifest(is_utf8) for is_utf8 in (True, False)),
        "secrets": secrets, "profile": profiles, "keyvalue": stores,
    }.get(reader, lambda: ())
    for number, data in enumerate(found()):
        with open(os.path.join(folder, f"made-{number}"), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
