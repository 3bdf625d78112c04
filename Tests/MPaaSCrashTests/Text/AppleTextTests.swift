import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

private func text(_ report: CrashReport, _ change: (inout AppleText.Options) -> Void = { _ in }) -> String {
  var options = AppleText.Options()
  change(&options)
  let source = SourceText(
    path: "/src/OrderBook/Ladder.swift", lines: ["struct Ladder {", "\tfunc level", "\t\treturn 订levels[at]", "}"],
    modified: 0)
  return AppleText(report, options: options) { $0 == source.path ? source : nil }.lines.map(\.text)
    .joined(separator: "\n")
}

@Suite("The text form of a report") struct AppleTextTests {
  @Test("begins with what crashed, how and what was said last")
  func top() {
    let shown = text(SampleReport.orderBook)
    #expect(shown.contains("Process:             orderbook [4711]\n"))
    #expect(shown.contains("Version:             1.2 (34)\n"))
    #expect(shown.contains("Date/Time:           2025-11-21 12:43:20.2500 +0000\n"))
    #expect(shown.contains("OS Version:          Debian GNU/Linux 12\n"))
    #expect(shown.contains("Exception Type:     EXC_BAD_INSTRUCTION (SIGILL)\n"))
    #expect(shown.contains("Exception Subtype:  ILL_ILLOPN at 0x0000555555555234\n"))
    #expect(shown.contains("Termination Reason: SIGNAL 4 Illegal instruction: 4\n"))
    #expect(shown.contains("Application Specific Information:\nFatal error: Index out of range\n"))
  }

  @Test("shows the crashed thread first, inlined calls marked and frames numbered through")
  func threads() throws {
    let shown = text(SampleReport.orderBook)
    let crashed = """
      Thread 1 name:  matcher
      Thread 1 Crashed:
      0   libswiftCore.so               0x00007ffff7c00100 _assertionFailure(_:_:file:line:flags:)
      1   orderbook                     0x0000555555555234 Array.subscript.getter (Array.swift:5) [inlined]
      2   orderbook                     0x0000555555555234 Ladder.level(at:) (Ladder.swift:3) [inlined]
      3   orderbook                     0x0000555555555234 Matcher.match(_:) (Matcher.swift:40)
      4   orderbook                     0x0000555555556000 main

      Thread 0:
      0   libswiftCore.so               0x00007ffff7c00200 0x7ffff7c00000 + 512
      1   ???                           0x0000000000000010 0x0 + 16

      Thread 2:
      """
    #expect(shown.contains(crashed))
  }

