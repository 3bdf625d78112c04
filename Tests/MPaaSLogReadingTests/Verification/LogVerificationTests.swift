import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("A verification of logs") struct LogVerificationTests {
  let folder: TemporaryFolder
  private var logs: String { folder.path + "/logs" }
  private var file: String { logs + "/diagnostic/2023-11-14/22.mplog" }

  /// A folder with a file of 2000 records.
  init() throws {
    folder = try TemporaryFolder()
    var sample = try SampleLog()
    for block in 0..<40 { try sample.add(SampleLog.records(50, from: UInt64(block * 50 + 1))) }
    try sample.end()
    let url = URL(filePath: logs + "/diagnostic/2023-11-14/22.mplog")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(sample.bytes).write(to: url)
  }

  private func verify(_ paths: String...) throws -> LogVerification {
    try LogVerification(paths, keys: LogKeys(), temporary: TemporaryPlace(folder.path))
  }

  private func pack(_ name: String) throws -> String {
    let path = logs + "/" + name
    try LogPack.pack(LogPackRequest([file], from: 0, to: .max), to: path, created: 5)
    return path
  }

  @Test("of a folder looks at its files and at the packs in it")
  func folders() throws {
    let pack = try pack("p.zip")
    let found = try verify(logs)
    #expect(found.isWhole)
    #expect(found.files.map(\.path) == [file, pack + "/22.mplog"])
    #expect(found.files.compactMap(\.check?.records) == [2000, 2000])
    #expect(found.packs.map(\.path) == [pack])
  }

  @Test("finds a byte that was flipped")
  func flipped() throws {
    var bytes = try Data(contentsOf: URL(filePath: file))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: file))
    let found = try verify(file)
    #expect(!found.isWhole)
    #expect(found.files.first?.check?.isWhole == false)
  }

  @Test("tells of a pack that is cut short, which hides no other in the folder")
  func torn() throws {
    let whole = try Data(contentsOf: URL(filePath: try pack("p.zip")))
    try whole.prefix(whole.count * 3 / 4).write(to: URL(filePath: logs + "/cut.zip"))
    let found = try verify(logs)
    #expect(!found.isWhole)
    #expect(found.packs.map(\.isWhole) == [false, true])
  }

  @Test("refuses what was named and is no log, or is not there")
  func refused() throws {
    let path = folder.path + "/a.txt"
    try Data("text\n".utf8).write(to: URL(filePath: path))
    #expect(throws: LogError.self) { try verify(path) }
    #expect(throws: FileError.self) { try verify(folder.path + "/nowhere") }
  }
}
