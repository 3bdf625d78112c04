import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private let fixtures = [
  "Abort", "BadPointer", "NSException", "StackOverflow", "Zombie", "bugsnag_KSCrashReport1", "processed", "raw",
  "sentry_Crash-missing-binary-images", "sentry_Crash-missing-crash-error", "sentry_crash-bad-access",
  "sentry_crash-report-1",
]

private func json(_ name: String) throws -> [UInt8] {
  Array(try Fixture.data("crash/kscrash/\(name).json"))
}

private func read(_ bytes: [UInt8]) throws -> CrashReport {
  try ReportFile.read(Bytes(bytes))
}

private func object(_ bytes: [UInt8]) throws -> JSONValue {
  try bytes.withUnsafeBytes { try JSONValue(reading: $0) }
}

@Suite("KSCrash's JSON", .fixtures) struct KSCrashJSONTests {
  @Test("is known by its content", arguments: fixtures)
  func recognised(name: String) throws {
    let bytes = try json(name)
    #expect(bytes.withUnsafeBytes { ReportFile.format(of: $0)?.name } == "kscrash")
  }

  @Test("keeps every value", arguments: fixtures)
  func complete(name: String) throws {
    let bytes = try json(name)
    let missing = LeafAccount(try read(bytes)).missing(
      try object(bytes),
      transformed: [
        "contents[].symbol_addr": "the offset in the function is kept", "contents[].symbol_name": "demangled",
        "cpp_exception.name": "demangled", "threads[].index": "the place in the list",
        "system.system_name": "one word with the version", "system.system_version": "one word with the name",
      ])
    #expect(missing.isEmpty, "\(missing.prefix(10))")
  }

