import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

enum AppleFixture {
  /// The text reports of Apple's, PLCrashReporter's and KSCrash's.
  static let texts =
    ["acrp_bruno.crash", "acrp_handcrafted.crash", "idb_agent_custom_set.crash", "idb_app_default_set.crash"]
    .map { "crash/apple/\($0)" } + ["crash/apple/lldb_a.out.crash", "crash/apple/sym_AppleConverted.log"]
    + ["Abort", "BadPointer", "NSException", "StackOverflow", "Zombie"].map { "crash/kscrash/\($0).txt" }
    + [
      "CrashProbeMacOS__macOS_report_abort", "CrashProbeMacOS__macOS_report_throw_cpp_exception",
      "CrashProbe__live_report_objc_exception", "CrashProbe__live_report_bad_ptr", "fuzz_report", "live_report_arm64e",
      "live_report_exception", "live_report_signal_marketing",
    ].map { "crash/plcrash/\($0).txt" }

  /// The text; lldb's placeholders are filled with numbers, as its own test does.
  static func text(_ name: String) throws -> String {
    let text = String(decoding: try Fixture.data(name), as: UTF8.self)
    return ["@foo@", "@bar@", "@main@"].reduce(text) { $0.replacing($1, with: "0x100001000") }
  }

  static func report(_ name: String) throws -> CrashReport {
    try ReportFile.read(Bytes(try text(name).utf8))
  }
}

@Suite("A text report", .fixtures) struct AppleCrashTextTests {
  @Test("has every frame, image and register that its lines tell", arguments: AppleFixture.texts)
  func complete(name: String) throws {
    let text = try AppleFixture.text(name)
    let report = try AppleFixture.report(name)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let frameLines = lines.filter { $0.contains(#/^\d+ +\S.*[ \t]0x[0-9a-fA-F]+( |$)/#) }
    let stacks = report.threads.map(\.frames) + [report.lastExceptionBacktrace]
    let frames = stacks.flatMap { $0 }.reduce(0) { $0 + max($1.calls.count, 1) }
    #expect(frames == frameLines.count)
    let imageLines = lines.filter { $0.contains(#/^ *0x[0-9a-f]+ - +0x[0-9a-f]+ /#) && !$0.contains("??? (*)") }
    #expect(report.images.count == imageLines.count)
    #expect(report.threads.count == lines.count { $0.contains(#/^Thread \d+( Crashed)?:/#) })
    let index = try #require(report.faultingThread)
    let state = lines.drop { !$0.contains(" crashed with ") }.dropFirst().prefix { !$0.isEmpty }
    let registers = state.flatMap { $0.matches(of: #/[a-z0-9]+: 0x[0-9a-f]+/#) }
    let others = lines.count {
      $0.hasPrefix("Logical CPU:") || $0.hasPrefix("Error Code:") || $0.hasPrefix("Trap Number:")
    }
    #expect(report.threads[index].registers?.values.count == registers.count + others)
  }

  @Test("is the same report when it is written as .ips and read again", arguments: AppleFixture.texts)
  func roundTrip(name: String) throws {
    let report = try AppleFixture.report(name)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test("stays as it is, byte for byte, where no frame got better", arguments: AppleFixture.texts)
  func unchanged(name: String) throws {
    let text = try AppleFixture.text(name)
    #expect(AppleCrashText.replacingFrames(in: text, with: try AppleFixture.report(name)) == text)
    #expect(AppleCrashText.original(of: try AppleFixture.report(name)) == text)
  }

  @Test("gets the lines of better frames, counted anew behind inlined calls, and keeps all others")
  func replaced() throws {
    let name = "crash/apple/sym_AppleConverted.log"
    let text = try AppleFixture.text(name)
    var report = try AppleFixture.report(name)
    let index = try #require(report.threads[0].frames.firstIndex { $0.calls.isEmpty })
    report.threads[0].frames[index].calls = [
      SampleReport.call("inner()", "/src/Demo/Inner.swift", 3, inlined: true),
      SampleReport.call("outer()", "/src/Demo/Outer.swift", 9),
    ]
    let changed = AppleCrashText.replacingFrames(in: text, with: report)
    let (before, after) = (text.split(separator: "\n"), changed.split(separator: "\n"))
    let new = after.filter { !before.contains($0) }
    #expect(
      new.map { $0.replacing("\t", with: "|") } == [
        "42  Demo                       |           0x100f4c4b4 inner() (Inner.swift:3) [inlined]",
        "43  Demo                       |           0x100f4c4b4 outer() (Outer.swift:9)",
        "44  Demo                       |           0x100f4c42c 0x100e88000 + 803884",
        "45  Demo                       |           0x100f4c54c 0x100e88000 + 804172",
        "46  dyld                          |       0x102625aa4 start + 520",
      ])
    #expect(after.count == before.count + 1)
    let back = try ReportFile.read(Bytes(changed.utf8))
    #expect(back.threads[0].frames[index].calls.map(\.function) == ["inner()", "outer()"])
    #expect(back.threads.map { $0.frames.map(\.address) } == report.threads.map { $0.frames.map(\.address) })
  }
}
