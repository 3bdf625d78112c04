import MPaaSFlagTools
import MPaaSFlags
import Testing

@Suite("The tools for flags") struct FlagToolsTests {
  static let state = #"""
    {"features": [
      {"name": "new-search", "description": "Search by pinyin.", "enabled": true, "strategies": [
        {"name": "default"}, {"name": "flexibleRollout", "parameters": {"rollout": "50"}}]},
      {"name": "checkout", "enabled": true, "strategies": [
        {"name": "flexibleRollout", "parameters": {"rollout": "0"}}], "variants": [{"name": "a", "weight": 0}]},
      {"name": "old", "stale": true, "dependencies": [{"feature": "older"}]},
      {"name": "older", "dependencies": [{"feature": "old"}]},
      {"name": "broken", "enabled": true, "strategies": [{"name": "default", "segments": [9], "constraints": [
        {"contextName": "userId", "operator": "REGEX", "value": "(a"},
        {"contextName": "userId", "operator": "NUM_GT", "value": "x"}]}]},
      {"name": "switch", "enabled": true}], "segments": [{"id": 1, "name": "beta", "constraints": []}]}
    """#

  @Test("find what is wrong, and what nobody needs")
  func lint() throws {
    let findings = FlagLint.findings(in: try FlagState(json: Self.state))
    let found = Set(findings.map { "\($0.severity) \($0.error.identifier) \($0.error.values["flag"] ?? "")" })
    #expect(
      found == [
        "warning flags-segment-unused ", "warning flags-strategy-unreachable new-search",
        "warning flags-strategy-never checkout", "warning flags-variant-never checkout", "warning flags-dead checkout",
        "warning flags-stale old", "error flags-parent-nested old", "error flags-parent-nested older",
        "error flags-segment-unknown broken", "error flags-pattern-malformed broken",
        "error flags-value-malformed broken", "error flags-cycle old",
      ])
  }

  @Test("find strategies that are covered by others, contradict themselves, or are over, and variants that are missing")
  func reach() throws {
    func rollout(_ percentage: Int, _ constraints: String = "") -> String {
      #"{"name": "flexibleRollout", "parameters": {"rollout": "\#(percentage)"}, "constraints": [\#(constraints)]}"#
    }
    func list(_ name: String, _ values: String) -> String {
      #"{"contextName": "city", "operator": "\#(name)", "values": [\#(values)]}"#
    }
    func end(_ time: String) -> String {
      #"{"contextName": "currentTime", "operator": "DATE_BEFORE", "value": "\#(time)"}"#
    }
    let lists = list("IN", #""a", "b""#) + "," + list("NOT_IN", #""b", "a""#)
    let strategies: [(flag: String, text: String)] = [
      ("covered", rollout(50) + "," + rollout(20, list("IN", #""a""#))), ("wider", rollout(20) + "," + rollout(50)),
      ("none", rollout(50, lists)), ("one", rollout(50, list("IN", #""a", "b""#) + "," + list("NOT_IN", #""b""#))),
      ("over", rollout(50, end("2026-01-01T00:00:00.000Z"))), ("still", rollout(50, end("2026-01-03T00:00:00.000Z"))),
    ]
    let flags = strategies.map { #"{"name": "\#($0.flag)", "enabled": true, "strategies": [\#($0.text)]}"# }
    let child = #"{"name": "child", "dependencies": [{"feature": "one", "variants": ["x"]}]}"#
    let state = try FlagState(json: "{\"features\": [\((flags + [child]).joined(separator: ","))]}")
    let now = try #require(Moment(constraint: "2026-01-02T00:00:00.000Z"))
    #expect(
      FlagLint.findings(in: state, at: now).map { "\($0.error.identifier) \($0.error.values["flag"] ?? "")" } == [
        "flags-strategy-covered covered", "flags-strategy-contradiction none", "flags-dead none",
        "flags-strategy-over over", "flags-dead over", "flags-parent-variant child",
      ])
  }

  @Test("find nothing wrong in a state that is well")
  func clean() throws {
    let state = try FlagState(json: #"{"features":[{"name":"a","enabled":true,"strategies":[{"name":"default"}]}]}"#)
    #expect(FlagLint.findings(in: state).isEmpty)
  }

  @Test("write keys that the compiler knows, whatever the names")
  func keys() throws {
    let names = ["new-search", "new search", "switch", "3d", "中文.flag", "URLBar", "a\"b\\", "", "👍"]
    let flags = names.map { name -> FlagDefinition in FlagDefinition(name: name) }
    let source = FlagKeysSource(FlagState(flags: flags), access: .public)
    #expect(source.count == names.count)
    for line in [
      "public enum FlagKey: String, CaseIterable, Sendable {", #"  case newSearch_2 = "new-search""#,
      #"  case newSearch = "new search""#, #"  case `switch` = "switch""#, #"  case _3d = "3d""#,
      #"  case 中文Flag = "中文.flag""#, #"  case urlBar = "URLBar""#, #"  case aB = "a\"b\\""#,
    ] {
      #expect(source.text.contains(line + "\n"), "\(line)")
    }
  }

  @Test("compare states by flag and member")
  func comparison() throws {
    let before = try FlagState(json: Self.state)
    var after = before
    after.flags[0].isEnabled = false
    after.flags.removeLast()
    after.segments[0].name = "gamma"
    let changes = FlagComparison(from: before, to: after).changes
    #expect(
      changes.map { "\($0.kind) \($0.subject) \($0.name)" } == [
        "changed flag new-search", "removed flag switch", "changed segment 1",
      ])
    #expect(changes[0].members.map(\.member) == ["enabled"])
    #expect(FlagComparison(from: before, to: before).changes.isEmpty)
  }
}
