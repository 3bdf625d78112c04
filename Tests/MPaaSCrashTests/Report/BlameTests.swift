import MPaaSCrash
import MPaaSCrashReport
import Testing

private func blamed(_ change: (inout CrashReport) -> Void) -> String? {
  var report = SampleReport.orderBook
  change(&report)
  return report.blame?.call?.function
}

@Suite("The call to blame") struct BlameTests {
  @Test("is the innermost of the program's own, past runtime calls inlined into it")
  func inlinedRuntime() {
    let report = SampleReport.orderBook
    #expect(report.blame?.frame == 1)
    #expect(report.blame?.callIndex == 1)
    #expect(report.blamedFrame == 1)
    #expect(blamed { _ in } == "Ladder.level(at:)")
  }

  @Test(
    "is never of a runtime linked into the program",
    arguments: [
      "abort", "__GI_raise", "std::vector<int>::at(unsigned long)", "__cxa_throw", "swift_unexpectedError",
      "__memcpy_avx_unaligned", "memcpy@@GLIBC_2.14", "malloc_printerr", "Swift runtime failure: arithmetic overflow",
      "Swift._assertionFailure(_: Swift.StaticString) -> Swift.Never", "specialized Swift.Array.subscript.getter",
      "generic specialization <Swift.Int> of Swift.Array.append(A) -> ()", "operator new(unsigned long)",
      "closure #1 (A) in Swift.Array.sort()", "__stack_chk_fail", "core::panicking::panic_fmt",
      "_assertionFailure(_:_:file:line:flags:)",
    ])
  func runtimeNames(name: String) {
    #expect(
      blamed { $0.threads[1].frames.insert(SampleReport.frame(7, image: 0, .init(function: name)), at: 0) }
        == "Ladder.level(at:)")
  }

  @Test(
    "may have a name that only begins like a runtime's",
    arguments: ["abortOrder(_:)", "strategy", "memberCount", "Swiftly.run()", "stdlike::run()", "mallocStatistics()"])
  func ownNames(name: String) {
    #expect(
      blamed { $0.threads[1].frames.insert(SampleReport.frame(7, image: 0, .init(function: name)), at: 0) } == name)
  }

  @Test(
    "is told by the module in a Swift symbol",
    arguments: [
      ("$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF", true),
      ("$sSayxSiciTg5", true), ("$sSa6appendyyxnF", true), ("$sSa9OrderBookE5totalSiyF", false),
      ("$s9OrderBook6LadderV5levelyS2iF", false), ("$s10Foundation4DataV5countSivg", true),
      ("$sScTss5NeverORs_rlE5valuexvg", true),
    ])
  func symbols(symbol: String, isRuntime: Bool) {
    let found = blamed {
      var frame = SampleReport.frame(7, image: 0, .init(function: "x"))
      frame.calls[0].symbol = symbol
      $0.threads[1].frames.insert(frame, at: 0)
    }
    #expect((found != "x") == isRuntime)
  }

  @Test("is the first that is no messenger where the program has no frame, and the first of all at last")
  func noOwnFrames() {
    let system = SampleReport.frame(1, image: 1, .init(function: "abort"))
    let library = SampleReport.frame(2, image: 1, .init(function: "deflate"))
    #expect(blamed { $0.threads[1].frames = [system, library] } == "deflate")
    #expect(blamed { $0.threads[1].frames = [system] } == "abort")
    #expect(blamed { $0.threads[1].frames = [] } == nil)
    #expect(blamed { $0.faultingThread = nil } == nil)
    #expect(blamed { $0.faultingThread = 99 } == nil)
  }

  @Test("is a frame of the program even before it is symbolicated")
  func unsymbolicated() {
    var report = SampleReport.orderBook
    for index in report.threads[1].frames.indices { report.threads[1].frames[index].calls = [] }
    #expect(report.blame == CrashReport.Blame(stack: 1, frame: 1, callIndex: nil, call: nil))
  }
}
