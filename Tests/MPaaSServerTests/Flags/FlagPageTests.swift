import Foundation
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import Testing

@testable import MPaaSServer

private let hostile = "<script>alert(\"1\")</script>&'\u{202e}"

@Suite("The pages of flags") struct FlagPageTests {
  private func headers(_ token: String) -> [String: String] {
    ["Authorization": "", "Cookie": "mpaas_token=\(token)"]
  }

  private func post(
    _ server: TestServer, _ path: String, _ fields: String, token: String? = nil, _ more: [String: String] = [:]
  ) async throws -> TestAnswer {
    try await server.send(
      "POST", path, headers(token ?? server.token).merging(more) { $1 }, body: Array(fields.utf8))
  }

  @Test("escape whatever comes from outside, and have every word in both languages", arguments: Language.allCases)
  func escaped(_ language: Language) throws {
    let edition = FlagEdition(.init(), FlagState(), version: 3, updated: 1, channel: "c")
    let environment = FlagPlace(FlagPlace.Key(app: "a", environment: "production"), channel: "c", edition)
    var flag = FlagDefinition(name: hostile)
    (flag.type, flag.summary, flag.project, flag.isStale) = (hostile, hostile, hostile, true)
    var (strategy, variant, dependency) = (StrategyDefinition(), VariantDefinition(), DependencyDefinition())
    (strategy.name, strategy.parameters) = (hostile, [hostile: hostile])
    (variant.name, variant.payload, dependency.flag) = (hostile, FlagPayload(type: "string", value: hostile), hostile)
    (flag.strategies, flag.variants, flag.dependencies) = ([strategy], [variant], [dependency])
    let changes = FlagDifference.Kind.allCases.map { kind in
      FlagDifference(
        kind: kind, subject: "flag", name: hostile, members: [.init(member: "x", before: hostile, after: hostile)])
    }
    let version = FlagVersion(
      version: 2, author: hostile, time: 1, comment: hostile, rollback: 1, proposal: hostile, changes: changes)
    let proposals = FlagProposal.State.allCases.map { state in
      var proposal = FlagProposal(
        id: hostile, app: "a", environment: "e", state: state, author: hostile, comment: hostile, base: 1, created: 1,
        at: 2, needed: 1)
      (proposal.changes, proposal.reason, proposal.version) = (changes, hostile, 7)
      proposal.approvals = [FlagApproval(author: hostile, time: 1)]
      return proposal
    }
    var draft = FlagPages.Draft(flag, version: 3)
    (draft.problem, draft.comment) = (hostile, hostile)
    let pages = FlagPages(
      frame: PageFrame(catalogue: Catalogue(language: language)), environments: [environment],
      place: FlagPages.Address(app: hostile, environment: hostile), mayChange: true, approvals: 0)
    for page in [
      pages.list([flag], text: hostile, draft, hasMore: true), pages.list([], text: nil, .init(), hasMore: false),
      pages.flag(flag, draft, [version]), pages.history([version], flag: hostile, hasMore: true),
      pages.history([], flag: nil, hasMore: false), pages.version(version, newest: 3, draft),
      pages.proposals(proposals, state: .open), pages.proposals([], state: nil),
    ] + proposals.map({ pages.proposal($0, problem: hostile) }) {
      #expect(!page.contains("<script"))
      #expect(!page.contains("\u{202e}"))
      #expect(!page.contains("\"1\")"))
      #expect(!page.contains("page."), "\(page)")
    }
  }

