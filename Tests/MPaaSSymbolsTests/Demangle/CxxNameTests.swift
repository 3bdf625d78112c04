import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("C++ names") struct CxxNameTests {
  static let full = Demangler()

  @Test(
    "read as the C++ library reads them",
    arguments: [
      ("_Z5outeri", "outer(int)"),
      ("_Z1fIJicEEvDpT_", "void f<int, char>(int, char)"),
      ("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const"),
      ("_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo()"),
      ("_ZlsIiEvT_", "void operator<< <int>(int)"),
      ("_ZN1AcvT_IiEEv", "A::operator int<int>()"),
      ("_Z1fIiERA3_T_v", "int (&f<int>()) [3]"),
      ("_ZNK1C1fIiEEPFivEv", "int (*C::f<int>() const)()"),
      ("_Z1fM1AKFivE", "f(int (A::*)() const)"),
      ("_ZZ4mainENKUlT_E_clIiEEDaS_", "auto main::{lambda(auto:1)#1}::operator()<int>(int) const"),
      ("_ZTv0_n24_N1A1fEv", "virtual thunk to A::f()"),
      ("_ZTCN1A1BE0_1C", "construction vtable for C-in-A::B"),
      ("_ZN1A1fEv.part.0.cold", "A::f() [clone .part.0] [clone .cold]"),
      ("_Z3fooILb1ELc97ELj3ELl4EEvv", "void foo<true, (char)97, 3u, 4l>()"),
      ("_ZNSsC1Ev", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()"),
      ("_Z1fSs", "f(std::string)"),
      ("__Z5outeri", "outer(int)"),
    ])
  func names(_ symbol: String, _ name: String) {
    #expect(Self.full.demangle(symbol) == name)
  }

  @Test(
    "lose parameters, results and template arguments in the short form",
    arguments: [
      ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector::push_back"),
      ("_Z1fIJicEEvDpT_", "f"),
      ("_ZN1AIiEC1IcEET_", "A::A"),
      ("_ZZN1A3fooIiEEvT_ENKUlvE_clEv.cold", "A::foo::{lambda()#1}::operator()"),
      ("_ZTV1A", "vtable for A"),
    ])
  func short(_ symbol: String, _ name: String) {
    #expect(Demangler(mode: .simplified).demangle(symbol) == name)
  }

  /// 205 of the 228 entries for `_Z` names are met to the letter.
  ///
  /// `__cxa_demangle` of GCC 12 meets 214. The others are mostly entries where its answer differs from the list too,
  /// or is the worse one, and Java's resources and fixed-point types.
  @Test("agree with libiberty's list", .fixtures)
  func libiberty() throws {
    let text = String(decoding: try Fixture.data("crash/demangle/libiberty-demangle-expected"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
    var index = 0
    var total = 0
    var met = 0
    while index + 2 < lines.count {
      let options = lines[index]
      let isWanted = options.isEmpty || options.contains("=gnu-v3") || options.contains("=auto")
      if isWanted, !options.contains("--ret-"), !options.contains("--is-v3"), lines[index + 1].hasPrefix("_Z") {
        total += 1
        if Self.full.demangle(String(lines[index + 1])) == lines[index + 2] { met += 1 }
      }
      index += options.contains("--no-params") ? 4 : 3
    }
    #expect(total == 228)
    #expect(met >= 205)
  }

  @Test("of the C++ library are what c++filt says", .tool("c++filt"), .tool("nm"))
  func library() throws {
    let path = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let symbols = try Command.run("nm", ["-D", "--defined-only", path]).output.split(separator: "\n")
      .compactMap { $0.split(separator: " ").last?.prefix { $0 != "@" } }
      // c++filt writes std::string and the streams out, the library itself does not.
      .filter { $0.hasPrefix("_Z") && $0.firstMatch(of: /S[siod]/) == nil }
    try #require(symbols.count > 3000)
    let sample = symbols.enumerated().filter { $0.offset % 3 == 0 }.map { String($0.element) }
    let expected = try Command.run("c++filt", input: sample.joined(separator: "\n") + "\n").output.split(
      separator: "\n")
    var wrong: [String] = []
    for (symbol, name) in zip(sample, expected) {
      let found = Self.full.demangle(symbol)
      if found != name { wrong.append("\(symbol)\n  \(found)\n  \(name)") }
    }
    #expect(wrong.count * 1000 < sample.count, "\(wrong.joined(separator: "\n"))")
  }

  @Test("that are long are read, where the C++ library gives up at 1024 bytes")
  func long() {
    let symbol = "_Z1f" + (0..<300).map { "13identifier\(String(100 + $0))" }.joined()
    #expect(Self.full.demangle(symbol).hasPrefix("f(identifier100, identifier101, "))
  }
}

@Suite("Names made to cost time") struct HostileNameTests {
  /// Names that double in each step.
  static func doubling(_ levels: Int) -> (cxx: String, swift: String) {
    func base36(_ number: Int) -> String { String(number, radix: 36, uppercase: true) }
    var cxx = "_Z1f1X1AIS_S_E"
    for level in 0..<levels {
      let last = "S\(base36(level + 1))_"
      cxx += "S0_I\(last)\(last)E"
    }
    var swift = "$s1a1bV"
    for level in 0..<levels {
      let index = level + 2
      let last =
        index < 26 ? "A" + String(UnicodeScalar(UInt8(65 + index))) : "A\(index - 27 < 0 ? "" : String(index - 27))_"
      swift += (level == 0 ? "_" : "") + "ACy\(last)\(last)G"
    }
    return (cxx, swift + "tD")
  }

  @Test("come back as they are, at once")
  func exponential() {
    let start = ProcessorTime()
    let names = Self.doubling(60)
    #expect(Demangler().demangle(names.cxx) == names.cxx)
    #expect(Demangler().demangle(names.swift) == names.swift)
    let nested = "_RINvC1a1bT" + String(repeating: "TB_", count: 50) + "EE"
    #expect(Demangler().demangle(nested) == nested)
    #expect(Demangler().demangle(Self.doubling(3).cxx).hasPrefix("f(X, A<X, X>, "))
    #expect(Demangler().demangle(Self.doubling(3).swift).hasPrefix("(a.b, a.b<a.b, a.b>, "))
    #expect(start.elapsed < .seconds(5))
  }

  @Test(
    "by nesting come back as they are",
    arguments: [
      "_Z1f" + String(repeating: "P", count: 60_000) + "i", "_Z1f" + String(repeating: "F", count: 20_000),
      "_ZN" + String(repeating: "1aI", count: 20_000), "_Z" + String(repeating: "Z", count: 30_000),
      "_R" + String(repeating: "I", count: 30_000), "_RNvC1a1b" + String(repeating: "S", count: 30_000),
      "_Z1fIXad" + String(repeating: "ng", count: 20_000) + "EE", "_Z1f" + String(repeating: "X", count: 100_000),
      "_ZN1AcvT_" + String(repeating: "IT_", count: 5000),
      "_Tt" + String(repeating: "M", count: 15_000), "_Tt" + String(repeating: "FT_", count: 5000),
      "_T" + String(repeating: "PA__T", count: 3000), "_TtG" + String(repeating: "V", count: 15_000),
    ])
  func nesting(_ symbol: String) {
    #expect(Demangler().demangle(symbol) == symbol)
  }

  @Test("by nesting inside arguments come back at once")
  func nestedArguments() {
    var name = "_TF1a1bFT_T_"
    while name.utf8.count < 15_000 { name = "_TTSf0cpfr\(name.utf8.count)\(name)___TF1a1bFT_T_" }
    let start = ProcessorTime()
    #expect(Demangler().demangle(name).hasPrefix("function signature specialization <Arg[0] = [Constant Propagated"))
    // Types that double in each step.
    var doubling = "_TtTC1a1b"
    for level in 0..<60 { doubling += "GS\(level == 0 ? "" : String(level - 1))_S0_S0__" }
    _ = Demangler().demangle(doubling + "_")
    #expect(start.elapsed < .seconds(5))
  }

  @Test("by mutation neither crash nor hang", .fixtures)
  func mutated() throws {
    let lists = ["swift-manglings.txt", "libiberty-demangle-expected"]
    var seeds = try lists.flatMap { list in
      let lines = String(decoding: try Fixture.data("crash/demangle/" + list), as: UTF8.self).split(separator: "\n")
      let names = lines.map { line in String(line.prefix { $0 != " " }) }
      return names.filter { Demangler.language(of: $0) != nil }.map { Array($0.utf8) }
    }
    seeds += ["_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std"].map {
      Array($0.utf8)
    }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.".utf8)
    var random = SeededRandom(seed: 5)
    let modes = [Demangler(), Demangler(mode: .simplified)]
    for round in 0..<max(DWARFFuzzTests.rounds * 10, 2000) {
      guard var name = seeds.randomElement(using: &random) else { continue }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 2..<max(name.count, 3), using: &random)
        guard place < name.count else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: name.remove(at: place)
        case 1: name.insert(letters.randomElement(using: &random) ?? 65, at: place)
        case 2: name.replaceSubrange(place..<place, with: name[place..<min(name.count, place + 12)])
        default: name[place] = letters.randomElement(using: &random) ?? 65
        }
      }
      let symbol = String(decoding: name, as: UTF8.self)
      let start = ProcessorTime()
      _ = modes[round % 2].demangle(symbol)
      #expect(start.elapsed < .seconds(3), "\(symbol)")
    }
  }
}
