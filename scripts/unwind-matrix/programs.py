"""The programs of the matrix: how each is built, and the kinds of crash that it is given.

The builds that are there from the beginning run every kind. The others take turns, so that each kind meets many ways of
building without all of them being crossed.
"""

from typing import NamedTuple, Optional

C = ["fault", "abort", "library", "jump", "sort", "signal", "nested", "thread"]
CXX = ["virtual", "destructor", "throw", "noexcept", "sort", "function", "thread"]
RUST = ["fault", "panic", "unwrap", "iterate", "thread"]
SWIFT = ["fault", "index", "nil", "witness", "map"]
GO = ["spin"]

BASE = ["-g", "-pthread", "-w"]


class Build(NamedTuple):
    name: str
    source: str
    command: list
    kinds: list
    # Nothing, all symbols ("all"), or debug information into a file of its own ("split").
    strip: Optional[str] = None
    # The source is made a library, which a small program is linked with ("linked") or opens ("opened").
    library: Optional[str] = None


def taking_turns(table, source, kinds, count, tail=()):
    """Builds of a table of names, commands and ways of stripping; `count` kinds for each."""
    at = 0
    for name, (command, *strip) in table.items():
        chosen = [kinds[(at + step) % len(kinds)] for step in range(count)]
        at += count
        yield Build(name, source, [*command.split(), *tail], chosen, *strip)


def c_builds():
    for level in ["-O0", "-O1", "-O2", "-O3"]:
        yield Build(f"c-gcc{level}", "chain.c", ["gcc", level, *BASE], C)
    for level in ["-O0", "-O2"]:
        yield Build(f"c-clang{level}", "chain.c", ["clang", level, *BASE], C)
    extra = {
        "c-lto": ("gcc -O2 -flto",),
        "c-nopie": ("gcc -O2 -no-pie -fno-pie",),
        "c-static": ("gcc -O2 -static",),
        "c-static-pie": ("gcc -O2 -static-pie",),
        "c-strip": ("gcc -O2", "all"),
        "c-split": ("gcc -O2", "split"),
        "c-debug-frame": ("gcc -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables",),
        "c-lld": ("clang -O2 -fuse-ld=lld",),
        "c-lld-small": ("clang -O1 -fuse-ld=lld -Wl,-z,max-page-size=4096,-z,noseparate-code", "all"),
        "c-lld-lto": ("clang -O2 -flto -fuse-ld=lld",),
        "c-gold": ("gcc -O2 -fuse-ld=gold",),
        "c-noseparate": ("gcc -O2 -Wl,-z,noseparate-code", "all"),
    }
    for name, (command, *strip) in extra.items():
        yield Build(name, "chain.c", [*command.split(), *BASE], C[:6] if name != "c-static" else C[:2], *strip)
    more = {
        "c-gcc-Os": ("gcc -Os",),
        "c-gcc-Og": ("gcc -Og",),
        "c-gcc-Oz": ("gcc -Oz",),
        "c-gcc-Ofast": ("gcc -Ofast -march=x86-64-v3",),
        "c-clang-O1": ("clang -O1",),
        "c-clang-O3": ("clang -O3",),
        "c-clang-Os": ("clang -Os",),
        "c-clang-Oz": ("clang -Oz",),
        "c-dwarf4": ("gcc -O2 -gdwarf-4",),
        "c-dwarf5": ("gcc -O2 -gdwarf-5",),
        "c-dwarf3": ("gcc -O1 -gdwarf-3 -gstrict-dwarf",),
        "c-clang-dwarf4": ("clang -O2 -gdwarf-4",),
        "c-clang-dwarf5": ("clang -O2 -gdwarf-5",),
        "c-compressed": ("gcc -O2 -gz=zlib",),
        "c-compressed-frame": ("gcc -O2 -gz=zlib -fno-asynchronous-unwind-tables -fno-unwind-tables",),
        "c-line-tables": ("clang -O2 -gline-tables-only",),
        "c-type-units": ("gcc -O2 -fdebug-types-section",),
        "c-frame-pointer": ("gcc -O2 -fno-omit-frame-pointer",),
        "c-no-frame-pointer": ("gcc -O0 -fomit-frame-pointer",),
        "c-clang-frame-pointer": ("clang -O2 -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer",),
        "c-clang-no-frame-pointer": ("clang -O0 -fomit-frame-pointer",),
        "c-protected": ("gcc -O2 -fcf-protection=full -fstack-protector-all -fstack-clash-protection",),
        "c-unprotected": ("gcc -O2 -fcf-protection=none -fno-stack-protector",),
        "c-clang-protected": ("clang -O2 -fcf-protection=full -fstack-protector-all",),
        "c-no-red-zone": ("gcc -O2 -mno-red-zone",),
        "c-realigned": ("gcc -O2 -mstackrealign -mpreferred-stack-boundary=6",),
        "c-clang-realigned": ("clang -O2 -mstackrealign -mstack-alignment=64",),
        "c-argument-area": ("gcc -O2 -maccumulate-outgoing-args",),
        "c-no-shrink-wrap": ("gcc -O2 -fno-shrink-wrap -fno-ipa-ra -fno-reorder-blocks-and-partition",),
        "c-large-model": ("gcc -O2 -mcmodel=large -no-pie -fno-pie",),
        "c-tables-at-calls": ("clang -O2 -fno-asynchronous-unwind-tables -Xclang -funwind-tables=1",),
        "c-sections": ("gcc -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections",),
        "c-lld-sections": ("clang -O2 -ffunction-sections -fuse-ld=lld -Wl,--gc-sections,--icf=all", "all"),
        "c-gold-sections": ("gcc -O2 -ffunction-sections -fuse-ld=gold -Wl,--gc-sections,--icf=safe", "split"),
        "c-hash-sysv": ("gcc -O2 -Wl,--hash-style=sysv,-z,now", "all"),
        "c-hash-gnu": ("gcc -O2 -Wl,--hash-style=gnu,-z,lazy", "all"),
        "c-no-table": ("gcc -O2 -Wl,--no-eh-frame-hdr",),
        "c-no-table-strip": ("gcc -O2 -Wl,--no-eh-frame-hdr", "all"),
        "c-lld-no-table": ("clang -O2 -fuse-ld=lld -Wl,--no-eh-frame-hdr",),
        "c-lld-rosegment": ("clang -O2 -fuse-ld=lld -Wl,--no-rosegment", "split"),
        "c-lld-relr": ("clang -O2 -fuse-ld=lld -Wl,-z,pack-relative-relocs,-z,separate-code",),
        "c-large-pages": ("gcc -O2 -Wl,-z,max-page-size=2097152,-z,separate-code", "split"),
        "c-moved": ("gcc -O2 -no-pie -fno-pie -Wl,-Ttext-segment=0x10000000", "all"),
        "c-gold-nopie": ("gcc -O1 -no-pie -fno-pie -fuse-ld=gold", "all"),
        "c-static-strip": ("gcc -Os -static", "all"),
        "c-static-lto": ("gcc -O2 -static -flto",),
        "c-static-pie-split": ("gcc -O3 -static-pie", "split"),
        "c-static-gold": ("gcc -O2 -static -fuse-ld=gold",),
    }
    yield from taking_turns(more, "chain.c", C, 2, BASE)


