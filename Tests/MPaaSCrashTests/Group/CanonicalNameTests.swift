import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Canonical names of functions") struct CanonicalNameTests {
  @Test(
    "what differs between builds, compilers and tools goes",
    arguments: [
      // Swift, as Apple's reports, the simplified and the full demangling have it.
      ("Ladder.level(at:)", "Ladder.level"),
      ("closure #1 in Ladder.level(at:)", "Ladder.level"),
      ("closure #12 in closure #1 in Ladder.level(at:)", "Ladder.level"),
      ("specialized Array.subscript.getter", "Array.subscript.getter"),
      ("generic specialization <Swift.Int> of Shop.Box.open(_: A) -> A", "Shop.Box.open"),
      ("static Shop.Cart.add(Swift.Int, to: Swift.String) throws -> Swift.Bool", "Shop.Cart.add"),
      ("partial apply for closure #1 in Cart.sum()", "Cart.sum"),
      ("partial apply forwarder for closure #1 in Cart.sum()", "Cart.sum"),
      ("@objc ViewController.tap(_:)", "ViewController.tap"),
      ("(1) await resume partial function for Feed.load()", "Feed.load"),
      ("(2) suspend resume partial function for closure #1 in Feed.load()", "Feed.load"),
      ("Shop.(hidden in _6F5902AC237024BDD0C176CB93063DC4)(count: Swift.Int) -> ()", "Shop.hidden"),
      ("inner #1 (_:) in outer(_:)", "inner in outer"),
      ("protocol witness for Shape.area() in conformance Circle", "Circle.area"),
      (
        "protocol witness for Shop.Shape.area() -> Swift.Int in conformance Shop.Circle : Shop.Shape in Shop",
        "Shop.Circle.area"
      ),
      ("merged Cart.total.getter", "Cart.total.getter"),
      // Objective-C
      ("-[CRLCrashAbort crash]", "-[CRLCrashAbort crash]"),
      ("-[NSString(Shop) price:]", "-[NSString price:]"),
      ("__29-[Detail doCrash:with:more:]_block_invoke", "-[Detail doCrash:with:more:]"),
      ("__29-[Detail doCrash:with:more:]_block_invoke_2", "-[Detail doCrash:with:more:]"),
      ("__31+[Detail shared]_block_invoke.17", "+[Detail shared]"),
      ("__31+[Detail shared]_block_invoke.17.cold.1", "+[Detail shared]"),
      ("__load_block_invoke_3", "load"),
      // C++
      ("app::run(int, char**)", "app::run"),
      ("void app::Box<int>::open<std::string>(std::string const&) const", "app::Box::open"),
      ("(anonymous namespace)::helper(int)", "helper"),
      ("app::(anonymous namespace)::helper(int) [clone .part.0]", "app::helper"),
      ("app::run(int)::{lambda(int)#2}::operator()(int) const", "app::run"),
      ("app::run(int)::$_0::operator()(int) const", "app::run"),
      ("app::run(int)::'lambda'(int)::operator()(int) const", "app::run"),
      ("app::operator<<(std::ostream&, app::Box const&)", "app::operator<<"),
      ("bool app::operator< <int>(app::Box<int> const&, app::Box<int> const&)", "app::operator<"),
      ("app::Box::operator()(int) const", "app::Box::operator()"),
      ("app::Box::operator->() const", "app::Box::operator->"),
      ("app::Box::operator bool() const", "app::Box::operator bool"),
      ("app::f(void (*)(int)) (.cold)", "app::f"),
      ("app::f() (.llvm.1234567890)", "app::f"),
      ("non-virtual thunk to app::Box::close()", "app::Box::close"),
      ("std::__1::vector<int, std::__1::allocator<int>>::at(unsigned long)", "std::vector::at"),
      ("std::__cxx11::basic_string<char>::append[abi:cxx11](char const*)", "std::basic_string::append"),
      // C
      ("parse.constprop.0", "parse"), ("parse.part.3.isra.0", "parse"), ("parse.cold", "parse"),
      ("parse.llvm.81772", "parse"), ("parse.cold.1", "parse"), ("memcpy@@GLIBC_2.14", "memcpy"),
      // Rust
      ("shop::cart::add::h0123456789abcdef", "shop::cart::add"),
      ("shop::cart::add::{{closure}}::hfedcba9876543210", "shop::cart::add"),
      ("shop::cart::add::{closure#0}", "shop::cart::add"),
      ("<shop::Cart as core::ops::Drop>::drop", "shop::Cart::drop"),
      ("<shop::Cart<T> as core::ops::Drop>::drop::h0123456789abcdef", "shop::Cart::drop"),
      // Java-like
      ("com.shop.Cart.add(Cart.java:12)", "com.shop.Cart.add"),
      ("com.shop.Cart.lambda$add$0(Cart.java:12)", "com.shop.Cart.add"),
      ("com.shop.Cart$1.run", "com.shop.Cart.run"),
      ("com.shop.Cart$$Lambda$14.run", "com.shop.Cart.run"),
    ])
  func canonical(name: String, expected: String) {
    #expect(CanonicalName.of(name) == expected)
  }

  @Test("a mangled name is as good as a demangled one")
  func mangled() {
    var call = CrashReport.Call(function: "_ZN3app3BoxIiE4openEv")
    #expect(CanonicalName.of(call, module: "app") == "app::Box::open")
    call = CrashReport.Call(function: "$s4Shop4CartV3addyySiF")
    #expect(CanonicalName.of(call, module: "Shop") == "Cart.add")
    call = CrashReport.Call(function: "Shop.Cart.add(Swift.Int) -> ()")
    call.symbol = "$s4Shop4CartV3addyySiF"
    #expect(CanonicalName.of(call, module: "Shop") == "Cart.add")
    call = CrashReport.Call(function: "Shop.Cart.add(Swift.Int) -> ()")
    #expect(CanonicalName.of(call, module: "Shop") == "Cart.add")
  }

  @Test(
    "what tools write where they know no name is none",
    arguments: [
      "", "???", "<redacted>", "<deduplicated_symbol>", "0x100004000", "___lldb_unnamed_symbol12", "_mh_execute_header",
    ])
  func nameless(name: String) {
    #expect(CanonicalName.of(CrashReport.Call(function: name), module: "Shop") == nil)
  }

  @Test("a canonical name is canonical, and nothing made up hangs or grows")
  func fuzz() {
    var random = SeededRandom(seed: 71)
    let parts = [
      "app", "::", "<", ">", "(", ")", "[", "]", "{", "}", "operator", "<<", "->", " ", ".", "$", "_block_invoke", "_2",
      "-[", "+[", "__29", " in ", "#1", "closure ", "specialized ", " as ", "'", "lambda", ".cold", ".llvm.12", "::h",
      "0123456789abcdef", "é", "$s4Shop", "_ZN3app", "@@", " [clone ", " (.", "\u{0}",
    ]
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let name = (0..<Int.random(in: 0...14, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
        .joined()
      let once = CanonicalName.of(name)
      #expect(once.utf8.count <= name.utf8.count + 16, "\(name)")
      _ = CanonicalName.of(CrashReport.Call(function: name), module: "app")
    }
    let deep = String(repeating: "<", count: 12_000) + "x"
    #expect(CanonicalName.of(deep).utf8.count < 20_000)
  }
}
