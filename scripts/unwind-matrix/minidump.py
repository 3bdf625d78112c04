"""Writes a minidump of an x86-64 core file: threads, their stacks, modules and the exception, and nothing else.

A minidump holds no code, so a reader has to find the files by their build IDs. Layouts: the ELF gABI (program headers,
notes), Linux' struct elf_prstatus and NT_FILE, and Breakpad's minidump_format.h.
"""

import struct

STACK_LIMIT = 256 * 1024


def read_core(path):
    data = open(path, "rb").read()
    table, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    loads, notes = [], []
    for index in range(count):
        kind, _, offset, address, _, size, memory, _ = struct.unpack_from("<IIQQQQQQ", data, table + 56 * index)
        if kind == 1:
            loads.append((address, data[offset : offset + size], memory))
        elif kind == 4:
            notes += read_notes(data[offset : offset + size])
    return loads, notes


def read_notes(data):
    at, found = 0, []
    while at + 12 <= len(data):
        name, size, kind = struct.unpack_from("<III", data, at)
        body = at + 12 + (name + 3 & ~3)
        found.append((kind, data[body : body + size]))
        at = body + (size + 3 & ~3)
    return found


def mapped_files(notes):
    """Paths with their first and last mapped address, and the offset that begins at the first.

    A file that was mapped a second time to be read (Rust's panics do so with the program) counts once, as the image.
    """
    groups = {}
    for kind, body in notes:
        if kind != 0x46494C45:
            continue
        count, page = struct.unpack_from("<QQ", body, 0)
        names = body[16 + 24 * count :].split(b"\0")
        for index in range(count):
            start, end, offset = struct.unpack_from("<QQQ", body, 16 + 24 * index)
            found = groups.setdefault(names[index].decode(), [])
            if found and start - found[-1][1] < 1 << 24:
                low, _, first, parts = found[-1]
                found[-1] = (low, end, first, parts + 1)
            else:
                found.append((start, end, offset * page, 1))
    return {path: max(found, key=lambda group: group[3])[:3] for path, found in groups.items()}


def build_id(path):
    """The build ID that stands in the notes of an ELF file, or nothing."""
    try:
        data = open(path, "rb").read()
    except OSError:
        return b""
    if data[:4] != b"\x7fELF":
        return b""
    table, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    parts = []
    for index in range(count):
        kind, _, offset, _, _, size = struct.unpack_from("<IIQQQQ", data, table + 56 * index)
        parts += [(offset, size)] if kind == 4 else []
    # Go's linker has the build ID in a section only.
    table, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
    for index in range(count):
        _, kind, _, _, offset, size = struct.unpack_from("<IIQQQQ", data, table + 64 * index)
        parts += [(offset, size)] if kind == 7 else []
    for offset, size in parts:
        for number, body in read_notes(data[offset : offset + size]):
            if number == 3 and len(body) >= 8:
                return body
    return b""


def context(registers):
    """CONTEXT_AMD64 of registers in the order of struct user_regs_struct."""
    names = "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss".split()
    value = dict(zip(names, registers))
    out = bytearray(1232)
    struct.pack_into("<I", out, 48, 0x10000B)
    struct.pack_into("<HHHHHHI", out, 56, value["cs"] & 0xFFFF, 0, 0, 0, 0, value["ss"] & 0xFFFF, value["eflags"] & 0xFFFFFFFF)
    order = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
    for index, name in enumerate(order):
        struct.pack_into("<Q", out, 120 + 8 * index, value[name])
    return bytes(out), value["rsp"], value["rip"]


def write(core, path):
    loads, notes = read_core(core)
    threads = []
    for kind, body in notes:
        if kind == 1:
            signal, thread = struct.unpack_from("<i", body, 0)[0], struct.unpack_from("<i", body, 32)[0]
            threads.append((thread, signal, struct.unpack_from("<27Q", body, 112)))
    fault = next((struct.unpack_from("<iiiiQ", body, 0) for kind, body in notes if kind == 0x53494749), None)
    out = bytearray(32 + 12 * 5)

    def place(data):
        at = len(out)
        out.extend(data + b"\0" * (-len(data) % 8))
        return struct.pack("<II", len(data), at)

    def text(string):
        encoded = string.encode("utf-16-le")
        return struct.unpack("<II", place(struct.pack("<I", len(encoded)) + encoded + b"\0\0"))[1]

    listed, memory, contexts = b"", [], []
    for thread, _, registers in threads:
        state, stack, _ = context(registers)
        contexts.append(place(state))
        low, held = 0, b""
        for address, content, _ in loads:
            if address <= stack < address + len(content):
                low = max(address, stack - 128)
                held = content[low - address : low - address + STACK_LIMIT]
        where = place(held)
        memory.append(struct.pack("<Q", low) + where)
        listed += struct.pack("<IIIIQ", thread, 0, 0, 0, 0) + struct.pack("<Q", low) + where + contexts[-1]
    modules = b""
    listed_files = [item for item in mapped_files(notes).items() if item[1][2] == 0 and item[1][1] - item[1][0] < 1 << 31 and build_id(item[0])]
    for file, (start, end, _) in listed_files:
        record = place(struct.pack("<I", 0x4270454C) + build_id(file))
        module = struct.pack("<QIII", start, end - start, 0, 0) + struct.pack("<I", text(file)) + b"\0" * 52
        modules += module + record + b"\0" * 8 + b"\0" * 16
    crashed, _, registers = threads[0]
    signal, code, address = (fault[0], fault[2], fault[4]) if fault else (threads[0][1], 0, 0)
    exception = struct.pack("<II", crashed, 0) + struct.pack("<IIQQII", signal, code & 0xFFFFFFFF, 0, address, 0, 0)
    exception += b"\0" * 120 + contexts[0]
    system = struct.pack("<HHHBBIIIIIHH", 9, 6, 0, 1, 1, 6, 1, 0, 0x8201, text("Linux"), 0, 0) + b"\0" * 24
    streams = [
        (3, struct.pack("<I", len(threads)) + listed),
        (4, struct.pack("<I", len(listed_files)) + modules),
        (5, struct.pack("<I", len(memory)) + b"".join(memory)),
        (6, exception),
        (7, system),
    ]
    struct.pack_into("<IIIIIIQ", out, 0, 0x504D444D, 0xA793, len(streams), 32, 0, 0, 0)
    for index, (kind, data) in enumerate(streams):
        out[32 + 12 * index : 44 + 12 * index] = struct.pack("<I", kind) + place(data)
    open(path, "wb").write(out)
