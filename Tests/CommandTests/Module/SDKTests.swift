import Foundation
import MPaaSTestSupport
import Testing

/// A signed registry of small modules in a folder, and a user who trusts it.
struct SDKRegistry {
  let folder: TemporaryFolder
  var repository: String { folder.path + "/repo" }
  var user: [String: String] { ["MPAAS_HOME": folder.path + "/user", "LC_ALL": "C"] }
  private var publisher: [String: String] { ["MPAAS_HOME": folder.path + "/publisher", "LC_ALL": "C"] }

  init(expires: [String] = []) throws {
    folder = try TemporaryFolder()
    #expect(try publish("key", "generate", "--name", "anna", "--unencrypted").status == 0)
    let made = try publish(["registry", "init", repository] + expires)
    #expect(made.status == 0, "\(made.errors)")
  }

  func publish(_ arguments: String...) throws -> Command.Outcome { try publish(arguments) }
  func publish(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run("mpaas", arguments, environment: publisher)
  }

  /// Offers `NAME-VERSION` with a dependency where one is named.
  func add(_ name: String, _ version: String, needs: String? = nil) throws {
    let source = "\(folder.path)/modules/\(name)-\(version)"
    try FileManager.default.createDirectory(atPath: source + "/src", withIntermediateDirectories: true)
    try "int \(name.lowercased());\n".write(toFile: source + "/src/a.c", atomically: true, encoding: .utf8)
    var text = """
      [module]
      name = "\(name)"
      version = "\(version)"
      summary = { en = "The \(name) library", zh-Hans = "\(name) 日志库" }
      license = "MIT"
      [notes]
      en = "New in \(version)"
      zh-Hans = "\(version) 的更新"
      [contents]
      sources = ["src"]

      """
    if let needs { text += "[dependencies]\n\(needs) = \"*\"\n" }
    try text.write(toFile: source + "/module.toml", atomically: true, encoding: .utf8)
    let archives = folder.path + "/archives-\(name)-\(version)"
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    #expect(try publish("registry", "pack", source, "--output", archives, "--quiet").status == 0)
    let added = try publish(
      "registry", "add", "\(archives)/\(name)-\(version).tar.zst", "--repository", repository, "--key", "anna")
    #expect(added.status == 0, "\(added.errors)")
  }

  func trust() throws {
    let root = repository + "/metadata/1.root.json"
    let added = try sdk("registry", "add", "main", repository, "--root", root)
    #expect(added.status == 0, "\(added.errors)")
  }

  func sdk(_ arguments: String...) throws -> Command.Outcome {
    try Command.run("mpaas", ["sdk"] + arguments, environment: user, directory: folder.url)
  }

  func rows(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try Command.run(
      "mpaas", ["sdk"] + arguments + ["--json"], environment: user, directory: folder.url)
    return try json(outcome.output)["modules"] as? [[String: Any]] ?? []
  }

  /// The identifier of the error that a call ends with.
  func refusal(_ arguments: String...) throws -> String? {
    let outcome = try Command.run(
      "mpaas", ["sdk"] + arguments + ["--json"], environment: user, directory: folder.url)
    guard outcome.status != 0 else { return nil }
    return (try json(outcome.errors)["error"] as? [String: Any])?["code"] as? String
  }
}

@Suite("mpaas sdk") struct SDKTests {
  static func sample() throws -> SDKRegistry {
    let registry = try SDKRegistry()
    try registry.add("UTDID", "1.0.0")
    try registry.add("APLog", "1.0.0", needs: "UTDID")
    try registry.add("APLog", "1.1.0", needs: "UTDID")
    try registry.trust()
    return registry
  }

