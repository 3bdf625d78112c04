import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas flags with a server") struct FlagsServerTests {
  @Test("a flag is made, changed and deleted, each a version with its reason, and an earlier one comes back")
  func life() throws {
    let it = try ServedFlags()
    let made = try it.done("create", "new-search", "--on", "--rollout", "50", "--stickiness", "userId", "-m", "try it")
    #expect(made["added"] as? Int == 1 && made["comment"] as? String == "try it")
    let first = try #require(made["version"] as? Int)
    #expect(try it.flags("create", "new-search").status == 73)
    let set = try it.flags("set", "new-search", "--rollout", "60", "--variant", "blue=1")
    #expect(set.status == 0 && set.output.contains("rollout=60"), "\(set)")
    let same = try it.flags("set", "new-search", "--rollout", "60")
    #expect(same.status == 0 && same.output.contains("Nothing changes"), "\(same)")
    #expect(try it.flags("show", "new-search").output.contains("variant: blue=1"))
    let near = try it.flags("set", "new-serach", "--off")
    #expect(near.status == 1 && near.errors.contains("new-search"), "\(near)")
    let parent = try it.write(#"{"dependencies": [{"feature": "new-search"}], "enabled": true}"#, to: "child.json")
    _ = try it.done("create", "child", "--definition", parent)
    let needed = try it.flags("delete", "new-search")
    #expect(needed.status == 77 && needed.errors.contains("child"), "\(needed)")
    #expect(try it.done("delete", "new-search", "child")["removed"] as? Int == 2)
    #expect((try it.done("list")["flags"] as? [Any])?.isEmpty == true)
    #expect(try it.done("rollback", "\(first)")["rollback"] as? Int == first)
    #expect(try it.flags("show", "new-search").output.contains("rollout=50"))
    let versions = try #require(try it.done("history")["versions"] as? [[String: Any]])
    #expect(versions.count == 5 && versions.allSatisfy { ($0["author"] as? String)?.isEmpty == false })
    #expect((try it.done("history", "child")["versions"] as? [Any])?.count == 2)
    let changes = try it.flags("history", "--of", "\(first + 1)")
    #expect(changes.output.contains("+ strategies: flexibleRollout(groupId=new-search, rollout=60"), "\(changes)")
    #expect(try it.flags("history", "absent").output == "No version changed absent.\n")
    let refused = try it.flags("history", "--of", "99", "--lang", "zh-Hans")
    #expect(refused.status == 66 && refused.errors.contains("服务器拒绝：没有版本 99（flags-version-unknown）。"), "\(refused)")
    #expect(it.program.end(SIGTERM) == 0)
  }

  @Test("a file is compared, imported and exported again with members that the kit does not know")
  func files() throws {
    let it = try ServedFlags()
    let text = FlagsCommandTests.state.replacing(
      "\"type\": \"release\"", with: "\"team\": \"a\", \"type\": \"release\"")
    let state = try it.write(text, to: "state.json")
    let difference = try it.flags("diff", state)
    #expect(difference.status == 1 && difference.output.contains("+ flag new-search"), "\(difference)")
    // As the interface is fixed.
    let imported = try mpaas(
      "flags", "import", state, "--server", it.url, "--token", it.token, "--publish", home: it.home)
    #expect(imported.status == 0, "\(imported)")
    #expect(try it.flags("diff", state).status == 0)
    _ = try it.done("set", "kill", "--on")
    #expect(try it.flags("export", "--output", "-").output.contains("new-search"))
    let exported = it.home.path + "/out.json"
    #expect(try it.done("export", "--output", exported)["flags"] as? Int == 2)
    // An export of before is replaced; a file of another kind only where it is said.
    #expect(try it.flags("export", "--output", exported).status == 0)
    let kept = try it.flags("export", "--output", state)
    #expect(kept.status == 73 && kept.errors.contains("--force"), "\(kept)")
    #expect(try it.flags("export", "--output", state, "--force").status == 0)
    let document = try json(String(contentsOfFile: exported, encoding: .utf8))
    let flags = try #require(document["features"] as? [[String: Any]])
    #expect(flags.first { $0["name"] as? String == "new-search" }?["team"] as? String == "a")
    #expect(flags.first { $0["name"] as? String == "kill" }?["enabled"] as? Bool == true)
    let explained = try it.flags("explain", "new-search", "--context", FlagsCommandTests.context)
    #expect(explained.output.contains("new-search: on (strategy 1 holds)"), "\(explained)")
    let old = try it.flags("export", "--of", "1")
    #expect(try json(old.output)["version"] as? Int == 1)
    // A delta changes what it names only.
    let delta = try it.write(#"{"events": [{"type": "feature-removed", "featureName": "kill"}]}"#, to: "delta.json")
    #expect(try it.done("import", delta, "--publish")["removed"] as? Int == 1)
    let wrong = try it.write(#"{"features": [{"name": 1}]}"#, to: "wrong.json")
    #expect(try it.flags("import", wrong, "--publish").status == 65)
    let vague = try it.write(#"{"features": [{"name": "vague"}]}"#, to: "vague.json")
    let refused = try it.flags("import", vague, "--publish")
    #expect(refused.status == 65 && refused.errors.contains("features[vague].enabled"), "\(refused)")
    let empty = try it.flags("set", "new-search", "--on", "--propose", "--json")
    #expect(empty.errors.contains("flags-proposal-empty"), "\(empty)")
    #expect(try it.done("set", "new-search", "--value", "c")["changed"] as? Int == 1)
    #expect(try it.flags("show", "new-search").output.contains("blue=1 string c"))
  }

  @Test("with approvals others have to agree before a proposal counts; a kill switch need not wait")
  func approvals() throws {
    let it = try ServedFlags(approvals: 1)
    #expect(try it.done("create", "stop", "--type", "kill-switch")["added"] as? Int == 1)
    let refused = try it.flags("create", "search", "--json")
    #expect(refused.status == 77 && refused.errors.contains("flags-approvals-needed"), "\(refused)")
    let proposal = try it.done("create", "search", "--on", "--propose", "-m", "wanted")
    let id = try #require(proposal["id"] as? String)
    #expect(proposal["state"] as? String == "open" && proposal["needed"] as? Int == 1)
    let early = try it.flags("publish", id, "--json")
    #expect(early.status == 77 && early.errors.contains("flags-approvals-missing"), "\(early)")
    let own = try it.flags("approve", id, "--json")
    #expect(own.status == 77 && own.errors.contains("flags-approval-own"), "\(own)")
    let other = try it.token(of: "second")
    let approved = try it.flags("approve", id, token: other)
    #expect(approved.status == 0 && approved.output.contains("1 of 1 approval: second"), "\(approved)")
    let offered = try mpaas(
      "completion", "answer", "--shell", "fish", "--", "mpaas", "flags", "publish", "", home: it.home,
      environment: it.environment)
    #expect(offered.output.contains("\n\(id)\t"), "\(offered)")
    let published = try #require(try it.done("publish", id)["proposal"] as? [String: Any])
    #expect(published["state"] as? String == "published")
    #expect(try it.flags("show", "search").status == 0)
    let back = try #require(try it.done("propose", "--rollback", "1", "--at", "14d")["id"] as? String)
    #expect(try it.done("withdraw", back)["state"] as? String == "withdrawn")
    let all = try #require(try it.done("proposals")["proposals"] as? [[String: Any]])
    #expect(all.map { $0["state"] as? String } == ["withdrawn", "published"])
    #expect(try it.flags("proposals", "--state", "open").output.contains("no proposals"))
  }

  @Test(
    "watch prints each version once, as a line of JSON, and ends well when it is told to", arguments: [SIGINT, SIGTERM])
  func watch(_ signal: Int32) throws {
    let it = try ServedFlags()
    _ = try it.done("create", "a")
    let watching = try RunningProgram(
      Command.mpaas.path, ["flags", "watch", "--after", "0", "--json"],
      environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 })
    let version = try json(watching.line)
    #expect(version["version"] as? Int == 1 && version["added"] as? Int == 1)
    #expect(watching.end(signal) == 0)
  }

  @Test("a server that is not named, not there, or does not know the token is told by its status")
  func refusals() throws {
    let home = try TemporaryFolder()
    let unnamed = try mpaas("flags", "list", home: home)
    #expect(unnamed.status == 64 && unnamed.errors.contains("--state FILE or --server URL"), "\(unnamed)")
    #expect(try mpaas("flags", "list", "--server", "http://127.0.0.1:1", home: home).status == 69)
    let it = try ServedFlags()
    #expect(try mpaas("flags", "list", "--server", it.url, "--token", "mpt_wrong", home: home).status == 77)
    #expect(try it.flags("export", "--of", "77").status == 66)
    #expect(try it.flags("list", "--environment", "none").status == 66)
    #expect(try it.flags("set", "a").status == 64)
    #expect(try it.flags("publish").status == 64)
    #expect(try it.flags("propose", "--rollback", "0", "--at", "2020-01-01").status == 64)
  }
}
