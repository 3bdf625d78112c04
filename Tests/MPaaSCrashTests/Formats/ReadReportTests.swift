import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A report as it was read", .fixtures) struct ReadReportTests {
  @Test("knows its format, and keeps its bytes where there are no other calls")
  func same() throws {
    let bytes = try Bytes.mapping(Fixture.path("crash/apple/sym_AppleJson.ips"))
    defer { withExtendedLifetime(bytes) {} }
    let read = try ReportFile.read(bytes.buffer)
    #expect(read.format?.name == "ips")
    #expect(try read.rewritten(with: read.report) == Array(bytes.buffer))
  }

  @Test("is not written again in a format that cannot hold symbols")
  func minidump() throws {
    let bytes = try Bytes.mapping(Fixture.path("crash/minidump/test.dmp"))
    defer { withExtendedLifetime(bytes) {} }
    let read = try ReportFile.read(bytes.buffer)
    #expect(read.format?.name == "minidump")
    #expect(try read.rewritten(with: read.report) == nil)
  }

  @Test("is the one that bytes of its format are known to hold")
  func known() throws {
    let bytes = try Bytes.mapping(Fixture.path("crash/apple/sym_AppleJson.ips"))
    defer { withExtendedLifetime(bytes) {} }
    let format = try #require(ReportFile.format(of: bytes.buffer))
    #expect(try format.report(of: bytes.buffer) == ReportFile.read(bytes))
  }
}