def library_builds():
    """The chain of calls is in a library."""
    table = {
        "so-linked": ("gcc -O2", None, "linked"),
        "so-linked-strip": ("gcc -O2", "all", "linked"),
        "so-opened": ("clang -O2", None, "opened"),
        "so-opened-strip": ("gcc -O2 -Wl,-z,noseparate-code", "all", "opened"),
        "so-opened-lld": ("clang -O1 -fuse-ld=lld", "all", "opened"),
        "so-opened-gold": ("gcc -O0 -fuse-ld=gold", "split", "opened"),
        "so-symbolic": ("gcc -O3 -Wl,-Bsymbolic -fno-plt", "split", "linked"),
    }
    yield from taking_turns(table, "chain.c", C, 3, BASE)


def cxx_builds():
    extra = {
        "cxx-O0": ("g++ -O0",), "cxx-O2": ("g++ -O2",), "cxx-O3-lto": ("g++ -O3 -flto",),
        "cxx-clang": ("clang++ -O2",), "cxx-static": ("g++ -O1 -static",), "cxx-strip": ("g++ -O2", "all"),
    }
    for name, (command, *strip) in extra.items():
        yield Build(name, "chain.cpp", [*command.split(), *BASE], CXX, *strip)
    more = {
        "cxx-O1": ("g++ -O1",),
        "cxx-O3": ("g++ -O3",),
        "cxx-Os": ("g++ -Os",),
        "cxx-Og": ("g++ -Og",),
        "cxx-clang-O0": ("clang++ -O0",),
        "cxx-clang-O3": ("clang++ -O3 -std=c++20",),
        "cxx-clang-Oz": ("clang++ -Oz",),
        "cxx-lld-thin-lto": ("clang++ -O2 -flto=thin -fuse-ld=lld",),
        "cxx-lld-strip": ("clang++ -O2 -fuse-ld=lld", "all"),
        "cxx-gold": ("g++ -O2 -fuse-ld=gold",),
        "cxx-nopie": ("g++ -O2 -no-pie -fno-pie",),
        "cxx-static-pie": ("g++ -O2 -static-pie",),
        "cxx-split": ("g++ -O2 -gz=zlib", "split"),
        "cxx-dwarf4": ("g++ -O2 -gdwarf-4 -fdebug-types-section",),
        "cxx-frame-pointer": ("g++ -O2 -fno-omit-frame-pointer -fcf-protection=full",),
        "cxx-own-runtime": ("g++ -O2 -static-libgcc -static-libstdc++",),
        "cxx-sections": ("g++ -O2 -ffunction-sections -Wl,--gc-sections,--hash-style=sysv", "all"),
    }
    yield from taking_turns(more, "chain.cpp", CXX, 2, BASE)