  @Test("list flags with their states in all environments, and change one as the API does, with its version")
  func edited() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    #expect(
      try await server.flags("POST", FlagPaths.environments, #"{"name":"test","copy":"production"}"#).status == 201)
    let list = try await server.send("GET", "/flags", headers(server.token))
    #expect(list.status == 200 && list.text.contains(">search</a>") && list.text.contains("<th>test</th>"))
    let path = "/flags/flag?environment=production&name=search"
    let page = try await server.send("GET", path, headers(server.token))
    #expect(page.text.contains("secret-town") && page.text.contains("value=\"#00f\""), "\(page.text)")
    let fields = "base=1&enabled=false&rollout=40&value=%23f00+and+more&comment=why&way=change"
    let saved = try await post(server, path, fields)
    #expect(saved.status == 303 && saved.headers["location"] == path)
    let version: FlagVersion = try await server.send("GET", FlagPaths.history + "/2").value()
    #expect(
      version.comment == "why" && version.changes.first?.members.map(\.member) == ["enabled", "strategies", "variants"])
    let state = try FlagState(json: try await server.send("GET", FlagPaths.flags).text)
    let flag = try #require(state.flags.first { $0.name == "search" })
    #expect(!flag.isEnabled && flag.rollouts.first?.parameters["rollout"] == "40")
    #expect(flag.rollouts.first?.constraints.count == 1, "what the form does not show stays")
    #expect(flag.variants.first?.payload?.value == "#f00 and more")
    let late = try await post(server, path, fields.replacing("rollout=40", with: "rollout=50"))
    #expect(late.status == 409 && late.text.contains("name=base value=\"2\""))
    let unchanged = try await post(server, path, "base=2&enabled=false&rollout=40&value=%23f00+and+more&way=change")
    #expect(unchanged.status == 303)
    #expect(try await server.send("GET", FlagPaths.flags).version == 2)
    let history = try await server.send("GET", "/flags/history/2", headers(server.token))
    #expect(history.text.contains("#f00 and more"))
    let back = try await post(server, "/flags/history/1?environment=production", "base=2&comment=undo&way=change")
    #expect(back.status == 303)
    #expect(try await server.send("GET", FlagPaths.history + "/3").json["rollback"] as? Int == 1)
    let made = try await post(server, "/flags", "name=limit&type=operational&enabled=true&value=7&way=change")
    #expect(made.status == 303 && made.headers["location"] == "/flags/flag?environment=production&name=limit")
    #expect(try await post(server, "/flags", "name=limit&way=change").status == 400)
    #expect(try await post(server, "/flags", "name=&way=change").status == 400)
    await server.end()
  }

  @Test("hold to approvals: a change is proposed, approved by another, and published")
  func approved() async throws {
    let server = try await TestServer { $0.approvals = 1 }
    let (ana, ben, reader) = try await (
      server.token("ana"), server.token("ben"), server.token("reader", [.read])
    )
    let early = try await post(server, "/flags", "name=a&way=change", token: ana)
    #expect(early.status == 409)
    #expect(try await post(server, "/flags", "name=stop&type=kill-switch&way=change", token: ana).status == 303)
    let proposed = try await post(server, "/flags", "name=a&comment=why&way=propose", token: ana)
    let address = try #require(proposed.headers["location"])
    let path = try #require(address.split(separator: "?").first.map(String.init))
    #expect(path.hasPrefix("/flags/proposals/"))
    #expect(try await server.send("GET", "/flags/proposals", headers(reader)).text.contains(path))
    #expect(!(try await server.send("GET", address, headers(reader)).text.contains("/approve")))
    #expect(try await post(server, path + "/approve", "", token: ana).status == 403)
    #expect(try await post(server, path + "/approve", "", token: reader).status == 403)
    #expect(try await post(server, path + "/publish", "", token: ana).status == 409)
    let foreign = ["Origin": "http://evil.example"]
    #expect(try await post(server, path + "/approve", "", token: ben, foreign).status == 403)
    #expect(try await post(server, path + "/approve", "", token: ben).status == 303)
    #expect(try await post(server, path + "/publish", "", token: ana).status == 303)
    #expect(try await server.send("GET", FlagPaths.history + "/2").json["author"] as? String == "ana")
    #expect(try await post(server, path + "/withdraw", "", token: ana).status == 409)
    #expect(try await post(server, path + "/nothing", "", token: ana).status == 404)
    #expect(try await post(server, "/flags", "name=b&way=change", token: reader).status == 403)
    await server.end()
  }
}
