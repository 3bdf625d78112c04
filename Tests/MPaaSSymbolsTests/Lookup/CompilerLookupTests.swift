import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// A small program, compiled by clang for many machines and in many dialects of DWARF, and looked up byte by byte.
@Suite("Looking up what compilers write today", .tool("clang"), .tool("ld.lld"), .tool("llvm-symbolizer"))
struct CompilerLookupTests {
  static let dialects = ["-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"]
  /// Both byte orders, 4 and 8 bytes, instructions of one length and of many.
  static let targets = [
    "x86_64-linux-gnu", "i386-linux-gnu", "mips-linux-gnu", "mips64-linux-gnuabi64", "powerpc64-linux-gnu",
    "aarch64_be-linux-gnu", "s390x-linux-gnu",
  ]
  static let forms = [
    "-gdwarf-4 -gdwarf64", "-gdwarf-5 -gdwarf64", "-gdwarf-4 -gsplit-dwarf", "-gdwarf-5 -gsplit-dwarf",
    "-gdwarf-5 -gsplit-dwarf -gdwarf64", "-gdwarf-5 -gsplit-dwarf -fsplit-dwarf-inlining", "-gline-tables-only",
    "-gdwarf-5 -fdebug-types-section", "-gdwarf-4 -gdwarf-aranges", "-gdwarf-5 -gz=zlib",
    "-gdwarf-5 -gsplit-dwarf -fdebug-types-section",
  ]

  @Test("every machine and version agrees with llvm-symbolizer", arguments: targets, dialects)
  func version(_ target: String, _ dialect: String) throws {
    try compare(target, [dialect])
  }

  @Test("every form agrees with llvm-symbolizer", arguments: ["x86_64-linux-gnu", "mips64-linux-gnuabi64"], forms)
  func form(_ target: String, _ flags: String) throws {
    try compare(target, flags.split(separator: " ").map(String.init))
  }

  @Test("package files answer as the split files do", .tool("llvm-dwp"), arguments: ["-gdwarf-4", "-gdwarf-5"])
  func packageFile(_ dialect: String) throws {
    let folder = try TemporaryFolder()
    let program = try compile("x86_64-linux-gnu", [dialect, "-gsplit-dwarf"], in: folder)
    let dwos = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".dwo") }
    try #require(dwos.count == 2)
    let joined = program + ".dwp"
    let outcome = try Command.run("llvm-dwp", dwos + ["-o", joined], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let split = try openLookup(program)
    let addresses = try text(of: program)
    let expected = addresses.map { split.frames(at: $0) }
    for dwo in dwos { try FileManager.default.removeItem(at: folder.url.appending(path: dwo)) }
    let package = try openLookup(program, package: joined)
    #expect(addresses.map { package.frames(at: $0) } == expected)
    #expect(expected.contains { $0.count > 2 })
    // Without either there are lines and the symbols' names, but no inlined calls.
    let bare = try openLookup(program)
    #expect(addresses.allSatisfy { bare.frames(at: $0).count <= 1 })
    #expect(addresses.contains { bare.frames(at: $0).first?.line != nil })
  }

  private func compare(_ target: String, _ flags: [String]) throws {
    let folder = try TemporaryFolder()
    let program = try compile(target, flags, in: folder)
    let lookup = try openLookup(program)
    let addresses = try text(of: program)
    let peers = try Peer.frames(program, addresses, in: folder)
    try #require(peers.count == addresses.count)
    var judged = 0
    for (address, expected) in zip(addresses, peers) {
      let frames = lookup.frames(at: address)
      // Code that only a table of symbols or of unwinding knows: llvm tells no offset, and nothing without a name.
      if frames.count == 1, frames[0].offset != nil { continue }
      if frames.isEmpty {
        // Padding between functions.
        #expect(expected.allSatisfy { $0.function.isEmpty && $0.line == 0 }, "at \(String(address, radix: 16))")
        continue
      }
      #expect(frames.map(\.row) == expected, "at \(String(address, radix: 16))")
      judged += 1
    }
    #expect(judged > addresses.count / 2)
  }

  private func text(of program: String) throws -> [UInt64] {
    let image = try ELFImage(Bytes.mapping(program))
    return image.executableRanges.flatMap { Array(stride(from: $0.lowerBound, to: $0.upperBound, by: 2)) }
  }

  private func compile(_ target: String, _ flags: [String], in folder: TemporaryFolder) throws -> String {
    try Data(Self.header.utf8).write(to: folder.url.appending(path: "add.h"))
    for (name, source) in [("first", Self.first), ("second", Self.second)] {
      try Data(source.utf8).write(to: folder.url.appending(path: name + ".c"))
      let outcome = try Command.run(
        "clang",
        ["-target", target, "-O2", "-nostdinc", "-ffunction-sections", "-fno-stack-protector"] + flags
          + ["-c", name + ".c", "-o", name + ".o"], directory: folder.url)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let program = folder.path + "/program"
    let outcome = try Command.run(
      "ld.lld", ["--gc-sections", "-e", "main", "-o", program, "first.o", "second.o"], directory: folder.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return program
  }

  private static let header = """
    static inline __attribute__((always_inline)) int add(int a, int b) { volatile int t = a; return t + b; }

    """
  private static let first = """
    #include "add.h"
    extern int other(int);
    static inline __attribute__((always_inline)) int twice(int x) { return add(x, x) * 3 + x / 7; }
    __attribute__((noinline)) int dropped(int x) { return twice(x) ^ 0x55; }
    __attribute__((noinline)) int used(volatile int *p, int n) {
      int s = 0;
      for (int i = 0; i < n; i++) { s += twice(*p + i); if (s > 100) { s -= add(s, i); } }
      return s;
    }
    int main(void) { volatile int v = 4; return used(&v, 9) + other(v); }

    """
  private static let second = """
    #include "add.h"
    __attribute__((noinline)) int droppedToo(int x) { return add(x, 99); }
    __attribute__((noinline)) int other(int x) {
      int r = add(x, 5); for (int i = 0; i < x; i++) r ^= add(i, r); return r; }

    """
}

/// The answers of llvm-symbolizer.
enum Peer {
  private struct Row: Decodable {
    struct Symbol: Decodable {
      let FunctionName: String
      let FileName: String
      let Line: Int
      let Column: Int
    }

    let Symbol: [Symbol]
  }

  static func frames(_ program: String, _ addresses: [UInt64], in folder: TemporaryFolder) throws
    -> [[ExpectedRow.Frame]]
  {
    let outcome = try Command.run(
      "llvm-symbolizer", ["--obj=\(program)", "--no-demangle", "--output-style=JSON", "--inlines"],
      input: addresses.map { "0x\(String($0, radix: 16))\n" }.joined(), directory: folder.url)
    return try outcome.output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Row.self, from: Data(line.utf8)).Symbol.map {
        ExpectedRow.Frame(
          function: $0.FunctionName == "??" ? "" : $0.FunctionName, file: $0.FileName == "??" ? "" : $0.FileName,
          line: $0.Line, column: $0.Column)
      }
    }
  }
}