  @Test("shows what is missing, downloads it, and then has nothing to do")
  func documentedCommands() throws {
    let registry = try Self.sample()
    let empty = try registry.sdk()
    #expect(empty.output.hasPrefix("Framework  Local    Remote"))
    #expect(empty.output.contains("APLog      Missing  1.1.0"))
    #expect(try registry.rows().map { $0["state"] as? String } == ["missing", "missing"])
    let old = try registry.sdk("download", "APLog@1.0.0")
    #expect(old.status == 0)
    #expect(old.errors.contains("APLog 1.0.0: downloading"))
    #expect(old.errors.contains("APLog 1.0.0: done"))
    #expect(try registry.sdk().output.contains("APLog      1.0.0    1.1.0   differs"))
    let plan = try registry.rows("update", "--dry-run")
    #expect(plan.map { $0["name"] as? String } == ["APLog", "UTDID"])
    #expect(plan[0]["from"] as? String == "1.0.0")
    #expect((plan[0]["notes"] as? [Any])?.count == 1)
    #expect(try registry.rows().map { $0["state"] as? String } == ["outdated", "missing"])
    #expect(try registry.sdk("update").status == 0)
    #expect(try registry.rows().map { $0["state"] as? String } == ["current", "current"])
    #expect(try registry.rows("update").isEmpty)
    #expect(try registry.rows("update", "APLog").count == 1, "a named module is downloaded again")
  }

  @Test("a word that is no module and nearly a command is told as that, one near a module as that")
  func closest() throws {
    let registry = try Self.sample()
    let command = try registry.sdk("updat")
    #expect(command.status == 64)
    #expect(command.errors.contains("mpaas sdk update"))
    let module = try registry.sdk("Aplog")
    #expect(module.status == 66)
    #expect(module.errors.contains("\"APLog\""))
  }

  @Test("an older version that is brought besides has no notes of newer ones")
  func older() throws {
    let registry = try Self.sample()
    #expect(try registry.sdk("update").status == 0)
    let rows = try registry.rows("download", "APLog@1.0.0", "--dry-run")
    try #require(rows.count == 1)
    #expect(rows[0]["from"] as? String == nil)
  }

  @Test("has a cyan background on a terminal where local and remote differ")
  func terminal() throws {
    let registry = try Self.sample()
    _ = try registry.sdk("download", "APLog@1.0.0")
    let seen = try Pty.run(
      "mpaas", ["sdk"], environment: registry.user.merging(["TERM": "xterm", "NO_COLOR": ""]) { $1 })
    #expect(seen.output.contains("\u{1b}[30;46m1.0.0\u{1b}[0m"))
    #expect(seen.output.contains("\u{1b}[30;46mMissing\u{1b}[0m"))
  }

  @Test("tells all about a module in both languages, and the nearest name of one that is not there")
  func details() throws {
    let registry = try Self.sample()
    let english = try registry.sdk("APLog").output
    let first = try #require(english.firstRange(of: "The APLog library"))
    let second = try #require(english.firstRange(of: "APLog 日志库"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(english.contains("depends on UTDID *"))
    #expect(english.contains("1.0.0 的更新"))
    let chinese = try registry.sdk("APLog", "--lang", "zh-Hans").output
    let one = try #require(chinese.firstRange(of: "APLog 日志库"))
    let other = try #require(chinese.firstRange(of: "The APLog library"))
    #expect(one.lowerBound < other.lowerBound)
    let module = try json(registry.sdk("--json", "APLog").output)
    #expect((module["versions"] as? [[String: Any]])?.map { $0["version"] as? String } == ["1.1.0", "1.0.0"])
    #expect((module["summary"] as? [String: String])?["zh_hans"] == "APLog 日志库")
    let near = try registry.sdk("APLgo")
    #expect(near.status == 66)
    #expect(near.errors.contains("APLog"))
    #expect(try registry.sdk("download", "APLog@9").status == 66)
    #expect(try registry.rows("AP*").count == 1)
  }

  @Test("finds by name, summary and notes in both languages, and tells what is outdated with its notes")
  func searchAndOutdated() throws {
    let registry = try Self.sample()
    #expect(try registry.rows("search", "日志").count == 2)
    #expect(try registry.rows("search", "aplog").count == 1)
    #expect(try registry.sdk("search", "nothing-of-the-kind").status == 1)
    #expect(try registry.sdk("outdated", "--exit-code").status == 0)
    _ = try registry.sdk("download", "APLog@1.0.0")
    #expect(try registry.sdk("outdated").status == 0)
    #expect(try registry.sdk("outdated", "--exit-code").status == 1)
    let row = try #require(try registry.rows("outdated").first)
    #expect(row["current"] as? String == "1.0.0")
    #expect(row["newest"] as? String == "1.1.0")
    #expect((row["notes"] as? [[String: Any]])?.first?["version"] as? String == "1.1.0")
  }