  @Test("shows registers four a line, breadcrumbs, and images by address with the program's own marked")
  func rest() {
    let shown = text(SampleReport.orderBook)
    #expect(shown.contains("Thread 1 crashed with X86 Thread State (64-bit):\n   rax: 0x0000000000000000   rbx: 0x"))
    #expect(shown.contains("\n   rip: 0x0000000000000004\n"))
    #expect(shown.contains("Breadcrumbs:\n2025-11-21 12:43:20.2500 +0000  order 17 placed\n"))
    #expect(
      shown.contains(
        "Binary Images:\n    0x555555554000 -     0x55555555bfff +orderbook x86_64  "
          + "<0123456789abcdef0123456789abcdef01234567> /opt/orderbook/orderbook\n"))
  }

  @Test("folds neighbouring threads with the same stack only when asked")
  func folding() {
    let shown = text(SampleReport.orderBook) { $0.foldsThreads = true }
    #expect(shown.contains("Threads 2–3: same stack\n"))
    #expect(!text(SampleReport.orderBook).contains("same stack"))
  }

  @Test("shows the source around the line to blame, with a mark under the column")
  func source() {
    var report = SampleReport.orderBook
    report.threads[1].frames[1].calls[1].column = 14
    let shown = text(report) { $0.sourceContext = 1 }
    let expected =
      "Source:  /src/OrderBook/Ladder.swift:3\n  2 | \tfunc level\n> 3 | \t\treturn 订levels[at]\n"
      + "    | \t\t       \u{3000} ^\n  4 | }\n"
    #expect(shown.contains(expected))
  }

  @Test("says when the source was changed after the crash")
  func changedSource() {
    var report = SampleReport.orderBook
    report.captured.seconds = -5
    #expect(text(report) { $0.sourceContext = 1 }.contains("(changed since the crash)"))
  }

  @Test("lets no report steer the terminal")
  func controlCharacters() {
    var report = SampleReport.orderBook
    report.process.name = "a\u{1b}[2Jb\u{202e}c\n"
    report.threads[0].name = "\u{7}"
    report.lastWords = ["x": ["one\r\ntwo\u{0}"]]
    let shown = text(report)
    #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
    #expect(shown.contains("a\\u{1b}[2Jb\\u{202e}c\\u{a} [4711]"))
    #expect(shown.contains("one\ntwo\\u{0}"))
  }

  @Test("is made of any report without a crash", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = RandomReport(seed: seed)
    let report = random.report()
    #expect(!text(report) { $0.sourceContext = 3 }.isEmpty)
  }

  @Test("has the frames, exception and words of Apple's own translation", .fixtures)
  func apple() throws {
    let report = try ReportFile.read(Fixture.path("crash/apple/sym_AppleJson.ips"))
    // The translation writes addresses without the zeros in front that the classic form has.
    let shown = text(report).split(separator: "\n").map {
      $0.replacing(/0x0+/, with: "0x").split(separator: " ").joined(separator: " ")
    }
    let apple = String(decoding: try Fixture.data("crash/apple/sym_AppleConverted.log"), as: UTF8.self)
    let frames = apple.split(separator: "\n").prefix { $0 != "Binary Images:" }.filter {
      $0.contains("0x") && $0.first?.isNumber == true
    }
    .map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }
    #expect(frames.count > 50)
    #expect(frames.filter { !shown.contains($0) } == [])
  }
}

@Suite("Words of a report") struct CrashTextTests {
  @Test(
    "name functions as people do, the parts of async functions by the whole",
    arguments: [
      ("$s9OrderBook6LadderV5level2atS2i_tF", "Ladder.level(at:)"),
      ("$s9OrderBook6LadderV5level2atS2i_tYaFTY2_", "Ladder.level(at:)"),
      ("$s9OrderBook6LadderV5level2atS2i_tYaFTQ1_", "Ladder.level(at:)"), ("_Z5outeri", "outer(int)"),
      ("$snonsense", "outer(int)"),
    ])
  func names(symbol: String, name: String) {
    var call = CrashReport.Call(function: "outer(int)")
    call.symbol = symbol
    #expect(CrashText.name(call) == name)
    #expect(CrashText.name(CrashReport.Call(function: "async_MainTY1_")) == "async_Main")
    #expect(CrashText.name(CrashReport.Call(function: "is_empty_")) == "is_empty_")
  }

  @Test("take the message from the last words, else from the name of the trap")
  func message() {
    var report = SampleReport.orderBook
    #expect(CrashText.message(report) == "Fatal error: Index out of range")
    report.lastWords = [:]
    #expect(CrashText.message(report) == nil)
    report.threads[1].frames[0].calls = [SampleReport.call("Swift runtime failure: arithmetic overflow")]
    #expect(CrashText.message(report) == "arithmetic overflow")
  }
}

@Suite("A source file for a report") struct SourceFinderTests {
  @Test("is found where it was recorded, or by the longest tail under a given folder")
  func finding() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "Sources/A/x.swift")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("one\r\ntwo\n".utf8).write(to: file)
    #expect(SourceFinder().find(file.path)?.lines == ["one", "two", ""])
    #expect(SourceFinder(roots: [folder.path]).find("/build/far/away/Sources/A/x.swift")?.path == file.path)
    #expect(SourceFinder(roots: [folder.path]).find("../Sources/A/x.swift")?.lines.first == "one")
    #expect(SourceFinder().find("/build/far/away/Sources/A/x.swift") == nil)
    #expect(SourceFinder().find("Sources/A/x.swift") == nil)
    #expect(SourceFinder(roots: [folder.path]).find("/Sources") == nil)
  }
}
