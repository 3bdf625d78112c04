#!/usr/bin/env python3
"""Writes many varied .ips reports, for measuring `mpaas crash group`.

    scripts/bench/make-reports.py FOLDER [COUNT]

The reports are 5 to 20 KB each, of some 400 different crashes with very different frequencies, from 40 versions of an
app on 30 models and 25 versions of the system, over 90 days. The same arguments give the same files.
"""
import json
import os
import random
import sys

if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__.strip())
folder, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
dice = random.Random(2026)
os.makedirs(folder, exist_ok=True)

TYPES = ["Cart", "Ladder", "Session", "Feed", "Router", "Player", "Cache", "Decoder", "Parser", "Store", "Theme", "Login"]
VERBS = ["load", "apply", "update", "decode", "render", "merge", "flush", "open", "close", "resolve", "insert", "sort"]
SYSTEM = [
    ("/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore", "-[UIApplication _run]"),
    ("/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation", "CFRunLoopRunSpecific"),
    ("/System/Library/PrivateFrameworks/GraphicsServices.framework/GraphicsServices", "GSEventRunModal"),
    ("/usr/lib/system/libdispatch.dylib", "_dispatch_main_queue_callback_4CF"),
    ("/usr/lib/system/libsystem_kernel.dylib", "mach_msg_trap"),
    ("/usr/lib/system/libsystem_pthread.dylib", "_pthread_wqthread"),
    ("/usr/lib/libobjc.A.dylib", "objc_msgSend"),
    ("/usr/lib/swift/libswiftCore.dylib", "_assertionFailure(_:_:file:line:flags:)"),
]
KINDS = [
    ("EXC_BAD_ACCESS", "SIGSEGV", "KERN_INVALID_ADDRESS at 0x%016x"), ("EXC_BREAKPOINT", "SIGTRAP", None),
    ("EXC_CRASH", "SIGABRT", None), ("EXC_BAD_ACCESS", "SIGBUS", "KERN_PROTECTION_FAILURE at 0x%016x"),
]


def function():
    name = f"{dice.choice(TYPES)}.{dice.choice(VERBS)}{dice.choice(['(_:)', '()', '(at:)', '(with:then:)'])}"
    return dice.choice(["", "", "", "closure #1 in ", "specialized "]) + name


CRASHES = [
    {"kind": dice.choice(KINDS), "stack": [function() for _ in range(dice.randint(2, 9))], "line": dice.randint(1, 900)}
    for _ in range(400)
]
WEIGHTS = [1 / (rank + 1) for rank in range(len(CRASHES))]
MODELS = [f"iPhone{major},{minor}" for major in range(10, 16) for minor in range(1, 6)]
SYSTEMS = [f"iPhone OS {major}.{minor} ({major + 3}A{minor}{major})" for major in range(15, 20) for minor in range(5)]
VERSIONS = [(f"{major}.{minor}", str(major * 100 + minor * 10)) for major in range(1, 5) for minor in range(10)]


def hexadecimal(length):
    return "".join(dice.choices("0123456789abcdef", k=length))


def uuid():
    return "-".join(hexadecimal(n) for n in (8, 4, 4, 4, 12))


def frame(image, symbol=None, file=None, line=None):
    value = {"imageOffset": dice.randint(1 << 12, 1 << 22), "imageIndex": image}
    if symbol:
        value |= {"symbol": symbol, "symbolLocation": dice.randint(4, 400)}
    if file:
        value |= {"sourceFile": file, "sourceLine": line}
    return value


def system_frames(many, named):
    indices = dice.choices(range(1, len(SYSTEM)), k=many)
    return [frame(i, SYSTEM[i - 1][1] if named else None) for i in indices]