def rust_builds():
    rust = ["-A", "warnings", "-C", "link-arg=-Wl,--build-id", "-C", "panic=abort"]
    extra = {
        "rust-O0": ("rustc --edition 2021 -g",),
        "rust-O3": ("rustc --edition 2021 -g -C opt-level=3",),
        "rust-lto": ("rustc --edition 2021 -g -C opt-level=2 -C lto=fat", "split"),
    }
    for name, (command, *strip) in extra.items():
        yield Build(name, "chain.rs", [*command.split(), *rust], RUST, *strip)
    more = {
        "rust-O1": ("rustc --edition 2021 -g -C opt-level=1",),
        "rust-O2-strip": ("rustc --edition 2021 -g -C opt-level=2", "all"),
        "rust-Os": ("rustc --edition 2021 -g -C opt-level=s",),
        "rust-Oz": ("rustc --edition 2021 -g -C opt-level=z",),
        "rust-thin-lto": ("rustc --edition 2021 -g -C opt-level=3 -C lto=thin",),
        "rust-lines": ("rustc --edition 2021 -C debuginfo=1 -C opt-level=2",),
        "rust-frame-pointer": ("rustc --edition 2021 -g -C opt-level=3 -C force-frame-pointers=yes",),
        "rust-one-unit": ("rustc --edition 2021 -g -C opt-level=3 -C codegen-units=1", "split"),
        "rust-nopie": ("rustc --edition 2021 -g -C opt-level=2 -C relocation-model=static",),
        "rust-gold": ("rustc --edition 2021 -g -C opt-level=2 -C link-arg=-fuse-ld=gold",),
        "rust-bfd": ("rustc --edition 2021 -g -C opt-level=2 -C link-arg=-fuse-ld=bfd", "all"),
    }
    yield from taking_turns(more, "chain.rs", RUST, 2, rust)


def swift_builds():
    swift = "swiftc -parse-as-library -g -swift-version 5"
    extra = {
        "swift-Onone": (f"{swift} -Onone",),
        "swift-O": (f"{swift} -O",),
        "swift-O-static": (f"{swift} -O -static-stdlib", "split"),
    }
    for name, (command, *strip) in extra.items():
        yield Build(name, "chain.swift", command.split(), SWIFT, *strip)
    more = {
        "swift-Osize": (f"{swift} -Osize",),
        "swift-O-strip": (f"{swift} -O", "all"),
        "swift-O-whole": (f"{swift} -O -wmo -gline-tables-only",),
        "swift-O-lto": (f"{swift} -O -lto=llvm-full -use-ld=lld",),
        "swift-O-lld": (f"{swift} -O -use-ld=lld -Xlinker --gc-sections",),
        "swift-Onone-static": (f"{swift} -Onone -static-stdlib",),
    }
    yield from taking_turns(more, "chain.swift", SWIFT, 2)


def go_builds():
    """Of cgo's linking and Go's own; a build ID that a debugger knows is only there where it is asked for."""
    go, own = ["go", "build"], "-B 0x7ab3c1d5e9f0428196a7b8c9d0e1f2031425364a"
    external = "-ldflags=-linkmode=external -extldflags=-Wl,--build-id"
    yield Build("go", "chain.go", [*go, external], GO)
    yield Build("go-noinline", "chain.go", [*go, external, "-gcflags", "-N -l"], GO)
    yield Build("go-own-link", "chain.go", [*go, f"-ldflags={own}"], GO)
    yield Build("go-own-link-pie", "chain.go", [*go, "-buildmode=pie", f"-ldflags={own}"], GO)
    yield Build("go-plain-dwarf", "chain.go", [*go, f"-ldflags={own} -compressdwarf=false", "-gcflags", "-l"], GO)
    yield Build("go-strip", "chain.go", [*go, f"-ldflags={own}"], GO, "all")
    for name, command, *strip in [("O0", "gccgo -O0"), ("O2", "gccgo -O2"), ("static", "gccgo -O1 -static-libgo", "split")]:
        yield Build(f"go-gcc-{name}", "chain.go", [*command.split(), "-g", "-Wl,--build-id"], GO, *strip)


def builds():
    for part in [c_builds, library_builds, cxx_builds, rust_builds, swift_builds, go_builds]:
        yield from part()
