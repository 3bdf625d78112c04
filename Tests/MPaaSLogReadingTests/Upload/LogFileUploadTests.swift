import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTransfer
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload

@Suite("An upload of log files") struct LogFileUploadTests {
  let folder: TemporaryFolder
  let queue: TransferQueue
  private static let everything = LogFileUpload.Selection(from: -9e9, to: 9e9)

  init() throws {
    folder = try TemporaryFolder()
    let client = HTTPClient(exchange: { call throws(HTTPError) in throw HTTPError(.unreachable, url: call.url) })
    queue = try TransferQueue(folder.path + "/queue.sqlite", client: client)
  }

  private func upload(_ selection: LogFileUpload.Selection = everything) -> LogFileUpload {
    LogFileUpload(
      to: LogServer("http://server", token: nil), by: queue, archives: folder.path, selection,
      of: LogFileUpload.Origin(user: "u1"), over: .wifi, device: DeviceState(), created: 1_800_000_000)
  }

  private func write(_ name: String) throws -> String {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((0..<100).map { LogMergeTests.line($0, "m\($0)\n") }.joined().utf8).write(to: url)
    return url.path
  }

  private func transfer(of added: [LogFileUpload.Added]) throws -> Transfer {
    let first = try #require(added.first)
    return try #require(try upload().record(of: first)).transfer
  }

  private var archives: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".logs.zip") }.count
    }
  }

  @Test("takes a file as it is, with its digest and whose it is")
  func file() throws {
    let path = try write("a.log")
    let added = try upload().add([path])
    let transfer = try transfer(of: added)
    #expect(transfer.url == "http://server/uploads")
    #expect(FileSystem.name(of: transfer.file) == "a.log")
    #expect(!transfer.removesFile)
    #expect(transfer.network == .wifi)
    #expect(transfer.metadata["user"] == "u1")
    #expect(transfer.metadata["sha256"] == transfer.sha256)
    #expect(try upload().size(of: added) == FileStatus(path)?.size)
  }

  @Test("brings the same content once, whatever its names")
  func same() throws {
    let added = try upload().add([try write("a.log"), try write("b.log")])
    #expect(added.map { FileSystem.name(of: $0.path) } == ["b.log"])
  }

  @Test("packs a folder, and goes on with the archive that is there")
  func archive() throws {
    _ = try write("logs/diagnostic/2026-01-01/00.log")
    let first = try upload().add([folder.path + "/logs"])
    let second = try upload().add([folder.path + "/logs"])
    #expect(first.map(\.id) == second.map(\.id))
    #expect(try archives == 1)
    let transfer = try transfer(of: first)
    #expect(transfer.removesFile)
    #expect(transfer.metadata[UploadMetadata.type] == "application/zip")
  }

  @Test("packs a window of a file; another wish has another archive")
  func window() throws {
    let path = try write("logs/diagnostic/2026-01-01/00.log")
    var selection = Self.everything
    selection.since = "2026-01-01"
    _ = try upload(selection).add([path])
    // The end of the window moves on with the clock.
    selection.to -= 1
    _ = try upload(selection).add([path])
    #expect(try archives == 1)
    selection.types = [.diagnostic]
    _ = try upload(selection).add([path])
    #expect(try archives == 2)
  }

  @Test("asks again for what was given up before")
  func again() throws {
    let path = try write("a.log")
    let added = try #require(try upload().add([path]).first)
    try queue.cancel(added.id)
    #expect(try upload().record(of: added)?.state == .cancelled)
    #expect(try upload().add([path]).map(\.id) == [added.id])
    #expect(try upload().record(of: added)?.state == .waiting)
  }
}