def report(number):
    crash = dice.choices(CRASHES, WEIGHTS)[0]
    version, build = dice.choice(VERSIONS)
    system = dice.choice(SYSTEMS)
    day = 1 + dice.randint(0, 89)
    moment = f"2026-{1 + (day - 1) // 30:02}-{1 + (day - 1) % 28:02} {dice.randint(0, 23):02}:{dice.randint(0, 59):02}:17"
    named = dice.random() < 0.7
    own = [frame(0, name, name.split(".")[0].split()[-1] + ".swift", crash["line"] + i) for i, name in enumerate(crash["stack"])]
    crashed = system_frames(dice.randint(0, 3), True) + own + system_frames(dice.randint(4, 20), named)
    kind, signal, subtype = crash["kind"]
    exception = {"codes": "0x0000000000000001, 0x0000000000000000", "rawCodes": [1, 0], "type": kind, "signal": signal}
    if subtype:
        exception["subtype"] = subtype % dice.getrandbits(40)
    threads = [
        {"id": dice.randint(1000, 99999), "queue": "com.apple.main-thread", "frames": system_frames(dice.randint(5, 15), named)}
        for _ in range(dice.randint(2, 9))
    ]
    faulting = dice.randint(0, len(threads))
    state = {"x": [{"value": dice.getrandbits(48)} for _ in range(29)], "flavor": "ARM_THREAD_STATE64"}
    for register in ("lr", "fp", "sp", "pc", "cpsr", "esr", "far"):
        state[register] = {"value": dice.getrandbits(40)}
    threads.insert(faulting, {"triggered": True, "id": dice.randint(1000, 99999), "threadState": state, "frames": crashed})
    path = f"/private/var/containers/Bundle/Application/{uuid().upper()}/Shop.app/Shop"
    images = [{"source": "P", "arch": "arm64", "base": 1 << 32, "size": 1 << 23, "uuid": uuid(), "path": path, "name": "Shop"}]
    for place, _ in SYSTEM:
        images.append({
            "source": "P", "arch": "arm64e", "base": 0x180000000 + dice.getrandbits(28), "size": 1 << 20, "uuid": uuid(),
            "path": place, "name": place.rsplit("/", 1)[1]})
    header = {
        "app_name": "Shop", "timestamp": moment + ".00 +0000", "app_version": version, "slice_uuid": uuid(),
        "build_version": build, "platform": 2, "bundleID": "com.example.shop", "share_with_app_devs": 1,
        "is_first_party": 0, "bug_type": "309", "os_version": system, "incident_id": uuid().upper(), "name": "Shop"}
    body = {
        "uptime": dice.randint(100, 900000), "procRole": "Foreground", "version": 2, "userID": 501, "deployVersion": 210,
        "modelCode": dice.choice(MODELS), "coalitionID": 600, "captureTime": moment + ".2121 +0000",
        "osVersion": {"isEmbedded": True, "train": system.split(" (")[0], "releaseType": "User",
                      "build": system.split("(")[1][:-1]},
        "incident": header["incident_id"], "pid": dice.randint(100, 9999), "cpuType": "ARM-64", "procLaunch": moment + ".0000 +0000",
        "bundleInfo": {"CFBundleShortVersionString": version, "CFBundleVersion": build, "CFBundleIdentifier": "com.example.shop"},
        "procName": "Shop", "procPath": path, "parentProc": "launchd", "parentPid": 1, "coalitionName": "com.example.shop",
        "crashReporterKey": hexadecimal(40), "exception": exception,
        "termination": {"flags": 0, "code": 11, "namespace": "SIGNAL", "indicator": "Segmentation fault: 11"},
        "asi": {"libswiftCore.dylib": [f"Shop/{crash['line']}: Fatal error: item {dice.getrandbits(32)} is missing\n"]},
        "faultingThread": faulting, "threads": threads, "usedImages": images,
        "sharedCache": {"base": 6442450944, "size": 3141435392, "uuid": uuid()},
        "vmSummary": "ReadOnly portion of Libraries: Total=1.2G\nWritable regions: Total=612.4M\n" * dice.randint(1, 12)}
    with open(f"{folder}/{number // 1000:03}/Shop-{number:06}.ips", "w") as file:
        file.write(json.dumps(header, separators=(",", ":")) + "\n" + json.dumps(body, indent=1 if number % 2 else None))


for number in range(count):
    if number % 1000 == 0:
        os.makedirs(f"{folder}/{number // 1000:03}", exist_ok=True)
    report(number)
