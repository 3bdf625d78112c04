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
    #expect(outcome.status == 0 && outcome.output.hasPrefix("All good: 2 modules, 4 files"), "\(outcome)")
    #expect(try run("verify", language: "zh-Hans").output.hasPrefix("全部完好"))
    let document = try json(run("verify", "--json").output)
    #expect(document["good"] as? Bool == true && document["files"] as? Int == 4)
    #expect((document["modules"] as? [[String: Any]])?.map { $0["state"] as? String } == ["good", "good"])
  }

  @Test("verify ends with 1 where damage is left, and tells the command that brings the module back")
  func lost() throws {
    try damage("demo")
    let seen = try run("verify", "--no-mend")
    #expect(
      seen.status == 1 && seen.output.contains("file (damaged)") && seen.output.contains("mpaas sdk verify --mend"))
    #expect(try run("verify", "Other").status == 0)
    let document = try json(run("verify", "Demo@1.2", "--json").output)
    let module = try #require((document["modules"] as? [[String: Any]])?.first)
    #expect(document["good"] as? Bool == false)
    #expect(module["state"] as? String == "lost" && module["command"] as? String == "mpaas sdk download Demo@1.2")
    #expect(try run("verify").status == 0)
    let unknown = try run("verify", "Demo")
    #expect(unknown.status == 66 && unknown.errors.contains("no module Demo"))
  }

  @Test("gc removes what no project uses, tells it first, and says when there is nothing to do")
  func collects() throws {
    let trial = try run("gc", "--dry-run")
    #expect(trial.status == 0 && trial.output.contains("2 modules would be removed"), "\(trial)")
    #expect(try json(run("gc", "--dry-run", "--json").output)["dry_run"] as? Bool == true)
    let done = try run("gc")
    #expect(done.output.contains("Demo") && done.output.contains("Removed 2 modules"))
    #expect(try run("gc").output.hasPrefix("Nothing to remove"))
    #expect(try run("gc", language: "zh-Hans").output.hasPrefix("没有可删除的内容"))
  }
}
