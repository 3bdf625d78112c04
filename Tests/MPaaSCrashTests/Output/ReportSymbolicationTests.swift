import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("Reports that get symbols one after the other") struct ReportSymbolicationTests {
  typealias Place = ReportPlacement.Place

  let folder: TemporaryFolder
  private let report = SampleReport.orderBook
  private let bytes = IPSWriter.bytes(of: SampleReport.orderBook)

  init() throws { folder = try TemporaryFolder() }

  private func symbolication(to place: Place?) -> ReportSymbolication {
    let writer = ReportWriter(words: { $0 }, language: "en", toolVersion: "1", warn: { _ in })
    let symbolicator = ReportSymbolicator(
      open: { _ in ImageSymbols(frames: nil, reason: .notFound) }, demangle: { $0 })
    return ReportSymbolication(by: symbolicator, to: place.map { ReportPlacement($0, as: nil, writer: writer) })
  }

  private func add(_ name: String, to symbolication: inout ReportSymbolication) throws -> ReportSymbolication.Entry {
    try bytes.withUnsafeBytes {
      try symbolication.add(ReadReport(report, format: ReportFile.format(of: $0), bytes: $0), name: name)
    }
  }

  @Test("are printed without a place")
  func printed() throws {
    var symbolication = symbolication(to: nil)
    let entry = try add("a.ips", to: &symbolication)
    #expect(entry.file == nil)
    #expect(!entry.hasNoFile)
  }

  @Test("have a file each, which is not written yet")
  func files() throws {
    var symbolication = symbolication(to: .folder(folder.path))
    #expect(try add("/x/a.ips", to: &symbolication).file?.path == folder.path + "/a.ips")
    #expect(FileStatus(folder.path + "/a.ips") == nil)
  }

  @Test("of an archive have no file to go back to")
  func archived() throws {
    var symbolication = symbolication(to: .origin)
    #expect(try add(folder.path + "/reports.zip/a.ips", to: &symbolication).hasNoFile)
  }

  @Test("are counted with all that they lack")
  func summary() throws {
    var symbolication = symbolication(to: nil)
    let missing = try add("a.ips", to: &symbolication).missing
    _ = try add("b.ips", to: &symbolication)
    #expect(symbolication.summary.reports == 2)
    #expect(symbolication.summary.entries.map(\.missing.name).sorted() == missing.map(\.name).sorted())
    #expect(symbolication.summary.entries.allSatisfy { $0.reports == 2 })
  }

  // MARK: Places

  @Test("go to no file without an option, and for -", arguments: [nil, "-"])
  func noPlace(output: String?) throws {
    #expect(try Place(output: output, isInPlace: false, areMany: false) == nil)
  }

  @Test("go back to their own files")
  func origin() throws {
    #expect(try Place(output: nil, isInPlace: true, areMany: true) == .origin)
  }

  @Test("go to one file, or to a folder that is there or is named as one")
  func place() throws {
    #expect(try Place(output: "/x/a.ips", isInPlace: false, areMany: false) == .file("/x/a.ips"))
    #expect(try Place(output: folder.path, isInPlace: false, areMany: true) == .folder(folder.path))
    #expect(try Place(output: "/x/new/", isInPlace: false, areMany: true) == .folder("/x/new/"))
  }

  @Test(
    "are not written over each other, and not to two places",
    arguments: [("/x/a.ips", false, true), ("-", false, true), ("/x/a.ips", true, false), ("/x/", true, true)])
  func refused(output: String, isInPlace: Bool, areMany: Bool) {
    #expect(throws: Diagnostic("symbolicate-one-output", exit: .usage)) {
      try Place(output: output, isInPlace: isInPlace, areMany: areMany)
    }
  }

  @Test("have their folder made, and nothing for a file")
  func prepare() throws {
    try Place.folder(folder.path + "/new/").prepare()
    try Place.file(folder.path + "/other/a.ips").prepare()
    #expect(FileStatus(folder.path + "/new")?.kind == .folder)
    #expect(FileStatus(folder.path + "/other") == nil)
  }
}
