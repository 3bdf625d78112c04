import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("An export of logs") struct LogExportTests {
  let folder: TemporaryFolder
  let identity = AgeIdentity.generate()

  init() throws { folder = try TemporaryFolder() }

  /// A file of 50 encrypted records, opened by the keys.
  private func inputs(_ keys: LogKeys) throws -> LogInputs {
    var sample = try SampleLog(recipients: [try #require(identity.recipient)])
    try sample.add(SampleLog.records(50))
    try sample.end()
    let path = folder.path + "/a.mplog"
    try Data(sample.bytes).write(to: URL(filePath: path))
    var opening = LogOpening()
    opening.keys = keys
    return try LogInputs([path], opening)
  }

  private func lines(_ form: LogExport.Form) throws -> [Substring] {
    var bytes: [UInt8] = []
    let problems = try LogExport(try inputs(LogKeys([identity])), as: form).write { bytes += $0 }
    #expect(problems.isEmpty)
    #expect(bytes.last == UInt8(ascii: "\n"))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  @Test("has each record as a JSON object on a line, with its number")
  func json() throws {
    let numbers = try lines(.json).map { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["sequence"] as? Int
    }
    #expect(numbers == Array(1...50))
  }

  @Test("has each record as text, its time by the clocks that were asked for")
  func text() throws {
    let heads = try lines(.text(.utc)).filter { $0.hasPrefix("2023-11-14T22:13:20.") }
    #expect(heads.count == 50)
  }

  @Test("goes to a file that only its owner can read")
  func file() throws {
    let path = folder.path + "/out.txt"
    #expect(try LogExport(try inputs(LogKeys([identity])), as: .json).write(to: path).isEmpty)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("leaves no file where a record cannot be read, and says why")
  func unreadable() throws {
    let path = folder.path + "/out.txt"
    let problems = try LogExport(try inputs(LogKeys([])), as: .json).write(to: path)
    #expect(problems.first?.code.exit == .notPermitted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.mplog"])
  }
}
