import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The demangler") struct DemanglerTests {
  static let full = Demangler()
  static let short = Demangler(mode: .simplified)

  @Test(
    "reads Rust names of both schemes",
    arguments: [
      ("_RNvC6_123foo3bar", "123foo::bar"),
      ("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"),
      ("_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "utf8_idents::საჭმელად_გემრიელი_სადილი"),
      (
        "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"
      ),
      (
        "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
        "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>"
      ),
      ("_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>"),
      ("_RMCs4fqI2P2rA04_13const_genericINtB0_8UnsignedKhb_E", "<const_generic::Unsigned<11>>"),
      ("_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKs98_E", "<const_generic::Signed<152>>"),
      ("_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKanb_E", "<const_generic::Signed<-11>>"),
      ("_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb1_E", "<const_generic::Bool<true>>"),
      ("_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E", "<const_generic::Char<'v'>>"),
      ("_RNvC9backtrace3foo.llvm.A5310EB9", "backtrace::foo [clone .llvm.A5310EB9]"),
      ("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt::h0123456789abcdef"),
      (
        "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h0123456789abcdefE",
        "<Test + 'static as foo::Bar<Test>>::bar::h0123456789abcdef"
      ),
    ])
  func rust(_ symbol: String, _ name: String) {
    #expect(Self.full.demangle(symbol) == name)
  }

  @Test("leaves the hash of a Rust name out in the short form")
  func rustShort() {
    #expect(Self.short.demangle("_ZN3std2rt10lang_start17h0123456789abcdefE") == "std::rt::lang_start")
    #expect(Self.short.demangle("_ZN3std2rt10lang_start17h0123456789abcdefE.llvm.99") == "std::rt::lang_start")
  }

  @Test(
    "gives a name back that no rule made",
    arguments: ["main", "", "_", "_Z", "_R", "_ZN", "$s", "printf@plt", "_Start", "_Read"])
  func plain(_ symbol: String) {
    #expect(Self.full.demangle(symbol) == symbol)
    #expect(Self.short.demangle(symbol) == symbol)
  }

  @Test(
    "gives a Swift name back that breaks off where the runtime would take all memory",
    arguments: ["$SSSTf4p", "$s4main3fooyyFTf4p", "$s4main3fooyyFTfq4p", "$sTf4p", "$s4main3fooyyFTf4p.cold"])
  func brokenOff(_ symbol: String) {
    #expect(Self.full.demangle(symbol) == symbol)
    #expect(Self.short.demangle(symbol) == symbol)
  }

  @Test("gives every name back where no demangling is wanted")
  func none() {
    #expect(Demangler(mode: .none).demangle("_Z1fv") == "_Z1fv")
  }

  @Test("agrees with the compiler's own list of Swift names", .fixtures)
  func swiftManglings() throws {
    let lines = String(decoding: try Fixture.data("crash/demangle/swift-manglings.txt"), as: UTF8.self)
      .split(separator: "\n")
    // The names that the runtime of Swift 6.3 tells otherwise than the list, which is of another version of the
    // compiler.
    let differing = ["$S2t21QP22ProtocolTypeAliasThingayAA4BlahV5SomeQa_GSgD", "$SSSTf4pd44444_pf"]
    var wrong: [String] = []
    var total = 0
    for line in lines {
      guard let arrow = line.range(of: " ---> ") else { continue }
      let symbol = line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)
      // Macro expansions are refused: the runtime crashes on damaged ones.
      guard Demangler.language(of: symbol) == .swift, !symbol.contains("fM"), !differing.contains(symbol) else {
        continue
      }
      total += 1
      var expected = String(line[arrow.upperBound...])
      // The compiler's test notes in braces what its own classification says.
      if expected.hasPrefix("{"), let note = expected.range(of: "} ") {
        expected = String(expected[note.upperBound...])
      }
      // We write the linker's suffixes as C++ tools do.
      if let suffix = expected.range(of: " with unmangled suffix \"") {
        expected = expected[..<suffix.lowerBound] + " [clone " + expected[suffix.upperBound...].dropLast() + "]"
      }
      let found = Self.full.demangle(symbol)
      if found != expected { wrong.append("\(symbol)\n  \(found)\n  \(expected)") }
    }
    #expect(total > 450)
    #expect(wrong.isEmpty, "\(wrong.count) of \(total):\n\(wrong.joined(separator: "\n"))")
  }

  @Test(
    "shortens Swift names as a crash's reader wants them",
    arguments: [
      ("$s4main3fooyySi_SStF", "foo(_:_:)"),
      ("_TFC3app4View3tapfT5timesSi_T_", "View.tap(times:)"),
      ("$s9OrderBook0B0V5match5orderSiAA0A0V_tF", "Book.match(order:)"),
      ("$s4main1SV1xSivg", "S.x.getter"),
      ("$s4main3fooyyFyycfU_", "closure #1 in foo()"),
      ("$s4main3fooyySayxGlFSi_Tg5", "specialized foo<A>(_:)"),
    ])
  func swiftShort(_ symbol: String, _ name: String) {
    #expect(Self.short.demangle(symbol) == name)
  }
}
