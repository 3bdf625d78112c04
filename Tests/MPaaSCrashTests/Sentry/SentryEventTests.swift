import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private let fixtures = [
  "Call abort()", "Crash inside objc_msgSend()", "DWARF Unwinding", "Dereference a NULL pointer",
  "Message a released object", "Stack overflow", "Swift", "Throw Objective-C exception",
]

private func json(_ name: String) throws -> [UInt8] {
  Array(try Fixture.data("crash/crashprobe/release-arm64/\(name).json"))
}

private func read(_ bytes: [UInt8]) throws -> CrashReport {
  try ReportFile.read(Bytes(bytes))
}

/// A row of the table of expected frames.
struct ExpectedFrame {
  let report: String
  let frame: Int
  let image: String
  let buildID: String
  let relativeAddress: UInt64
  let function: String
  let file: String
  let line: Int

  static func all() throws -> [ExpectedFrame] {
    let text = String(decoding: try Fixture.data("crash/crashprobe/EXPECTED.tsv"), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { row in
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let name = columns[0].split(separator: "/").last ?? ""
      return ExpectedFrame(
        report: String(name.dropLast(5)), frame: Int(columns[1]) ?? -1, image: columns[2],
        buildID: columns[3].lowercased().filter { $0 != "-" },
        relativeAddress: UInt64(columns[4].dropFirst(2), radix: 16) ?? 0, function: columns[5], file: columns[6],
        line: Int(columns[7]) ?? 0)
    }
  }
}

@Suite("A Sentry event", .fixtures) struct SentryEventTests {
  @Test("is known by its content", arguments: fixtures)
  func recognised(name: String) throws {
    let bytes = try json(name)
    #expect(bytes.withUnsafeBytes { ReportFile.format(of: $0)?.name } == "sentry")
  }

  @Test("keeps every value", arguments: fixtures)
  func complete(name: String) throws {
    let bytes = try json(name)
    let value = try bytes.withUnsafeBytes { try JSONValue(reading: $0) }
    let missing = LeafAccount(try read(bytes)).missing(
      value,
      transformed: [
        "frames[].symbol_addr": "the offset in the function is kept", ".timestamp": "read",
        "os.name": "one word with the version", "os.version": "one word with the name",
      ])
    #expect(missing.isEmpty, "\(missing.prefix(10))")
  }

  @Test("is the same report when it is written as .ips and read again", arguments: fixtures)
  func roundTrip(name: String) throws {
    let report = try read(try json(name))
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test("has its frames innermost first, at the addresses that CrashProbe expects")
  func frames() throws {
    for (name, rows) in Dictionary(grouping: try ExpectedFrame.all(), by: \.report) {
      let report = try read(try json(name))
      let index = try #require(report.faultingThread)
      for row in rows {
        let frame = report.threads[index].frames[row.frame]
        let image = report.images[try #require(frame.image)]
        #expect(image.name == row.image)
        #expect(image.buildID == row.buildID)
        // A return address follows the call; the table has the address of the call.
        let distance = frame.address - image.base
        #expect(distance == row.relativeAddress || distance - 4 == row.relativeAddress, "\(name) \(row.frame)")
      }
    }
  }

  @Test("tells the signal, the exception and the system")
  func facts() throws {
    let report = try read(try json("Throw Objective-C exception"))
    #expect(report.thrown?.name == "NSGenericException")
    #expect(report.exception?.type == "EXC_CRASH")
    #expect(report.exception?.signal == "SIGABRT")
    #expect(report.system.name == "iOS")
    #expect(report.system.version == "10.2")
    #expect(report.system.model == "iPhone9,4")
    #expect(report.process.name == "CrashProbeiOS")
    #expect(report.process.cpuType == "ARM-64")
    #expect(report.captured.text(digits: 0) == "2017-01-26 10:50:08 +0000" || report.captured.seconds > 1_485_000_000)
    let swift = try read(try json("Swift"))
    #expect(swift.exception?.type == "EXC_BREAKPOINT")
    #expect(swift.exception?.address == 0x22d280)
    #expect(swift.threads[0].registers?["pc"] == 0x22d280)
  }

  @Test("has functions, files and lines where a server put them")
  func symbolicated() throws {
    let text = """
      {"event_id":"1","platform":"native","threads":[{"id":7,"crashed":true,"stacktrace":{"frames":[
      {"instruction_addr":"0x20","function":"main"},
      {"instruction_addr":"0x10","function":"f(int)","raw_function":"_Z1fi","abs_path":"/s/f.cc","filename":"f.cc",
      "lineno":3,"colno":9,"in_app":true}]}}],
      "exception":[{"type":"SIGSEGV","value":"Segfault","mechanism":{"meta":{"signal":{"number":11,"name":"SIGSEGV"}}}}]}
      """
    let report = try read(Array(text.utf8))
    let call = try #require(report.threads[0].frames[0].calls.first)
    #expect(call.function == "f(int)")
    #expect(call.symbol == "_Z1fi")
    #expect(call.file == "/s/f.cc")
    #expect(call.line == 3)
    #expect(report.threads[0].frames[0].extra["sentry"] == ["in_app": true])
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(report.thrown == nil)
    #expect(try read(IPSWriter.bytes(of: report)) == report)
  }

  @Test("never crashes the reader, however it is changed")
  func fuzz() throws {
    Mutation.check([Mutation.small(try json("Swift"))], rounds: SeededRandom.rounds(or: 40), read: read)
  }
}
