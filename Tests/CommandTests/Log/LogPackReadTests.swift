import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas log over packs") struct LogPackReadTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let levels = ["INFO", "WARN", "ERROR"]
    let lines = (0..<300).map { number -> String in
      let time = String(format: "2026-01-01T00:%02d:%02d.000Z", number / 60, number % 60)
      return "\(time) \(levels[number % 3]) Tag\(number % 5) [7] order \(number)"
    }
    try write((lines.joined(separator: "\n") + "\n"), to: "text/app.log")
    #expect(try mpaas("key", "generate", "--name", "team", "--type", "age", "--unencrypted").status == 0)
    let written = try mpaas(
      "log", "write", "--folder", folder.path + "/logs", "--recipient", "team", input: "INFO a secret\nERROR b second\n"
    )
    #expect(written.status == 0, "\(written.errors)")
    let packed = try mpaas("log", "pack", folder.path + "/logs", folder.path + "/text/app.log", "-o", pack)
    #expect(packed.status == 0, "\(packed.errors)")
  }

  private var pack: String { folder.path + "/in/p.logs.zip" }

  private func write(_ text: String, to name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: folder.url.appending(path: "in"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func mpaas(_ arguments: String..., input: String? = nil, home: String = "home") throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments, input: input,
      environment: [
        "MPAAS_HOME": folder.url.appending(path: home).path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "",
        "TZ": "UTC", "MPAAS_LOG_FOLDER": "", "TMPDIR": folder.path + "/in",
      ])
  }

  private func object(_ outcome: Command.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  @Test("cat, search, tail, stats and decrypt read each file as it would be by itself; nothing is left behind")
  func reading() throws {
    let plain = try mpaas("log", "cat", folder.path + "/logs", folder.path + "/text/app.log")
    let packed = try mpaas("log", "cat", pack)
    #expect(packed.status == 0, "\(packed.errors)")
    #expect(packed.output == plain.output, "\(packed.errors)")
    #expect(packed.output.contains("secret"))
    #expect(packed.output.split(separator: "\n").count == 302)
    #expect(try mpaas("log", "search", "-c", "order 1", folder.path + "/in").output.contains("app.log:111"))
    let named = try mpaas("log", "search", "-H", "order 7", "-m", "1", pack)
    #expect(named.output == "\(pack)/app.log:2026-01-01T00:00:07.000Z WARN Tag2 [7] order 7\n")
    #expect(try mpaas("log", "tail", "-n", "2", pack + "/app.log").output.contains("order 299"))
    #expect(try object(try mpaas("log", "stats", pack, "--json"))["records"] as? Int == 302)
    #expect(try mpaas("log", "decrypt", pack).output.contains("second"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in") == ["p.logs.zip"])
  }

  @Test("without a key the encrypted files are not read, and the others are")
  func keys() throws {
    let outcome = try mpaas("log", "cat", pack, home: "other")
    #expect(outcome.status == 77)
    #expect(outcome.output.contains("order 5"))
    #expect(!outcome.output.contains("secret"))
  }

  @Test("ls shows the files of packs, verify holds them against the manifest")
  func verify() throws {
    let listed = try object(try mpaas("log", "ls", folder.path + "/in", "--json"))
    let files = try #require(listed["files"] as? [[String: Any]])
    #expect(files.count == 2)
    #expect(files.compactMap { $0["format"] as? String }.sorted() == ["mplog", "text"])
    #expect(files.allSatisfy { ($0["path"] as? String)?.hasPrefix(pack + "/") == true })
    let whole = try mpaas("log", "verify", pack, "--json")
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try object(whole)["whole"] as? Bool == true, "\(whole.errors)")
    let said = try mpaas("log", "verify", folder.path + "/in")
    #expect(said.status == 0)
    #expect(said.output.contains("p.logs.zip: whole, 2 files as the manifest says"))
    // A byte of a file's name in the directory and before the file: it is another one then.
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: pack)))
    let name = Array("app.log".utf8)
    for place in 0..<bytes.count - name.count where Array(bytes[place..<place + name.count]) == name {
      bytes[place] = UInt8(ascii: "b")
    }
    try Data(bytes).write(to: URL(filePath: pack))
    let damaged = try mpaas("log", "verify", pack, "--json")
    let found = try object(damaged)
    #expect(damaged.status == 1)
    #expect(found["whole"] as? Bool == false)
    let faults = try #require((found["packs"] as? [[String: Any]])?.first?["faults"] as? [[String: Any]])
    #expect(faults.first?["code"] as? String == "log-pack-file-unlisted")
    #expect(faults.first?["file"] as? String == "bpp.log")
    let problems = try #require(found["files"] as? [[String: Any]]).compactMap { $0["problem"] as? String }
    #expect(problems == ["log-pack-file-missing"])
    let read = try mpaas("log", "cat", pack)
    #expect(read.status == 65)
    #expect(read.output.contains("second"))
    #expect(read.errors.contains("app.log is not in \(pack), although the manifest names it"), "\(read.errors)")
  }

  @Test("a pack that is cut short, or is none, is told by its code")
  func refusals() throws {
    let bytes = try Data(contentsOf: URL(filePath: pack))
    try bytes.prefix(60).write(to: URL(filePath: pack))
    let cut = try mpaas("log", "verify", pack)
    #expect(cut.status == 65, "\(cut.errors)")
    #expect(cut.errors.contains("log-pack-unreadable"), "\(cut.errors)")
    #expect(try mpaas("log", "cat", pack).status == 65)
    #expect(try mpaas("log", "cat", folder.path + "/text/app.log/inside").status != 0)
  }
}
