import Foundation
import MPaaSArchive
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("A pack that is read") struct PackReadingTests {
  let folder: TemporaryFolder
  let identity = AgeIdentity.generate()

  init() throws { folder = try TemporaryFolder() }

  private var logs: String { folder.url.appending(path: "logs").path }

  private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// An encrypted file of ours, one of text and one of JSON lines.
  private func fill(blocks: Int = 8) throws {
    var sample = try SampleLog(.diagnostic, recipients: [try #require(identity.recipient)])
    for block in 0..<blocks { try sample.add(SampleLog.records(50, from: UInt64(block * 50 + 1))) }
    try sample.end()
    try write(sample.bytes, to: "logs/diagnostic/2023-11-14/22.mplog")
    let lines = (0..<200).map { LogMergeTests.line($0, "text \($0)\n  more") }
    try write((lines.joined(separator: "\n") + "\n").utf8, to: "logs/behavior/2026-01-01/00.log")
    let json = #"{"ts":1767225600.5,"level":"error","logger":"db","msg":"slow","user":"u1"}"#
    try write((json + "\n").utf8, to: "logs/crash.jsonl")
  }

  private func pack(_ name: String = "p.zip", _ format: LogPack.Format = .zip) throws -> String {
    let path = folder.url.appending(path: name).path
    try FileManager.default.createDirectory(
      atPath: FileSystem.folder(of: path), withIntermediateDirectories: true)
    try LogPack.pack(LogPackRequest([logs], from: 0, to: .max), to: path, format: format, created: 5)
    return path
  }

  private var opening: LogOpening {
    var opening = LogOpening()
    opening.keys = LogKeys([identity])
    opening.zone = LogZone(.utc)
    opening.temporary = TemporaryPlace(folder.path)
    return opening
  }

  /// Each record as a line, in the order that they are told in.
  private func records(_ path: String, _ query: LogQuery = LogQuery()) throws -> (lines: [String], problems: [LogError])
  {
    var text = LogText(.utc)
    var lines: [String] = []
    let summary = try LogMerge(try LogInputs([path], opening, query: query), LogReadOptions(query)).run { item in
      var line: [UInt8] = []
      text.append(item.record, to: &line)
      lines.append(String(decoding: line, as: UTF8.self))
      return true
    }
    return (lines, summary.problems)
  }

  @Test("gives what its files give by themselves, and leaves nothing behind", arguments: ["p.zip", "p.tar.zst"])
  func same(_ name: String) throws {
    try fill()
    let path = try pack(name, name.hasSuffix("zip") ? .zip : .tarZstandard)
    let plain = try records(logs)
    let packed = try records(path)
    #expect(plain.lines.count == 601)
    #expect(packed.lines == plain.lines)
    #expect(packed.problems.isEmpty)
    var query = LogQuery()
    query.level = .warning
    query.types = [.diagnostic]
    query.pattern = try LogPattern("1", .literal)
    let found = try records(path, query).lines
    #expect(!found.isEmpty)
    #expect(try found == records(logs, query).lines)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["logs", name])
  }

  @Test("is found in a folder beside other files, and can be entered as a folder")
  func places() throws {
    try fill()
    let path = try pack("in/p.zip")
    try write("2026-01-01T00:00:01Z INFO a b\n".utf8, to: "in/other.log")
    try FileManager.default.copyItem(atPath: path, toPath: folder.url.appending(path: "in/q.zip").path)
    let all = try records(folder.url.appending(path: "in").path)
    #expect(all.lines.count == 2 * 601 + 1)
    #expect(all.problems.isEmpty)
    #expect(try records(path + "/behavior").lines.count == 200)
    #expect(try records(path + "/crash.jsonl").lines.count == 1)
    #expect(try records(path + "/nothing").lines.isEmpty)
    let bytes = try Bytes.mapping(path)
    let piped = try LogMerge(LogInputs(bytes, name: "-", now: 0, opening), LogReadOptions()).count()
    #expect(piped.matches == 601)
    let rows = LogListing.all(try LogFiles.files(in: [path]), opening)
    #expect(
      rows.map(\.path)
        == ["behavior/2026-01-01/00.log", "crash.jsonl", "diagnostic/2023-11-14/22.mplog"].map { path + "/" + $0 })
    #expect(rows.map(\.format) == [.text, .json, .mplog])
    #expect(rows.map(\.records) == [nil, nil, 400])
  }

  @Test("is not packed again with the folder that it lies in")
  func again() throws {
    try fill()
    _ = try pack("logs/p.zip")
    let manifest = try LogPack.pack(
      LogPackRequest([logs], from: 0, to: .max), to: folder.url.appending(path: "q.zip").path, created: 5)
    #expect(manifest.entries.count == 3)
  }

  @Test("says which files are changed, missing or more than the manifest names", .tool("zip"))
  func damage() throws {
    try fill()
    let whole = try pack()
    let check = try #require(
      try LogPackCheck(path: whole, keys: LogKeys([identity]), temporary: TemporaryPlace(folder.path)))
    #expect(check.isWhole)
    #expect(check.files.count == 3)
    #expect(check.files.compactMap(\.check?.records) == [400])
    // In place of what was packed.
    try write("2026-01-01T00:00:01Z INFO a forged\n".utf8, to: "new/behavior/2026-01-01/00.log")
    try write("2026-01-01T00:00:01Z INFO a added\n".utf8, to: "new/added.log")
    let zip = ["-c", "cd \"$0\" && zip -q -r \"$1\" . && zip -q -d \"$1\" crash.jsonl", folder.path + "/new", whole]
    #expect(try Command.run("sh", zip).status == 0)
    let other = try #require(
      try LogPackCheck(path: whole, keys: LogKeys([identity]), temporary: TemporaryPlace(folder.path)))
    let problems = Dictionary(
      other.files.map { (String($0.path.dropFirst(whole.count + 1)), $0.problem?.code) },
      uniquingKeysWith: { first, _ in first })
    #expect(
      problems == [
        "behavior/2026-01-01/00.log": .packDamaged, "crash.jsonl": .packFileMissing,
        "diagnostic/2023-11-14/22.mplog": nil,
      ])
    #expect(other.faults.map(\.code) == [.packFileUnlisted])
    #expect(other.faults.first?.values["file"] == "added.log")
    let read = try records(whole)
    #expect(read.lines.count == 401)
    #expect(!read.lines.contains { $0.contains("added") })
    #expect(Set(read.problems.map(\.code)) == [.packDamaged, .packFileMissing, .packFileUnlisted])
  }

  @Test("needs a manifest where nobody asked for it", .tool("zip"))
  func others() throws {
    try write("2026-01-01T00:00:01Z INFO a b\n".utf8, to: "new/app.log")
    try write("no log".utf8, to: "new/program.bin")
    try write([], to: "in/empty.log")
    let zip = folder.path + "/in/other.zip"
    #expect(try Command.run("sh", ["-c", "cd \"$0\" && zip -q -r \"$1\" .", folder.path + "/new", zip]).status == 0)
    let found = try records(folder.path + "/in")
    #expect(found.lines.isEmpty)
    #expect(found.problems.isEmpty)
    #expect(try records(zip).lines.count == 1)
    let error = #expect(throws: LogError.self) {
      try LogPackCheck(path: zip, keys: LogKeys(), temporary: TemporaryPlace(folder.path))
    }
    #expect(error?.code == .packUnreadable)
  }

  @Test("gives what stands before the place where it was cut, and says so")
  func torn() throws {
    try fill(blocks: 40)
    let whole = try Data(contentsOf: URL(filePath: try pack()))
    let path = folder.url.appending(path: "cut.zip").path
    try whole.prefix(whole.count * 3 / 4).write(to: URL(filePath: path))
    let read = try records(path)
    #expect(!read.lines.isEmpty)
    #expect(read.lines.count < 2201)
    #expect(read.problems.contains { $0.code == .packUnreadable })
    #expect(read.problems.contains { $0.code == .packDamaged })
    // Only the directory at its end.
    try whole.dropLast(1).write(to: URL(filePath: path))
    #expect(try records(path).problems.map(\.code) == [.packUnreadable])
    try whole.prefix(100).write(to: URL(filePath: path))
    #expect(throws: LogError.self) { try records(path) }
  }

  @Test("does not unpack more than the limits allow")
  func limits() throws {
    try fill()
    let path = try pack()
    let bytes = try Bytes.mapping(path)
    func code(_ change: (inout LogPackLimits) -> Void) -> LogError.Code? {
      var limits = LogPackLimits()
      limits.ratio = 0
      change(&limits)
      do throws(LogError) {
        _ = try LogPackContents(bytes, path: path, temporary: TemporaryPlace(folder.path), limits: limits)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code { _ in } == nil)
    #expect(code { $0.total = 10_000 } == .packTooLarge)
    #expect(code { $0.entries = 2 } == .packTooLarge)
    #expect(code { $0.manifest = 100 } == .packTooLarge)
    #expect(code { $0.path = 20 } == nil)
    let missing = folder.path + "/nosuch"
    #expect(throws: LogError.self) { try LogPackContents(bytes, path: path, temporary: TemporaryPlace(missing)) }
  }

  @Test("of any bytes is read without a crash, and never gives a record of ours that was not packed")
  func mutations() throws {
    try fill(blocks: 3)
    let whole = try [UInt8](Data(contentsOf: URL(filePath: try pack())))
    let wanted = Set(try records(folder.url.appending(path: "logs/diagnostic").path).lines)
    let path = folder.url.appending(path: "m.zip").path
    var random = SeededRandom(seed: 41)
    for _ in 0..<SeededRandom.rounds(or: 150) {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1:
        let start = Int.random(in: 0..<bytes.count, using: &random)
        bytes.removeSubrange(start..<min(bytes.count, start + Int.random(in: 1..<500, using: &random)))
      default:
        for _ in 0..<Int.random(in: 1..<8, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      try Data(bytes).write(to: URL(filePath: path))
      var query = LogQuery()
      query.types = [.diagnostic]
      guard let read = try? records(path, query) else { continue }
      let ours = read.lines.filter { !$0.contains("text ") && !$0.contains("slow") }
      #expect(wanted.isSuperset(of: ours))
      if bytes == whole || Set(ours) == wanted { continue }
      #expect(!read.problems.isEmpty)
    }
  }
}