  @Test("is the same report when it is written as .ips and read again", arguments: fixtures)
  func roundTrip(name: String) throws {
    let report = try read(try json(name))
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test(
    "has the frames, threads and images that KSCrash prints for it",
    arguments: ["Abort", "BadPointer", "NSException", "StackOverflow", "Zombie"])
  func likeText(name: String) throws {
    let report = try read(try json(name))
    let text = try AppleFixture.report("crash/kscrash/\(name).txt")
    #expect(report.incident == text.incident)
    #expect(report.process.name == text.process.name)
    #expect(report.process.pid == text.process.pid)
    #expect(report.process.path == text.process.path)
    #expect(report.application == text.application || report.application.name == text.process.name)
    #expect(report.system.model == text.system.model)
    #expect(report.system.build == text.system.build)
    #expect(report.exception?.type == text.exception?.type)
    #expect(report.exception?.signal == text.exception?.signal)
    #expect(report.captured.seconds == text.captured.seconds)
    #expect(report.faultingThread == text.faultingThread)
    // The text lacks the thread that wrote the report.
    #expect(report.threads.count == text.threads.count)
    for (own, printed) in zip(report.threads, text.threads) {
      #expect(own.frames.map(\.address) == printed.frames.map(\.address))
      #expect(own.frames.map { $0.calls.last?.offset } == printed.frames.map { $0.calls.last?.offset })
      #expect(own.name == printed.name)
      #expect(own.queue == printed.queue)
    }
    let key = { (image: CrashReport.Image) in "\(image.base) \(image.size) \(image.buildID) \(image.path)" }
    #expect(Set(report.images.map(key)) == Set(text.images.map(key)))
    let registers = { (report: CrashReport) in
      Set(report.threads.flatMap { $0.registers?.values.map { "\($0.name) \($0.value)" } ?? [] })
    }
    // The text has zeroes where a thread has no registers.
    if name != "NSException" { #expect(registers(text).isSubset(of: registers(report))) }
  }

  @Test("of an exception has return addresses from the first frame on, of a signal a program counter there")
  func firstFrame() throws {
    let thrown = try read(json("NSException"))
    #expect(thrown.lookupAddress(ofFrame: 0, inStack: 0) < thrown.threads[0].frames[0].address)
    let aborted = try read(json("Abort"))
    #expect(aborted.lookupAddress(ofFrame: 0, inStack: 0) == aborted.threads[0].frames[0].address)
  }

  @Test("tells the kinds of errors apart")
  func kinds() throws {
    let zombie = try read(try json("Zombie"))
    #expect(zombie.exception?.codeName == "KERN_INVALID_ADDRESS")
    #expect(zombie.exception?.address == 0xe593_3000)
    #expect(zombie.notes.contains { $0.hasPrefix("Possible zombie") })
    let thrown = try read(try json("NSException"))
    #expect(thrown.thrown?.name == "NSInvalidArgumentException")
    #expect(thrown.thrown?.reason?.contains("unrecognized selector") == true)
    let cpp = try read(try json("raw"))
    #expect(cpp.thrown?.name == "MyException")
    #expect(cpp.thrown?.reason == "Something bad happened...")
    #expect(cpp.threads[0].frames[0].calls[0].function == "MyCPPClass::throwAnException()")
    #expect(cpp.captured == CrashReport.Timestamp(seconds: 1_478_560_643))
    let bugsnag = try read(try json("bugsnag_KSCrashReport1"))
    #expect(bugsnag.process.cpuType == "X86-64")
    #expect(bugsnag.exception?.signal == "SIGSEGV")
  }

  @Test("of a reporter that crashed is the report that it was writing")
  func recrash() throws {
    let first = try object(try json("Zombie"))
    let text = #"{"report":{"id":"2","type":"minimal"},"crash":{"error":{"type":"mach"}},"recrash_report":"#
    let report = try read(Array((text + first.line + "}").utf8))
    #expect(report.incident == "A1545134-A569-4AE6-8286-F9855EF0E482")
    #expect(report.isPartial)
    #expect(report.extra["kscrash"]?.object?["recrash"]?.object?["report"]?.object?["id"] == "2")
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test("of the minimal kind has its one thread; times in microseconds are read")
  func minimal() throws {
    let text = """
      {"report":{"id":"1","type":"minimal","timestamp":1700000000123456},
      "crash":{"error":{"type":"deadlock"},"crashed_thread":{"crashed":true,"index":0,"backtrace":{"contents":
      [{"instruction_addr":4096}]}}}}
      """
    let report = try read(Array(text.utf8))
    #expect(report.threads.map { $0.frames.map(\.address) } == [[4096]])
    #expect(report.kind == .hang)
    #expect(report.faultingThread == 0)
    #expect(report.captured == CrashReport.Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_000))
  }

  @Test("gets better symbols in place, and keeps everything else", arguments: ["Zombie", "sentry_crash-report-1"])
  func replaced(name: String) throws {
    let bytes = try json(name)
    var report = try read(bytes)
    let index = try #require(report.faultingThread)
    let before = try bytes.withUnsafeBytes { try KSCrashJSON.replacingFrames(in: $0, with: report) }
    #expect(try read(Array(before.utf8)) == report)
    report.threads[index].frames[1].calls = [
      SampleReport.call("inner()", "/src/Inner.swift", 3, inlined: true),
      SampleReport.call("outer()", "/src/Outer.swift", 9),
    ]
    let text = try bytes.withUnsafeBytes { try KSCrashJSON.replacingFrames(in: $0, with: report) }
    #expect(text.contains(#""file":"/src/Outer.swift""#))
    let back = try read(Array(text.utf8))
    #expect(back.threads[index].frames[1].calls == report.threads[index].frames[1].calls)
    #expect(back.threads[index].frames[0] == report.threads[index].frames[0])
    #expect(back.extra == report.extra)
    #expect(back.images == report.images)
  }

  @Test("never crashes the reader, however it is changed")
  func fuzz() throws {
    let seeds = try ["Zombie", "sentry_crash-bad-access", "sentry_Crash-missing-binary-images"].map(json).map(
      Mutation.small)
    Mutation.check(seeds, rounds: SeededRandom.rounds(or: 60), read: read)
  }
}
