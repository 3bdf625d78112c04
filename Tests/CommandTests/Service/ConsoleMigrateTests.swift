import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas console migrate") struct ConsoleMigrateTests {
  private func migrate(_ it: ServedLogs, _ words: String..., language: String = "") throws -> Command.Outcome {
    try mpaas(
      ["console", "migrate", "--data", it.home.path + "/server"] + words, home: it.home,
      environment: ["MPAAS_LANG": language])
  }

  @Test("moves a console to another database, says what it did and how to go on, and serves from there")
  func migrates() throws {
    let it = try ServedLogs()
    let target = it.home.path + "/target.sqlite"
    #expect(try migrate(it, "--to", "sqlite:\(target)").status == 75)
    #expect(!FileManager.default.fileExists(atPath: target))
    #expect(it.program.end(SIGTERM) == 0)
    let moved = try migrate(it, "--to", "sqlite:\(target)")
    #expect(moved.status == 0 && moved.errors.isEmpty, "\(moved)")
    let source = it.home.path + "/server/mpaas.sqlite"
    let lines = moved.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("Migrated from \(source) to \(target): "), "\(moved.output)")
    #expect(lines[1].hasSuffix("--database 'sqlite:\(target)'"), "\(moved.output)")
    let served = try RunningProgram(
      Command.mpaas.path,
      [
        "serve", "--data", it.home.path + "/server", "--listen", "127.0.0.1:0", "--json", "--database",
        "sqlite:\(target)",
      ], environment: ["MPAAS_HOME": it.home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let url = try #require(try json(served.line)["url"] as? String)
    let list = try mpaas(
      ["console", "token", "list", "--json"], home: it.home,
      environment: ["MPAAS_SERVER_URL": url, "MPAAS_TOKEN": it.token])
    #expect(list.status == 0, "\(list)")
    #expect(served.end(SIGTERM) == 0)
  }

  @Test("prints JSON, and refuses in both languages a target with rows, wrong words, and what is not there")
  func refuses() throws {
    let it = try ServedLogs()
    #expect(it.program.end(SIGTERM) == 0)
    let target = "sqlite:\(it.home.path)/target.sqlite"
    let moved = try migrate(it, "--to", target, "--json")
    let report = try json(moved.output)
    #expect(moved.status == 0 && report["data"] as? String == it.home.path + "/server", "\(moved)")
    let keys = ["copied", "data", "from", "rate", "rows", "schema", "seconds", "tables", "to"]
    #expect(report.keys.sorted() == keys)
    #expect(report["rows"] as? Int == report["copied"] as? Int && report["rows"] as? Int ?? 0 > 2)
    let english = try migrate(it, "--to", target), chinese = try migrate(it, "--to", target, language: "zh-Hans")
    #expect(english.status == 73 && english.errors.contains("has rows already"), "\(english)")
    #expect(chinese.status == 73 && chinese.errors.contains("中已有数据行"), "\(chinese)")
    #expect(english.output.isEmpty && chinese.output.isEmpty)
    #expect(try migrate(it).status == 64)
    #expect(try migrate(it, "--to", "mysql:x").status == 64)
    #expect(try migrate(it, "--to", it.home.path + "/plain.sqlite").status == 64)
    #expect(try migrate(it, "--from", "sqlite:", "--to", target).status == 64)
    #expect(try migrate(it, "--from", target, "--to", target).status == 64)
    #expect(try migrate(it, "--from", "sqlite:/nowhere/a.sqlite", "--to", target).status == 66)
    let elsewhere = ["console", "migrate", "--data", it.home.path + "/none", "--to", target]
    #expect(try mpaas(elsewhere, home: it.home).status == 66)
    #expect(!FileManager.default.fileExists(atPath: it.home.path + "/none"))
  }
}
