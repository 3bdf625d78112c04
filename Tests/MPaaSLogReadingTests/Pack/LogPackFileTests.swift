import Foundation
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The file of a pack of logs") struct LogPackFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ work: () throws -> Void) -> DiagnosticID? {
    do {
      try work()
      return nil
    } catch {
      return (error as? Diagnostic)?.id
    }
  }

  @Test("tells its format by its name", arguments: ["a.zip", "a.tar.zst", ".zip"])
  func names(name: String) {
    #expect(code { _ = try LogPackFile(folder.path + "/" + name, replaces: false) } == nil)
  }

  @Test("of another name is refused, also where it is there", arguments: ["a", "a.tar", "a.zst", "zip", "a.ZIP"])
  func otherNames(name: String) throws {
    try Data().write(to: folder.url.appending(path: name))
    #expect(code { _ = try LogPackFile(folder.path + "/" + name, replaces: false) } == "log-pack-name")
  }

  @Test("that is there is replaced only where that is wanted")
  func replacing() throws {
    let path = folder.path + "/a.zip"
    try Data().write(to: URL(filePath: path))
    #expect(code { _ = try LogPackFile(path, replaces: false) } == "log-pack-exists")
    #expect(code { _ = try LogPackFile(path, replaces: true) } == nil)
  }

  @Test("has the size that is told with the manifest")
  func size() throws {
    let log = folder.url.appending(path: "logs/diagnostic/2026-01-01/00.log")
    try FileManager.default.createDirectory(at: log.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((0..<10).map { LogMergeTests.line($0, "m\($0)\n") }.joined().utf8).write(to: log)
    let file = try LogPackFile(folder.path + "/a.zip", replaces: false)
    let (manifest, size) = try file.pack(
      LogPackRequest([folder.path + "/logs"], from: .min, to: .max), created: 1)
    #expect(manifest.entries.count == 1)
    #expect(size > 0)
    #expect(FileStatus(file.path)?.size == size)
  }

  @Test("takes rules of types, the last of which counts")
  func rules() throws {
    var request = LogPackRequest([], from: 0, to: 1)
    try request.add(rules: ["performance=any", "crash=any", "crash=wifi"])
    #expect(request.rules[.performance] == .any)
    #expect(request.rules[LogType(rawValue: "crash")] == .wifi)
    #expect(request.rules[.network] == .wifi)
  }

  @Test(
    "refuses rules that are none", arguments: ["", "crash", "=wifi", "crash=", "crash=never", "a=b=any", "crash=WIFI"])
  func badRules(text: String) {
    var request = LogPackRequest([], from: 0, to: 1)
    #expect(throws: Diagnostic("log-pack-rule", ["value": text], exit: .usage)) { try request.add(rules: [text]) }
    #expect(request.rules == LogPackRequest.usualRules)
  }
}
