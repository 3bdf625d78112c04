import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas sdk verify and gc", .tool("python3")) struct StoreTests {
  let home: TemporaryFolder
  private var store: String { home.path + "/data/modules" }

  init() throws {
    home = try TemporaryFolder()
    for (name, content) in [("Demo", "demo"), ("Other", "other")] {
      let path = "\(home.path)/\(name)-1.2.tar"
      try SampleArchive.make("tar(module('\(name)', '1.2'), f('file', '\(content)'))", at: path)
      let outcome = try Command.run("StoreSubject", [store, home.path + "/project", "add", path])
      #expect(outcome.status == 0, "\(outcome.output)")
    }
  }

  private func run(_ arguments: String..., language: String = "en") throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["sdk"] + arguments, environment: ["MPAAS_HOME": home.path, "MPAAS_LANG": language, "NO_COLOR": "1"])
  }

  /// Damages the file of one module.
  private func damage(_ content: String) throws {
    let folder = store + "/files"
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let file = folder + "/" + path
      guard (try? String(contentsOfFile: file, encoding: .utf8)) == content else { continue }
      try FileManager.default.removeItem(atPath: file)
      try Data(content.uppercased().utf8).write(to: URL(filePath: file))
      return
    }
    Issue.record("no file has \(content)")
  }

  @Test("verify says that all is good, in both languages and as JSON")
  func good() throws {
    let outcome = try run("verify")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("All good: 2 modules, 4 files"), "\(outcome)")
    #expect(try run("verify", language: "zh-Hans").output.hasPrefix("全部完好"))
    let document = try json(run("verify", "--json").output)
    #expect(document["good"] as? Bool == true)
    #expect(document["files"] as? Int == 4)
    #expect((document["modules"] as? [[String: Any]])?.map { $0["state"] as? String } == ["good", "good"])
  }

  @Test(
    "a file that somebody changed in a project fails a frozen sync, is told by a plain one, and verify puts it back")
  func projects() throws {
    let document = try json(run("verify", "--json").output)
    let module = try #require((document["modules"] as? [[String: Any]])?.first { $0["name"] as? String == "Demo" })
    let sha256 = try #require(module["sha256"] as? String)
    let project = home.path + "/shop"
    try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(filePath: project + "/" + name))
    }
    try write(
      """
      [project]
      name = "Shop"
      [registries.main]
      url = "https://modules.invalid/"
      [modules]
      Demo = "*"

      """, "mpaas.toml")
    try write(
      """
      version = 1

      [[module]]
      name = "Demo"
      version = "1.2"
      registry = "main"
      sha256 = "\(sha256)"
      size = 10240

      """, "mpaas.lock")
    func sync(_ arguments: String...) throws -> Command.Outcome {
      try Command.run(
        "mpaas", ["module", "sync", "--offline", "--project", project] + arguments,
        environment: ["MPAAS_HOME": home.path, "MPAAS_LANG": "en", "NO_COLOR": "1"])
    }
    let placed = try sync("--frozen")
    #expect(placed.status == 0, "\(placed.errors)")
    let file = project + "/MPaaS/Modules/Demo/file"
    #expect(chmod(file, 0o644) == 0)
    try Data("DEMO".utf8).write(to: URL(filePath: file))
    let frozen = try sync("--frozen")
    #expect(frozen.status == 1, "\(frozen.errors)")
    #expect(frozen.errors.contains("is not Demo 1.2 as mpaas.lock has it: file"), "\(frozen.errors)")
    #expect(frozen.errors.contains("mpaas module sync --force"))
    let plain = try sync()
    #expect(plain.status == 0, "\(plain)")
    #expect(plain.output.contains("MPaaS/Modules/Demo/file was changed by hand"), "\(plain)")
    #expect(!plain.output.contains("Nothing to do"))
    let seen = try run("verify", "--no-mend")
    #expect(seen.status == 1, "\(seen.output)")
    #expect(seen.output.contains("MPaaS/Modules/Demo  changed by hand  file"), "\(seen.output)")
    let mended = try json(run("verify", "--json").output)
    #expect(mended["good"] as? Bool == true)
    let places = ((mended["projects"] as? [[String: Any]])?.first?["places"] as? [[String: Any]])?.first
    #expect(places?["state"] as? String == "mended")
    #expect(places?["files"] as? [String] == ["file"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "demo")
    #expect(try sync("--frozen").status == 0)
  }

  @Test("verify ends with 1 where damage is left, and tells the command that brings the module back")
  func lost() throws {
    try damage("demo")
    let seen = try run("verify", "--no-mend")
    #expect(seen.status == 1)
    #expect(seen.output.contains("file (damaged)"))
    #expect(seen.output.contains("mpaas sdk verify --mend"))
    #expect(try run("verify", "Other").status == 0)
    let document = try json(run("verify", "Demo@1.2", "--json").output)
    let module = try #require((document["modules"] as? [[String: Any]])?.first)
    #expect(document["good"] as? Bool == false)
    #expect(module["state"] as? String == "lost")
    #expect(module["command"] as? String == "mpaas sdk download Demo@1.2")
    #expect(try run("verify").status == 0)
    let unknown = try run("verify", "Demo")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("no module Demo"))
  }

  @Test("gc removes what no project uses, tells it first, and says when there is nothing to do")
  func collects() throws {
    let trial = try run("gc", "--dry-run")
    #expect(trial.status == 0, "\(trial)")
    #expect(trial.output.contains("2 modules would be removed"), "\(trial)")
    #expect(try json(run("gc", "--dry-run", "--json").output)["dry_run"] as? Bool == true)
    let done = try run("gc")
    #expect(done.output.contains("Demo"))
    #expect(done.output.contains("Removed 2 modules"))
    #expect(try run("gc").output.hasPrefix("Nothing to remove"))
    #expect(try run("gc", language: "zh-Hans").output.hasPrefix("没有可删除的内容"))
  }
}
