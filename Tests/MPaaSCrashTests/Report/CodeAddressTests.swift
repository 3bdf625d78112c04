import MPaaSCrash
import MPaaSCrashReport
import MPaaSSymbols
import Testing

@Suite("The address at which a frame is looked up") struct CodeAddressTests {
  @Test(
    "is that of the call before a return address, as long as the processor's shortest call",
    arguments: [
      ("x86_64", 0x1005, 0x1004), ("arm64", 0x1008, 0x1004), ("arm64e", 0x1008, 0x1004), ("armv7", 0x1007, 0x1004),
      ("armv7s", 0x1008, 0x1004), ("mips", 0x1010, 0x1008), ("i386", 0x1005, 0x1004),
    ] as [(String, UInt64, UInt64)])
  func returned(_ architecture: String, _ address: UInt64, _ expected: UInt64) {
    #expect(CodeAddress.lookup(address, isReturn: true, architecture: architecture) == expected)
  }

  @Test("is a program counter as it is, without Thumb's mark")
  func exact() {
    #expect(CodeAddress.lookup(0x1007, isReturn: false, architecture: "armv7") == 0x1006)
    #expect(CodeAddress.lookup(0x1007, isReturn: false, architecture: "x86_64") == 0x1007)
  }

  @Test("does not fall below zero", arguments: ["x86_64", "arm64", "armv7", "mips"])
  func lowest(_ architecture: String) {
    #expect(CodeAddress.lookup(0, isReturn: true, architecture: architecture) == 0)
    #expect(CodeAddress.lookup(1, isReturn: true, architecture: architecture) <= 1)
  }

  private func report(_ architecture: String, _ frames: [(UInt64, CrashReport.Frame.Kind)]) -> CrashReport {
    var report = CrashReport()
    report.images = [
      CrashReport.Image(
        base: 0x1_0000_0000, size: 0x1_0000, buildID: "", path: "/app", architecture: architecture,
        slide: 0x1_0000_0000)
    ]
    var thread = CrashReport.Thread(id: 1)
    thread.frames = frames.map { address, kind in
      var frame = CrashReport.Frame(address: address, kind: kind)
      frame.image = 0
      return frame
    }
    report.threads = [thread]
    return report
  }

  @Test("moves neither the innermost frame, nor a trampoline, nor what a signal interrupted, nor an async caller")
  func unmoved() {
    let report = report(
      "x86_64",
      [
        (0x1_0000_0010, .physical), (0x1_0000_0020, .physical), (0x1_0000_0030, .physical),
        (0x1_0000_0040, .interrupted), (0x1_0000_0050, .physical), (0x1_0000_0060, .asynchronous),
      ])
    let found = report.threads[0].frames.indices.map { report.lookupAddress(ofFrame: $0, inStack: 0) & 0xff }
    #expect(found == [0x10, 0x1f, 0x30, 0x40, 0x4f, 0x60])
  }

  @Test("has no signature of pointer authentication")
  func signed() {
    let report = report("arm64e", [(0x1_0000_0010, .physical), (0x3a1e_8001_0000_0020, .physical)])
    #expect(report.lookupAddress(ofFrame: 1, inStack: 0) == 0x1_0000_001c)
  }

  @Test("is not asked for at a signal trampoline, which is named as debuggers name it")
  func trampoline() {
    let report = report(
      "x86_64", [(0x1_0000_0010, .physical), (0x1_0000_0030, .physical), (0x1_0000_0040, .interrupted)])
    let symbolicator = ReportSymbolicator(
      open: { _ in
        ImageSymbols(frames: { [SourceFrame(symbol: "at_\($0)")] })
      },
      demangle: { $0 })
    let names = symbolicator.symbolicate(report).report.threads[0].frames.map { $0.calls.first?.function }
    #expect(names == ["at_16", "<signal handler called>", "at_64"])
  }
}
