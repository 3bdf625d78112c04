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
