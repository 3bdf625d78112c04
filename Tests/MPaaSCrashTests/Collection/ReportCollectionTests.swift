import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A collection of reports") struct ReportCollectionTests {
  let folder: TemporaryFolder
  private let bytes = IPSWriter.bytes(of: SampleReport.orderBook)

  init() throws { folder = try TemporaryFolder() }

  private func write(_ content: some Sequence<UInt8>, to name: String) throws {
    try Data(content).write(to: URL(filePath: folder.path + "/" + name))
  }

  @Test("hands over each report of a folder, and passes over what is none")
  func reports() throws {
    try write(bytes, to: "a.ips")
    try write("text".utf8, to: "b.txt")
    try write(bytes, to: "c.ips")
    var names: [String] = []
    let counts = try ReportCollection([folder.path]).forEach {
      Issue.record("\($0.id)")
    } visit: { name, read in
      names.append(FileSystem.name(of: name))
      #expect(read.bytes.elementsEqual(bytes))
      #expect(read.report.process.name == "orderbook")
    }
    #expect(names == ["a.ips", "c.ips"])
    #expect(counts == (2, 0))
  }

  @Test("tells of a report that is cut short, and goes on")
  func problems() throws {
    try write(bytes.prefix(bytes.count / 2), to: "a.ips")
    try write(bytes, to: "b.ips")
    var told: [String] = []
    let counts = try ReportCollection([folder.path]).forEach {
      told.append($0.id.name)
    } visit: { name, _ in
      told.append(FileSystem.name(of: name))
    }
    #expect(told.first?.hasPrefix("report-") == true)
    #expect(told.dropFirst() == ["b.ips"])
    #expect(counts == (1, 1))
  }

  @Test("ends where the caller does not go on after a problem")
  func ended() throws {
    try write(bytes.prefix(bytes.count / 2), to: "a.ips")
    try write(bytes, to: "b.ips")
    var visited = 0
    #expect(throws: Diagnostic.self) {
      try ReportCollection([folder.path]).forEach {
        throw $0
      } visit: { _, _ in
        visited += 1
      }
    }
    #expect(visited == 0)
  }
}
