import Foundation
import MPaaSTestSupport
import Testing

/// A folder with a patch, made here.
private struct Patch {
  let home: TemporaryFolder

  init(_ files: [String: String]) throws {
    home = try TemporaryFolder()
    for (name, text) in files {
      let file = home.url.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  func lint(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["hotpatch", "lint"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""],
      directory: home.url)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: home.url.appending(path: name), encoding: .utf8)
  }
}

private func object(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("mpaas hotpatch lint") struct HotpatchLintTests {
  private static let symbols = """
    {"app":"com.example.shop","version":"8.1.0",
    "functions":{"Cart.total":{"parameters":["[double]","double"],"result":"double"}}}
    """
  private static let good = "patch(\"Cart.total\", function(items, rate) return ORIG(items, rate) * 0.9 end)\n"

  @Test("a patch without faults ends with 0 and says so")
  func clean() throws {
    let patch = try Patch(["main.lua": Self.good, "symbols.json": Self.symbols])
    let outcome = try patch.lint("main.lua", "--symbols", "symbols.json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == "1 file, nothing found\n", "\(outcome)")
  }

  @Test("a finding has its place, its line with a mark, its rule, and ends with 1")
  func text() throws {
    let patch = try Patch(["main.lua": "-- 購物車\nlocal t = {'車', totle}\nreturn t\n"])
    let outcome = try patch.lint("main.lua")
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "main.lua:2:17: error: totle is no global of patches. [lua-undeclared-global]")
    #expect(lines.dropFirst().prefix(2) == ["  2 | local t = {'車', totle}", "    |                  ^^^^^"])
    #expect(lines.last == "Errors: 1, warnings: 0, notes: 0, in 1 of 1 files")
    let chinese = try patch.lint("main.lua", "--lang", "zh-Hans")
    #expect(chinese.output.contains("错误: totle 不是补丁可用的全局变量。"))
    #expect(try patch.lint("main.lua", "--color", "always").output.contains("\u{1b}[1;31m^^^^^"))
  }

  @Test("refusals 51 to 56 end with 1 and their own rules")
  func refusals() throws {
    let patch = try Patch([
      "symbols.json": Self.symbols, "51.lua": "\u{1b}Lua", "52.lua": "x = = 1", "53.lua": "log(somewhere)",
      "54.lua": "patch(\"Cart.steal\", function() end)", "55.lua": "patch(\"Cart.total\", function(a) return 1 end)",
      "56.lua": String(repeating: ";", count: 1 << 20) + ";",
      "56-deep.lua": "x = " + String(repeating: "(", count: 300),
    ])
    let rules = [
      "51": "lua-bytecode", "52": "lua-syntax", "53": "lua-undeclared-global", "54": "lua-symbol-unknown",
      "55": "lua-signature-mismatch", "56": "lua-too-large", "56-deep": "lua-too-deep",
    ]
    for (name, rule) in rules {
      let outcome = try patch.lint(name + ".lua", "--symbols", "symbols.json", "--json")
      #expect(outcome.status == 1)
      let findings = try object(outcome.output)["findings"] as? [[String: Any]]
      #expect(findings?.compactMap { $0["rule"] as? String }.contains(rule) == true, "\(name): \(outcome.output)")
    }
  }

  @Test("--json has each finding with place, severity and message, the same as --format json")
  func json() throws {
    let patch = try Patch(["a/main.lua": "local x = require('lib.y')\n", "a/lib/y.lua": "return 1\n", "a/z.txt": "("])
    let outcome = try patch.lint("a", "--json")
    let report = try object(outcome.output)
    #expect(outcome.status == 0)
    #expect(report["files"] as? Int == 2)
    #expect(report["warnings"] as? Int == 1)
    let finding = try #require((report["findings"] as? [[String: Any]])?.first)
    #expect(finding["file"] as? String == "a/main.lua")
    #expect(finding["rule"] as? String == "lua-unused-local")
    #expect(finding["line"] as? Int == 1)
    #expect(finding["column"] as? Int == 7)
    #expect(finding["end_column"] as? Int == 8)
    #expect(finding["severity"] as? String == "warning")
    #expect(finding["is_fixable"] as? Bool == false)
    #expect(try patch.lint("a", "--format", "json").output == outcome.output)
    #expect(try patch.lint("a", "--strict").status == 1)
    #expect(try patch.lint("a/main.lua").status == 0)
  }

  @Test("--format sarif has what SARIF 2.1.0 requires")
  func sarif() throws {
    let patch = try Patch(["my main.lua": "x = 1 \nlog(y)\n"])
    let outcome = try patch.lint("./my main.lua", "--format", "sarif")
    let log = try object(outcome.output)
    #expect(outcome.status == 1)
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(driver["name"] as? String == "mpaas")
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 3)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      #expect((result["message"] as? [String: Any])?["text"] as? String != "")
      let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
      #expect((location?["artifactLocation"] as? [String: Any])?["uri"] as? String == "my%20main.lua")
      #expect(((location?["region"] as? [String: Any])?["startLine"] as? Int ?? 0) >= 1)
    }
  }

  @Test("--fix writes what is safe, keeps the file's permissions, and changes nothing the second time")
  func fix() throws {
    let patch = try Patch(["main.lua": "total = 1  \nlocal unused = 2\nif total != 2 then log(total) end\n"])
    let path = patch.home.path + "/main.lua"
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let outcome = try patch.lint("main.lua", "--fix")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("main.lua: mended 4\n"))
    #expect(try patch.text("main.lua") == "local total = 1\nif total ~= 2 then log(total) end\n")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try patch.lint("main.lua", "--fix").output == "1 file, nothing found\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: patch.home.path) == ["main.lua"])
  }

  @Test("what cannot be read is an error of its own: no file, no Lua in a folder, a broken symbol list")
  func problems() throws {
    let patch = try Patch(["empty/readme.txt": "", "main.lua": Self.good, "broken.json": "{\"app\":1}"])
    #expect(try patch.lint("missing.lua").status == 66)
    let empty = try patch.lint("empty")
    #expect(empty.status == 66)
    #expect(empty.errors.contains("no Lua file in empty"))
    let broken = try patch.lint("main.lua", "--symbols", "broken.json", "--json")
    #expect(broken.status == 65)
    #expect(broken.errors.contains("\"symbol-list-malformed\""))
  }

  @Test("every rule has texts that mpaas explain knows")
  func rules() throws {
    let patch = try Patch([:])
    for rule in ["lua-forbidden", "lua-wax-misuse", "lua-trailing-space", "lua-too-deep", "lua-missing-return"] {
      let outcome = try Command.run("mpaas", ["explain", rule], environment: ["MPAAS_HOME": patch.home.path])
      #expect(outcome.status == 0, "\(rule)")
      #expect(outcome.output.count > 60, "\(rule)")
    }
  }
}
