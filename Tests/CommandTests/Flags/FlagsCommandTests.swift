import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas flags") struct FlagsCommandTests {
  static let state = #"""
    {"version": 2, "features": [
      {"name": "new-search", "type": "release", "description": "Search by pinyin.", "enabled": true, "strategies": [
        {"name": "flexibleRollout", "parameters": {"rollout": "50", "stickiness": "userId", "groupId": "g"},
         "constraints": [{"contextName": "city", "operator": "IN", "values": ["杭州"]}], "segments": [1]}],
       "variants": [{"name": "blue", "weight": 1, "payload": {"type": "string", "value": "b"}}]},
      {"name": "kill", "type": "kill-switch", "enabled": false}],
     "segments": [{"id": 1, "name": "beta", "constraints": [
       {"contextName": "version", "operator": "SEMVER_GT", "value": "1.0.0"}]}]}
    """#

  static let context = #"{"userId":"2","properties":{"city":"杭州","version":"1.2.0"}}"#

  static func folder(_ files: [String: String] = ["state.json": Self.state]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files { try Data(text.utf8).write(to: folder.url.appending(path: name)) }
    return folder
  }

  @Test("eval answers each case in a line, in their order, as an array or a line each")
  func eval() throws {
    let cases = [
      #"{"kind":"enabled","toggleName":"new-search","context":\#(Self.context)}"#,
      #"{"kind":"variant","toggleName":"new-search","context":\#(Self.context)}"#,
      #"{"kind":"variant","toggleName":"kill","context":{}}"#, #"{"toggleName":"absent","context":{}}"#,
    ]
    let folder = try Self.folder([
      "state.json": Self.state, "lines.jsonl": cases.joined(separator: "\n"),
      "array.json": "[" + cases.joined(separator: ",") + "]",
    ])
    for file in ["lines.jsonl", "array.json"] {
      let outcome = try mpaas(
        "flags", "eval", "--state", folder.path + "/state.json", "--cases", folder.path + "/" + file, "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.output == #"""
          {"result":true}
          {"result":{"enabled":true,"feature_enabled":true,"name":"blue","payload":{"type":"string","value":"b"}}}
          {"result":{"enabled":false,"feature_enabled":false,"name":"disabled"}}
          {"result":false}

          """#)
    }
  }

  @Test("eval refuses a state or a case that is malformed, and says where")
  func malformed() throws {
    let folder = try Self.folder([
      "state.json": Self.state, "broken.json": "{\n  \"features\": [}", "cases.json": "[{\"toggleName\":1}]",
    ])
    let broken = try mpaas(
      "flags", "eval", "--state", folder.path + "/broken.json", "--cases", folder.path + "/cases.json", "--json")
    #expect(broken.status == 65 && broken.output.isEmpty)
    #expect(broken.errors.contains("flags-malformed"), "\(broken.errors)")
    let text = try mpaas("flags", "list", "--state", folder.path + "/broken.json")
    #expect(text.errors.contains("broken.json:2:16"), "\(text.errors)")
    let cases = try mpaas(
      "flags", "eval", "--state", folder.path + "/state.json", "--cases", folder.path + "/cases.json")
    #expect(cases.status == 65 && cases.errors.contains("Case 1"), "\(cases.errors)")
  }

  @Test("explain names the strategy that decides, its bucket, and the values that constraints were held against")
  func explain() throws {
    let folder = try Self.folder()
    let path = folder.path + "/state.json"
    let text = try mpaas("flags", "explain", "--state", path, "new-search", "--context", Self.context)
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.output.contains("new-search: on (strategy 1 holds)"), "\(text.output)")
    #expect(text.output.contains("SEMVER_GT 1.0.0 (1.2.0)"), "\(text.output)")
    let outcome = try mpaas("flags", "explain", "--state", path, "new-search", "--context", "{}", "--json")
    let answer = try json(outcome.output)
    #expect(answer["enabled"] as? Bool == false && answer["decision"] as? String == "no-strategy-holds")
    let strategies = try #require(answer["strategies"] as? [[String: Any]])
    #expect(strategies.count == 1 && strategies[0]["percentage"] as? Int == 50 && strategies[0]["bucket"] == nil)
    let absent = try mpaas("flags", "explain", "--state", path, "new-serach")
    #expect(absent.status == 1 && absent.errors.contains("new-search"), "\(absent.errors)")
  }

  @Test("a context that is not JSON, a kind that is misspelled and an empty name are refused with what is wrong")
  func options() throws {
    let folder = try Self.folder()
    let path = folder.path + "/state.json"
    let context = try mpaas("flags", "explain", "--state", path, "kill", "--context", "{\"userId\":\"7\"")
    #expect(context.status == 65 && context.errors.contains("The context is not JSON: an end too early"), "\(context)")
    let chinese = try mpaas("flags", "explain", "--state", path, "kill", "--context", "{", "--lang", "zh-Hans")
    #expect(chinese.errors.contains("第 2 列内容提前结束"), "\(chinese)")
    #expect(try mpaas("explain", "flags-context-json").output.contains(#"{"userId":"7","properties":{"city":"杭州"}}"#))
    let kind = try mpaas("flags", "set", "kill", "--type", "kill-swich", "--server", "http://127.0.0.1:1")
    #expect(kind.status == 64 && kind.errors.contains("did you mean 'kill-switch'?"), "\(kind)")
    #expect(try mpaas("flags", "create", " ", "--server", "http://127.0.0.1:1").status == 64)
    #expect(try mpaas("flags", "history", "--limit", "0", "--server", "http://127.0.0.1:1").status == 64)
  }

  @Test("list and show print the flags of a state")
  func list() throws {
    let folder = try Self.folder()
    let path = folder.path + "/state.json"
    let list = try json(try mpaas("flags", "list", "--state", path, "--json").output)
    let flags = try #require(list["flags"] as? [[String: Any]])
    #expect(flags.map { $0["name"] as? String } == ["new-search", "kill"])
    let show = try mpaas("flags", "show", "--state", path, "new-search")
    #expect(show.output.contains("city IN [杭州] in segments 1"), "\(show.output)")
  }

  @Test("lint exits with 1 where a flag has no meaning, and with --strict for warnings, too")
  func lint() throws {
    let wrong = Self.state.replacing("\"segments\": [1]}", with: "\"segments\": [2]}")
    let folder = try Self.folder(["state.json": Self.state, "wrong.json": wrong])
    #expect(try mpaas("flags", "lint", folder.path + "/state.json", "--strict").status == 0)
    let outcome = try mpaas("flags", "lint", folder.path + "/wrong.json", "--json")
    #expect(outcome.status == 1)
    let findings = try #require(try json(outcome.output)["findings"] as? [[String: Any]])
    #expect(findings.map { $0["code"] as? String } == ["flags-segment-unused", "flags-segment-unknown"])
  }

  @Test("diff says what two states say differently, and exits with 1 then")
  func diff() throws {
    let other = Self.state.replacing("\"rollout\": \"50\"", with: "\"rollout\": \"60\"")
    let folder = try Self.folder(["a.json": Self.state, "b.json": other])
    #expect(try mpaas("flags", "diff", folder.path + "/a.json", folder.path + "/a.json").status == 0)
    let outcome = try mpaas("flags", "diff", folder.path + "/a.json", folder.path + "/b.json")
    #expect(outcome.status == 1 && outcome.output.contains("rollout=60"), "\(outcome.output)")
    let document = try json(mpaas("flags", "diff", folder.path + "/a.json", folder.path + "/b.json", "--json").output)
    let changes = try #require(document["changes"] as? [[String: Any]])
    #expect(changes.map { $0["kind"] as? String } == ["changed"])
  }

  @Test("generate writes an enumeration, and replaces only what it wrote")
  func generate() throws {
    let folder = try Self.folder()
    let output = folder.path + "/FlagKey.swift"
    #expect(try mpaas("flags", "generate", folder.path + "/state.json", "--output", output).status == 0)
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("case newSearch = \"new-search\""))
    #expect(try mpaas("flags", "generate", folder.path + "/state.json", "--output", output).status == 0)
    try Data("let mine = 1\n".utf8).write(to: URL(filePath: output))
    #expect(try mpaas("flags", "generate", folder.path + "/state.json", "--output", output).status == 73)
    #expect(try mpaas("flags", "generate", folder.path + "/state.json", "--output", output, "--force").status == 0)
    for type in ["1x", "class", "_"] {
      #expect(try mpaas("flags", "generate", folder.path + "/state.json", "--type", type).status == 64)
    }
    let printed = try mpaas("flags", "generate", folder.path + "/state.json", "--output", "-")
    #expect(printed.status == 0 && printed.output.contains("enum FlagKey"), "\(printed)")
  }
}
