import Foundation
import MPaaSArchive
import MPaaSLogTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("A pack of logs", .tool("unzip")) struct LogPackTests {
  let folder: TemporaryFolder
  let identity = AgeIdentity.generate()
  static let start: Int64 = 1_700_000_000_000_000_000

  init() throws { folder = try TemporaryFolder() }

  /// A file of 20 blocks of 50 records; each record is 1.234 ms behind the one before.
  private func fill(_ type: LogType) throws -> SampleLog {
    var sample = try SampleLog(type, recipients: [try #require(identity.recipient)])
    for block in 0..<20 { try sample.add(SampleLog.records(50, from: UInt64(block * 50 + 1))) }
    try sample.end()
    let url = folder.url.appending(path: "logs/\(type.rawValue)/2023-11-14/22.mplog")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(sample.bytes).write(to: url)
    return sample
  }

  private func request(_ from: Int64 = 0, _ to: Int64 = .max) -> LogPackRequest {
    LogPackRequest([folder.url.appending(path: "logs").path], from: from, to: to)
  }

  private func unpack(_ archive: String) throws -> String {
    let target = folder.url.appending(path: UUID().uuidString).path
    #expect(try Command.run("unzip", ["-q", archive, "-d", target]).status == 0)
    return target
  }

  @Test("holds whole blocks of the window, still encrypted, and the digests are right", .tool("sha256sum"))
  func window() throws {
    let sample = try fill(.diagnostic)
    let archive = folder.url.appending(path: "a.zip").path
    let from = Self.start + 300 * 1_234_000
    let to = Self.start + 500 * 1_234_000
    var wanted = request(from, to)
    wanted.user = "u1"
    let manifest = try LogPack.pack(wanted, to: archive, created: 5)
    let entry = try #require(manifest.entries.first)
    #expect(manifest.entries.count == 1)
    #expect(entry.path == "diagnostic/2023-11-14/22.mplog")
    #expect(!entry.isWhole)
    let unpacked = try unpack(archive)
    let data = try Data(contentsOf: URL(filePath: unpacked + "/manifest.json"))
    #expect(try JSONDecoder().decode(LogPackManifest.self, from: data) == manifest)
    #expect(manifest.user == "u1")
    let path = unpacked + "/" + entry.path
    let digest = try Command.run("sha256sum", [path]).output
    #expect(digest.hasPrefix(entry.sha256))
    let file = try LogFile(path: path)
    #expect(file.gaps.isEmpty)
    #expect(file.isEncrypted)
    let records = try file.blocks.flatMap { try file.records(of: $0, keys: LogKeys([identity])) }
    #expect(records.count == entry.records)
    #expect(records.count < 400)
    let inside = sample.records.filter { ($0.time ?? 0) >= from && ($0.time ?? 0) < to }
    #expect(!inside.isEmpty)
    #expect(Set(inside.map(\.sequence)).isSubset(of: records.map(\.sequence)))
  }

  @Test("leaves out what may go over Wi-Fi only, and says so")
  func network() throws {
    _ = try fill(.diagnostic)
    _ = try fill(.performance)
    let archive = folder.url.appending(path: "a.zip").path
    var wanted = request()
    wanted.network = .any
    let manifest = try LogPack.pack(wanted, to: archive, created: 5)
    #expect(manifest.entries.map(\.type) == ["diagnostic"])
    #expect(manifest.leftOut.map(\.reason) == [.network])
    #expect(manifest.leftOut.map(\.type) == ["performance"])
    wanted.network = .wifi
    #expect(try LogPack.pack(wanted, to: archive, created: 5).entries.map(\.type) == ["diagnostic", "performance"])
    wanted.types = [.performance]
    #expect(try LogPack.pack(wanted, to: archive, created: 5).entries.map(\.type) == ["performance"])
    wanted.sizeLimit = 10
    let error = #expect(throws: LogError.self) { try LogPack.pack(wanted, to: archive, created: 5) }
    #expect(error?.code == .packEmpty)
  }

  @Test("of text holds the lines of the window")
  func text() throws {
    let url = folder.url.appending(path: "logs/behavior/2026-01-01/00.log")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let lines = (0..<100).map { LogMergeTests.line($0, "m\($0)\n  more") }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
    let first = try #require(LogTimeText.nanoseconds("2026-01-01T00:00:10Z", now: 0, zone: LogZone(.utc)))
    let archive = folder.url.appending(path: "a.zip").path
    let manifest = try LogPack.pack(request(first, first + 5_000_000_000), to: archive, created: 5)
    #expect(manifest.entries.map(\.records) == [5])
    let text = try String(contentsOfFile: try unpack(archive) + "/behavior/2026-01-01/00.log", encoding: .utf8)
    #expect(text == lines[10..<15].joined(separator: "\n") + "\n")
  }

  @Test("a tar is made too, and nothing is left behind where nothing is of the window", .tool("tar"), .tool("zstd"))
  func tar() throws {
    _ = try fill(.diagnostic)
    let archive = folder.url.appending(path: "a.tar.zst").path
    try LogPack.pack(request(), to: archive, format: .tarZstandard, created: 5)
    let listed = try Command.run("tar", ["--zstd", "-tf", archive]).output
    #expect(listed == "manifest.json\ndiagnostic/2023-11-14/22.mplog\n")
    let other = folder.url.appending(path: "b.zip").path
    #expect(throws: LogError.self) { try LogPack.pack(request(0, 1), to: other, created: 5) }
    #expect(!FileManager.default.fileExists(atPath: other))
  }
}
