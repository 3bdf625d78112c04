import MPaaSCrashReport
import MPaaSSupport
import Testing

@testable import MPaaSCrash

/// A stack of the program's own file alone, as a static program has it, each call with a file or none.
private func fingerprint(_ calls: [(name: String, file: String?)], process: String = "shop") -> Fingerprint {
  var report = SampleReport.orderBook
  report.process.name = process
  report.process.path = "/opt/" + process
  report.images[0].path = report.process.path
  report.exception?.signal = "SIGABRT"
  report.threads[1].frames = calls.enumerated().map { index, call in
    SampleReport.frame(UInt64(index), image: 0, SampleReport.call(call.name, call.file))
  }
  var classifier = FrameClassifier()
  return Fingerprint(report, &classifier)
}

private func blamed(_ names: String...) -> String? {
  fingerprint(names.map { ($0, nil) }).blamed?.name
}

@Suite("Calls that crashes are put down to") struct BlamedCallTests {
  @Test("what aborts, panics and raises is never blamed, though it lies in the program's own file")
  func failures() {
    let stacks = [
      [
        "__pthread_kill_implementation.constprop.0", "gsignal", "abort", "__libc_message", "malloc_printerr",
        "_int_free",
      ],
      ["raise", "abort", "__assert_fail_base.cold", "__assert_fail"], ["abort", "__fortify_fail", "__stack_chk_fail"],
      [
        "std::sys::pal::unix::abort_internal", "std::process::abort", "__rustc::__rust_abort", "__rustc::rust_panic",
        "std::panicking::panic_handler::{closure#0}", "__rustc::rust_begin_unwind", "core::panicking::panic_fmt",
        "<usize as core::slice::index::SliceIndex<[u32]>>::index",
      ],
      ["runtime.raise.abi0", "runtime.fatalpanic", "runtime.gopanic", "runtime.goPanicIndex"],
      [
        "abort", "__gnu_cxx::__verbose_terminate_handler() [clone .cold]", "__cxxabiv1::__terminate(void (*)())",
        "std::terminate()", "__cxa_throw", "std::__throw_out_of_range(char const*)",
      ],
      ["__sanitizer::Die()", "__ubsan_handle_type_mismatch_v1_abort"], ["_assertionFailure(_:_:file:line:flags:)"],
      ["swift::swift_dynamicCastFailure(void const*, char const*)", "swift_dynamicCast", "swift_task_switch"],
    ]
    for stack in stacks {
      let names = stack + ["Cart.add", "main"]
      #expect(fingerprint(names.map { ($0, nil) }).blamed?.name == "Cart.add", "\(stack)")
    }
  }

  @Test(
    "handlers of the program that a panic or an abort calls, and frames without names below it, come after the fault")
  func handlers() {
    #expect(blamed("report_crash", "std::terminate()", "__cxa_throw", "Cart::add(int)", "main") == "Cart::add")
    #expect(blamed("main.recovered", "runtime.gopanic", "runtime.goPanicIndex", "main.(*Cart).Add") == "main.Cart.Add")
    // A signal's handler that crashes is the fault itself.
    #expect(blamed("on_alarm", "__restore_rt", "poll_once", "main") == "on_alarm")
  }

