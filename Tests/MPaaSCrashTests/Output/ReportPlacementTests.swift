import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSCrash

@Suite("The place of a report that got symbols") struct ReportPlacementTests {
  let folder: TemporaryFolder
  private let report = SampleReport.orderBook
  private let bytes = IPSWriter.bytes(of: SampleReport.orderBook)

  init() throws { folder = try TemporaryFolder() }

  private static func writer(_ warn: @escaping @Sendable (Diagnostic) -> Void = { _ in }) -> ReportWriter {
    ReportWriter(words: { $0 }, language: "en", toolVersion: "1", warn: warn)
  }

  /// - Parameter read: The bytes that the report is said to have been read from; nil is an .ips file of it.
  private func file(
    _ place: ReportPlacement.Place, as format: ReportOutput? = nil, name: String = "a.ips", read: [UInt8]? = nil
  ) throws -> PlacedReport? {
    let placement = ReportPlacement(place, as: format, writer: Self.writer())
    return try (read ?? bytes).withUnsafeBytes {
      let original = ReadReport(report, format: ReportFile.format(of: $0), bytes: $0)
      return try placement.file(for: report, of: original, name: name)
    }
  }

  private func write(_ name: String) throws -> String {
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test("is the file that was named, in the format that its ending asks for")
  func named() throws {
    let other = try #require(try file(.file("/x/b.crash")))
    #expect(other.path == "/x/b.crash")
    #expect(other.content == Array(AppleCrashWriter.text(of: report).utf8))
    #expect(try file(.file("/x/b.ips"))?.content == bytes)
    #expect(try file(.file("/x/b"))?.content == bytes)
  }

  @Test("has the format that was asked for, whatever the ending")
  func asked() throws {
    let content = try #require(try file(.file("/x/b.ips"), as: .json)).content
    #expect(content == Array((JSONValue.object(IPSWriter.document(of: report)).line + "\n").utf8))
  }

  @Test("in a folder has the name of its file, and a number where that is taken")
  func folders() throws {
    #expect(try file(.folder(folder.path), name: "/y/a.ips")?.path == folder.path + "/a.ips")
    _ = try write("a.ips")
    #expect(try file(.folder(folder.path + "/"), name: "/y/a.ips")?.path == folder.path + "/a-2.ips")
  }

  @Test("in a folder tells by its ending that the format is another")
  func endings() throws {
    let text = Array("no format".utf8)
    #expect(try file(.folder(folder.path), name: "/y/a.dmp", read: text)?.path == folder.path + "/a.dmp.ips")
    #expect(try file(.folder(folder.path), as: .md, name: "/y/a.ips")?.path == folder.path + "/a.ips.md")
  }

  @Test("is its own file where that can hold symbols, else one beside it")
  func origin() throws {
    let path = try write("a.ips")
    let own = try #require(try file(.origin, name: path))
    #expect(own.path == path)
    #expect(!own.isBeside)
    let beside = try #require(try file(.origin, name: try write("a.dmp"), read: Array("no format".utf8)))
    #expect(beside.path == folder.path + "/a.dmp.ips")
    #expect(beside.isBeside)
  }

  @Test("is none for a report of an archive")
  func archived() throws {
    #expect(try file(.origin, name: folder.path + "/reports.zip/a.ips") == nil)
  }

  @Test("gets the content when it is written")
  func written() throws {
    let path = folder.path + "/b.ips"
    try #require(try file(.file(path))).write()
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
  }

  @Test("of SARIF without a place is warned about, once for each time that it is written")
  func placeless() {
    let warned = Mutex<[String]>([])
    let writer = Self.writer { problem in warned.withLock { $0.append(problem.id.name) } }
    var report = CrashReport()
    report.process.name = "p"
    _ = writer.bytes(of: report, as: .sarif)
    _ = writer.bytes(of: report, as: .md)
    #expect(warned.withLock { $0 } == ["sarif-no-place"])
  }
}