  @Test("asks nobody offline, and a vendored folder is a registry")
  func offline() throws {
    let registry = try Self.sample()
    let vendor = registry.folder.path + "/vendor"
    #expect(try registry.sdk("vendor", vendor, "APLog@1.1.0").status == 0)
    let other = registry.user.merging(["MPAAS_HOME": registry.folder.path + "/other"]) { $1 }
    let added = try Command.run(
      "mpaas", ["sdk", "registry", "add", "main", vendor, "--root", vendor + "/root.json", "--offline"],
      environment: other)
    #expect(added.status == 0, "\(added.errors)")
    let brought = try Command.run("mpaas", ["sdk", "download", "APLog", "--offline"], environment: other)
    #expect(brought.status == 0, "\(brought.errors)")
    let missing = try Command.run("mpaas", ["sdk", "download", "UTDID", "--offline"], environment: other)
    #expect(missing.status != 0)
    // Without its folder the first user still sees what was trusted.
    try FileManager.default.moveItem(atPath: registry.repository, toPath: registry.repository + "-gone")
    #expect(try registry.rows("--offline").count == 2)
    #expect(try registry.rows().count == 2, "asked a moment ago")
    #expect(try registry.sdk("--refresh").status == 69)
  }

  @Test("trusts a registry by its root or fingerprint only")
  func registries() throws {
    let registry = try SDKRegistry()
    #expect(try registry.refusal() == "registry-none")
    let unasked = try registry.sdk("registry", "add", "main", registry.repository)
    #expect(unasked.status == 64)
    #expect(unasked.errors.contains("--root FILE"))
    #expect(unasked.errors.contains("--fingerprint HEX"))
    let wrong = String(repeating: "0", count: 64)
    #expect(
      try registry.refusal("registry", "add", "main", registry.repository, "--fingerprint", wrong)
        == "registry-fingerprint")
    try registry.trust()
    #expect(try registry.refusal("registry", "add", "main", registry.repository) != nil)
    #expect(try registry.sdk("registry", "list").output.contains("main"))
    #expect(try registry.refusal("--registry", "mian") == "registry-unknown-near")
    #expect(try registry.sdk("registry", "remove", "main").status == 0)
    #expect(try registry.refusal("registry", "remove", "main") == "registry-unknown")
  }

  @Test("refuses a repository that was changed, taken back or kept back, and notices a changed cache")
  func tampering() throws {
    let registry = try Self.sample()
    let manager = FileManager.default
    let repository = URL(filePath: registry.repository)
    let old = registry.folder.url.appending(path: "old")
    try manager.copyItem(at: repository, to: old)
    // A changed cache is no more than a missing one.
    let cache = registry.folder.path + "/user/data/registries/main/indexes"
    var bytes = try Data(contentsOf: URL(filePath: cache))
    bytes[bytes.count - 10] ^= 1
    try bytes.write(to: URL(filePath: cache))
    #expect(try registry.refusal("--offline") == nil, "the folder has it")
    try registry.add("APLog", "1.2.0")
    #expect(try registry.refusal("--refresh") == nil)
    try manager.removeItem(at: repository)
    try manager.copyItem(at: old, to: repository)
    #expect(try registry.refusal("--refresh") == "metadata-rollback")
    // An index that is not what the metadata says.
    let fresh = try Self.sample()
    try fresh.add("MPaaS", "1.0.0")
    let folder = fresh.repository + "/targets/sdk/MPaaS"
    let index = try #require(try manager.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".index.json") })
    var text = try Data(contentsOf: URL(filePath: folder + "/" + index))
    text[20] ^= 1
    try text.write(to: URL(filePath: folder + "/" + index))
    #expect(try fresh.refusal("--refresh") == "target-digest-mismatch")
    // A timestamp that somebody wrote.
    let timestamp = URL(filePath: fresh.repository + "/metadata/timestamp.json")
    let signed = try String(contentsOf: timestamp, encoding: .utf8)
    try signed.replacing("\"version\":", with: "\"version\":9").write(to: timestamp, atomically: true, encoding: .utf8)
    #expect(try fresh.refusal("--refresh") == "metadata-below-threshold")
  }
}
