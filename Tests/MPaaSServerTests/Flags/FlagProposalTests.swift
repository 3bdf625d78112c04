import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Staged changes of flags") struct FlagProposalTests {
  private let path = FlagPaths.proposals

  private func propose(
    _ server: TestServer, _ events: String, token: String? = nil, at: Double? = nil
  ) async throws -> FlagProposal {
    let body = FlagChangeRequest(.events(events), comment: "why", at: at).json
    return try await server.flags("POST", path, body, token: token).value()
  }

  private func act(
    _ server: TestServer, _ id: String, _ action: String, token: String? = nil, _ body: String? = nil
  ) async throws -> TestAnswer {
    try await server.flags("POST", "\(path)/\(id)/\(action)", body ?? "", token: token)
  }

  @Test("are published once as many others have approved as are needed; a kill switch waits for nobody")
  func approvals() async throws {
    let server = try await TestServer { $0.approvals = 2 }
    let tokens = try await [server.token("ana"), server.token("ben"), server.token("cid")]
    #expect(try await server.changeFlags(TestServer.flag("a")).code == "flags-approvals-needed")
    #expect(try await server.changeFlags(TestServer.flag("stop", type: "kill-switch")).version == 1)
    // Another type would open the way around approvals.
    #expect(try await server.changeFlags(TestServer.flag("stop")).code == "flags-approvals-needed")
    let proposal = try await propose(server, TestServer.flag("a"), token: tokens[0])
    #expect(proposal.state == .open && proposal.author == "ana" && proposal.changes.map(\.name) == ["a"])
    #expect(try await act(server, proposal.id, "approve", token: tokens[0]).code == "flags-approval-own")
    for _ in 0..<2 { #expect(try await act(server, proposal.id, "approve", token: tokens[1]).status == 200) }
    #expect(try await act(server, proposal.id, "publish", token: tokens[0]).code == "flags-approvals-missing")
    #expect(try await act(server, proposal.id, "approve", token: tokens[2]).status == 200)
    let done: FlagProposal = try await act(server, proposal.id, "publish", token: tokens[0]).value()
    #expect(done.state == .published && done.version == 2 && done.approvals.map(\.author) == ["ben", "cid"])
    #expect(try await act(server, proposal.id, "publish").code == "flags-proposal-closed")
    let version: FlagVersion = try await server.send("GET", FlagPaths.history + "/2").value()
    #expect(version.author == "ana" && version.comment == "why" && version.proposal == proposal.id)
    await server.end()
  }

  @Test("are refused where what they change was changed since, and are withdrawn")
  func stale() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.flag("a"))
    let stale = try await propose(server, TestServer.flag("a", false))
    let other = try await propose(server, TestServer.flag("b"))
    _ = try await server.changeFlags(TestServer.flag("a", type: "experiment"))
    #expect(try await act(server, stale.id, "publish").code == "flags-proposal-stale")
    #expect(try await act(server, other.id, "publish").json["version"] as? Int == 3)
    #expect(try await act(server, stale.id, "withdraw").json["state"] as? String == "withdrawn")
    #expect(try await act(server, stale.id, "approve").code == "flags-proposal-closed")
    let late = try await server.services.store.read { database in
      try FlagProposalStore.proposal(
        stale.id, FlagPlace.Key(app: stale.app, environment: stale.environment), needed: 0, in: database)
    }
    var closed = try #require(late).proposal
    closed.state = .published
    let (again, store) = (closed, server.services.store)
    let error = await #expect(throws: ServerError.self) {
      try await store.write { try FlagProposalStore.keep(again, in: $0) }
    }
    #expect(error?.values["state"] == "withdrawn")
    #expect(try await act(server, "none", "approve").code == "flags-proposal-unknown")
    let empty = try await server.flags("POST", path, FlagChangeRequest(.events(TestServer.flag("b"))).json)
    #expect(empty.status == 409 && empty.code == "flags-proposal-empty")
    let page: FlagProposalPage = try await server.send("GET", path + "?state=published").value()
    #expect(page.proposals.map(\.id) == [other.id])
    await server.end()
  }

  @Test("are listed with the first of their changes, without members, and told in full by themselves")
  func listed() async throws {
    let server = try await TestServer()
    let flags = (0..<30).map { "{\"name\":\"f\($0) \\\"é\",\"enabled\":true}" }.joined(separator: ",")
    let proposal = try await propose(server, "[{\"type\":\"hydration\",\"features\":[\(flags)]}]")
    let page: FlagProposalPage = try await server.send("GET", path).value()
    let listed = try #require(page.proposals.first)
    let first = proposal.changes.prefix(20).map { FlagDifference(kind: .added, subject: "flag", name: $0.name) }
    #expect(listed.changes == first)
    #expect(proposal.changes.count == 30 && FlagWire.beginning("[{\"kind\":").isEmpty)
    let whole: FlagProposal = try await server.send("GET", "\(path)/\(proposal.id)").value()
    #expect(whole == proposal)
    await server.end()
  }

  @Test("are published at their time, also by the next server on the folder")
  func schedules() async throws {
    let time = Time(1_800_000_000)
    var server = try await TestServer(time: time, isTidied: false)
    let first = try await propose(server, TestServer.flag("a"), at: time.now + 60)
    let second = try await propose(server, TestServer.flag("b"), at: time.now + 120)
    let clash = try await propose(server, TestServer.flag("a", false), at: time.now + 120)
    #expect(first.state == .scheduled)
    await server.flags?.tidy()
    #expect(try await server.send("GET", FlagPaths.flags).version == 0)
    time.now += 61
    await server.flags?.tidy()
    #expect(try await server.send("GET", FlagPaths.flags).version == 1)
    await server.end()
    time.now += 60
    server = try await TestServer(in: server.folder, time: time, isTidied: false)
    await server.flags?.tidy()
    let done: FlagProposal = try await server.send("GET", "\(path)/\(second.id)").value()
    #expect(done.state == .published && done.version == 2)
    let failed: FlagProposal = try await server.send("GET", "\(path)/\(clash.id)").value()
    #expect(failed.state == .failed && failed.reason == "flags-proposal-stale")
    await server.end()
  }
}