  @Test("library code that compilers put into programs is not the program's: C++, Rust, Go and Swift")
  func plumbing() {
    let names = [
      "std::vector<Level, std::allocator<Level> >::at(unsigned long) const",
      "void std::__invoke_impl<void, Replay&>(std::__invoke_other, Replay&)", "core::ptr::drop_in_place<depot::Shelf>",
      "<alloc::vec::Vec<depot::Shelf> as core::ops::index::Index<usize>>::index",
      "alloc::vec::Vec<T,A>::remove::h0123456789abcdef",
      "sort.insertionSort_func", "encoding/json.(*Decoder).Decode", "runtime.mapassign_faststr",
      "msort_with_tmp.part.0",
      "__memcpy_avx512_unaligned_erms", "__vfprintf_internal", "operator()", "swift_job_run", "_dispatch_worker_thread",
      "completeTaskWithClosure(swift::AsyncContext*, swift::SwiftError*)",
      "generic specialization <Swift.Int> of Swift.Array.subscript.getter : (Swift.Int) -> A",
    ]
    for name in names { #expect(blamed(name, "Cart.add", "main") == "Cart.add", "\(name)") }
    let inlined = fingerprint([
      ("for_each<int*, main()::<lambda(int)> >", "/usr/include/c++/12/bits/stl_algo.h"), ("add", nil),
    ])
    #expect(inlined.blamed?.name == "add")
    for name in [
      "<depot::Shelf as core::ops::index::Index<usize>>::index", "<u32 as depot::Rule>::check", "sorted.Cart.add",
    ] {
      #expect(blamed(name, "other") == CanonicalName.of(name), "\(name)")
    }
    // A program may have functions of the C library's names, in files of its own.
    #expect(fingerprint([("perror", "/src/log.c"), ("Cart.add", nil)]).blamed?.name == "perror")
  }

  @Test("a closure that was inlined into library code is known by that code's name")
  func closures() {
    let handler =
      "std::_Function_handler<int (int), Feed::prepare()::{lambda(int)#1}>::_M_invoke(std::_Any_data const&)"
    #expect(blamed(handler, "Feed::apply(int)", "main") == "Feed::prepare")
    #expect(blamed("Feed::prepare()::{lambda(int)#1}::operator()(int) const", handler, "main") == "Feed::prepare")
    #expect(
      blamed("<core::iter::Map<I, <depot::Shelf>::scale::{closure#0}> as Iterator>::fold", "main")
        == "depot::Shelf::scale")
    #expect(CarriedClosure.owner(of: "std::vector<int>::at(unsigned long)") == nil)
    #expect(
      CarriedClosure.owner(of: "f::__rust_end_short_backtrace::<std::panicking::panic_handler::{closure#0}, !>") == nil)
  }

  @Test("Go's methods keep their types, and closures and wrappers have the name of their function")
  func goNames() {
    for name in [
      "main.(*Cart).Add", "main.(*Cart).Add.func1", "main.(*Cart).Add.func2.1", "main.(*Cart).Add-fm",
      "main.(*Cart[...]).Add",
    ] {
      #expect(CanonicalName.of(name) == "main.Cart.Add", "\(name)")
    }
    #expect(CanonicalName.of("main.main.func1") == "main.main")
    #expect(CanonicalName.of("runtime.raise.abi0") == "runtime.raise")
    #expect(CanonicalName.of("example.org/shop/cart.Cart.Add") == "example.org/shop/cart.Cart.Add")
  }

  @Test("the ways to a function meet: at once, from tasks, threads and other callers")
  func ways() {
    let direct = fingerprint([("settle(_:)", nil), ("enter", nil), ("main", nil)]).group
    let ways: [[String]] = [
      [
        "settle(_:)", "(1) suspend resume partial function for enterAsync(_:)",
        "(2) await resume partial function for static Kiosk.main()", "async_MainTQ0_",
      ],
      ["settle(_:)", "worker", "start_thread", "clone3"], ["settle(_:) [clone .part.0] [clone .isra.3]", "main"],
      ["settle(_:).llvm.1234567", "closure #1 in Kiosk.main()"], ["(1) suspend resume partial function for settle(_:)"],
    ]
    for way in ways { #expect(fingerprint(way.map { ($0, nil) }).group == direct, "\(way)") }
  }

  @Test("the program's own name is not compared, whatever the strategy")
  func programName() {
    let stacks: [[String]] = [["Cart.add"], ["main"], ["???", "???"], ["abort"], []]
    for stack in stacks {
      let calls = stack.map { (name: $0, file: String?.none) }
      #expect(fingerprint(calls).group == fingerprint(calls, process: "shop-2.1").group, "\(stack)")
    }
  }

  @Test("calls without names repeat only where they have the same address")
  func nameless() {
    func group(_ addresses: [UInt64]) -> GroupID {
      var report = SampleReport.orderBook
      report.threads[1].frames = addresses.map { SampleReport.frame($0, image: 0) }
      var classifier = FrameClassifier()
      return Fingerprint(report, &classifier).group
    }
    #expect(group([1, 2, 3]) != group([1, 2]))
    #expect(group([1, 2, 1, 2, 1, 2]) == group([1, 2]))
    #expect(group([10, 20]) == group([30, 40]))
  }

  @Test("a failed check is one kind, by abort or by trap, and what sanitizers and Go tell is the kind of the fault")
  func kinds() {
    func group(_ signal: String, _ names: String...) -> GroupID {
      var report = SampleReport.orderBook
      report.exception?.signal = signal
      report.threads[1].frames = names.map { SampleReport.frame(7, image: 0, SampleReport.call($0)) }
      var classifier = FrameClassifier()
      return Fingerprint(report, &classifier).group
    }
    #expect(group("SIGABRT", "abort", "Cart.add") == group("SIGILL", "Cart.add"))
    #expect(group("SIGABRT", "abort", "Cart.add") != group("SIGSEGV", "Cart.add"))
    #expect(
      group("SIGABRT", "abort", "__ubsan_handle_type_mismatch_v1_abort", "Cart.add") == group("SIGSEGV", "Cart.add"))
    #expect(group("SIGABRT", "runtime.gopanic", "runtime.panicdivide", "Cart.add") == group("SIGFPE", "Cart.add"))
  }

  @Test("names of groups of the former version are read and written as they are")
  func versions() {
    #expect(GroupID("1:0123456789abcdef")?.description == "1:0123456789abcdef")
    #expect(GroupID("2:0123456789abcdef") != GroupID("1:0123456789abcdef"))
    #expect(GroupID("3:0123456789abcdef") == nil)
    #expect(GroupID("0:0123456789abcdef") == nil)
  }

  @Test("a tally knows the reports of each group, however its parts were put together")
  func members() {
    var one = GroupTally()
    var two = GroupTally()
    let print = fingerprint([("Cart.add", nil)])
    one.add(print, SampleReport.orderBook, name: "a.ips")
    two.add(print, SampleReport.orderBook, name: "b.ips")
    one.merge(two)
    #expect(one.groups[print.group]?.members.sorted() == ["a.ips", "b.ips"])
  }
}
