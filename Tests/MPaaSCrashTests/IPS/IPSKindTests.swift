import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

private func read(_ text: String) throws -> CrashReport {
  try ReportFile.read(Bytes(text.utf8))
}

@Suite("An .ips file that tells of no crash") struct IPSKindTests {
  @Test("is read with its kind, and keeps all that stands in it")
  func jetsam() throws {
    let text = """
      {"bug_type":"298","timestamp":"2024-01-02 03:04:05.00 +0000","os_version":"iPhone OS 17.2 (21C62)","incident_id":"J1"}
      {"build":"iPhone OS 17.2 (21C62)","product":"iPhone14,5","incident":"J1","date":"2024-01-02 03:04:05.50 +0000",
      "largestProcess":"Demo","memoryStatus":{"pageSize":16384},"processes":[{"pid":12,"name":"Demo","rpages":9999}]}
      """
    let report = try read(text)
    #expect(report.kind == .jetsam)
    #expect(report.incident == "J1")
    #expect(report.system.model == "iPhone14,5")
    #expect(report.system.version == "17.2")
    #expect(report.captured.nanoseconds == 500_000_000)
    #expect(report.extra["processes"]?.array?.first?.object?["rpages"] == 9999)
    #expect(report.threads.isEmpty)
    let back = try ReportFile.read(Bytes(IPSWriter.bytes(of: report)))
    #expect(back == report)
  }

  @Test("has the stacks of a stackshot as threads of their processes")
  func stackshot() throws {
    let text = """
      {"bug_type":"288","incident_id":"S1","os_version":"macOS 14.0 (23A344)"}
      {"incident":"S1","reason":"hang","binaryImages":[["01234567-89ab-cdef-0123-456789abcdef",4096,"P"],
      ["11234567-89AB-CDEF-0123-456789ABCDEF",18446741874686296064,"K"]],
      "processByPid":{"12":{"pid":12,"procname":"Demo","threadById":{"345":{"id":345,"name":"main",
      "userFrames":[[0,16],[0,32]],"kernelFrames":[[1,8]],"state":["TH_WAIT"]}}},
      "9":{"procname":"other","threadById":{"7":{"userFrames":[[5,1]]}}}}}
      """
    let report = try read(text)
    #expect(report.kind == .hang)
    #expect(report.images.count == 2)
    #expect(report.threads.map(\.id) == [7, 345])
    #expect(report.threads[1].frames.map(\.address) == [18_446_741_874_686_296_072, 4112, 4128])
    #expect(report.threads[1].frames.map(\.image) == [1, 0, 0])
    #expect(report.threads[1].extra["process"]?.object?["name"] == "Demo")
    #expect(report.extra["processByPid"] != nil)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test("tells what a kernel said in its panic, and is of a kind of its own where it is not known")
  func panic() throws {
    let panic = try read(
      "{\"bug_type\":\"210\"}\n{\"panicString\":\"panic(cpu 0): x\",\"build\":\"macOS 14.0 (23A344)\"}")
    #expect(panic.kind == .panic)
    #expect(panic.lastWords == ["kernel": ["panic(cpu 0): x"]])
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: panic))) == panic)
    let other = try read("{\"bug_type\":\"385\",\"name\":\"x\"}\n{\"anything\":[1,{\"a\":null}]}")
    #expect(other.kind == .other)
    #expect(other.extra["anything"] == [1, ["a": .null]])
    let bytes = IPSWriter.bytes(of: other)
    #expect(try ReportFile.read(Bytes(bytes)) == other)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"bug_type\":\"385\""))
  }

  @Test("of an older system has a text body, which is read too", .fixtures)
  func textBody() throws {
    let text = try AppleFixture.text("crash/apple/sym_AppleConverted.log")
    let header = "{\"bug_type\":\"109\",\"app_name\":\"Demo\",\"incident_id\":\"X\",\"slice_uuid\":\"u\"}\n"
    let report = try read(header + text)
    let plain = try read(text)
    #expect(report.threads == plain.threads)
    #expect(report.images == plain.images)
    #expect(report.kind == .crash)
    #expect(report.extraHeader["bug_type"] == "109")
    #expect(report.extraHeader["slice_uuid"] == "u")
    #expect(AppleCrashText.replacingFrames(in: header + text, with: report) == header + text)
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test("may have several JSON documents; each is kept")
  func documents() throws {
    let report = try read("{\"bug_type\":\"309\"}\n{\"procName\":\"x\"}\n{\"more\":1} {\"yet\":2}")
    #expect(report.process.name == "x")
    #expect(report.extra["documents"] == [["more": 1], ["yet": 2]])
    #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
  }

  @Test("keeps every member of the fixtures of others", .fixtures)
  func complete() throws {
    for name in ["idb_xctest-concated-json-crash.ips", "lldb_asi.txt"] {
      let text = try AppleFixture.text("crash/apple/\(name)")
      let report = try read(text)
      let account = LeafAccount(report)
      let lineEnd = try #require(text.firstIndex(of: "\n"))
      for part in [text[..<lineEnd], text[lineEnd...]] {
        let value = try Array(part.utf8).withUnsafeBytes { try JSONValue(reading: $0) }
        #expect(account.missing(value, transformed: [:]).isEmpty)
      }
      #expect(try ReportFile.read(Bytes(IPSWriter.bytes(of: report))) == report)
    }
  }
}
