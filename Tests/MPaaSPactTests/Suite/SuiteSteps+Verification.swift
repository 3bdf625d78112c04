import Foundation
import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import Synchronization
import Testing

extension SuiteStep {
  static func verificationSteps() -> [SuiteStep] {
    [
      SuiteStep(
        #"a provider is started that returns the responses? from interactions? "?([\d, ]+)"?(?:, with the following changes:)?"#
      ) {
        world, groups, step in
        for number in groups[0].split(separator: ",") {
          var interaction = try world.interaction(number.trimmingCharacters(in: .whitespaces))
          if let row = step.rows.first, case .http(let request, var response) = interaction.content {
            try world.apply(row, to: &response)
            interaction.content = .http(request, response)
          }
          world.served.append(interaction)
        }
      },
      SuiteStep(#"a Pact file for interaction (\d+) is to be verified( from a Pact broker)?"#) { world, groups, _ in
        let pact = try world.pact([try world.interaction(groups[0])], consumer: "c_\(groups[0])")
        if groups[1].isEmpty {
          world.toVerify.append(pact)
        } else {
          world.brokers.append(try SuiteBroker(pact, number: groups[0]))
        }
      },
      SuiteStep("a Pact file for interaction (\\d+) is to be verified with a provider state \(quoted) defined") {
        world, groups, _ in
        var interaction = try world.interaction(groups[0])
        interaction.states = [PactState(groups[1])]
        world.toVerify.append(try world.pact([interaction]))
      },
      SuiteStep(#"a Pact file for interaction (\d+) is to be verified with the following provider states defined:"#) {
        world, groups, step in
        var interaction = try world.interaction(groups[0])
        interaction.states = try step.rows.map { row in
          PactState(
            row["State Name"] ?? "", parameters: try row["Parameters"].flatMap { try SuiteData.json($0).members } ?? [])
        }
        world.toVerify.append(try world.pact([interaction]))
      },
      SuiteStep(#"a Pact file for interaction (\d+) is to be verified, but is marked pending"#) { world, groups, _ in
        var interaction = try world.interaction(groups[0])
        interaction.isPending = true
        world.toVerify.append(try world.pact([interaction]))
      },
      SuiteStep(#"a Pact file for interaction (\d+) is to be verified with the following comments:"#) {
        world, groups, step in
        var interaction = try world.interaction(groups[0])
        interaction.comments = Self.comments(step.rows)
        world.toVerify.append(try world.pact([interaction]))
      },
      SuiteStep("publishing of verification results is enabled") { world, _, _ in world.publishes = true },
      SuiteStep("a provider state callback is configured(, but will return a failure)?") { world, groups, _ in
        world.stateCallback = (!groups[0].isEmpty, ())
      },
      SuiteStep("a request filter is configured to make the following changes:") { world, _, step in
        world.filterHeaders = SuiteData.headers(step.rows[0]["headers"] ?? "")
      },
      SuiteStep("the verification is run") { world, _, _ in try await Self.verify(world) },
      SuiteStep("the verification will (NOT )?be successful") { world, groups, _ in
        #expect(!world.verdicts.isEmpty)
        let failed = world.verdicts.filter(\.isFailure)
        #expect(
          failed.isEmpty == groups[0].isEmpty, "\(world.verdicts.map { ($0.mismatches.map(\.description), $0.fault) })")
      },
      SuiteStep("the verification results will contain a \(quoted) error") { world, groups, _ in
        #expect(world.verdicts.filter(\.isFailure).flatMap(\.headings).map(\.sentence).contains(groups[0]))
      },
      SuiteStep("there will be a pending \(quoted) error") { world, groups, _ in
        let pending = world.verdicts.filter { $0.interaction.isPending }
        #expect(pending.flatMap(\.headings).map(\.sentence).contains(groups[0]))
      },
      SuiteStep("the comment \(quoted) will have been printed to the console") { world, groups, _ in
        #expect(world.verdicts.flatMap(\.comments).contains(groups[0]))
      },
      SuiteStep("the \(quoted) will displayed as the original test name") { world, groups, _ in
        #expect(world.verdicts.compactMap(\.testName).contains(groups[0]))
      },
      SuiteStep("a verification result will NOT be published back") { world, _, _ in
        #expect(world.brokers.allSatisfy { $0.published.withLock { $0.isEmpty } })
      },
      SuiteStep(#"a (successful|failed) verification result will be published back for (?:the )?interaction \{(\d+)\}"#)
      {
        world, groups, _ in
        let results = try #require(world.brokers.first { $0.pact.consumer == "c_\(groups[1])" }).published.withLock {
          $0
        }
        #expect(results.count == 1 && results.first?["success"]?.bool == (groups[0] == "successful"))
        #expect(results.first?["testResults"]?.elements?.first?["interactionId"]?.string == "ID\(groups[1])")
      },
    ] + stateSteps()
  }

  static func comments(_ rows: [[String: String]]) -> JSONNode {
    let texts = rows.filter { $0["type"] == "text" }.map { JSONNode(.string($0["comment"] ?? "")) }
    let name = rows.first { $0["type"] == "testname" }?["comment"] ?? ""
    return JSONNode(
      .object([
        JSONNode.Member(name: "text", value: JSONNode(.array(texts))),
        JSONNode.Member(name: "testname", value: JSONNode(.string(name))),
      ]))
  }

  private static func stateSteps() -> [SuiteStep] {
    [
      SuiteStep("the provider state callback will be called (before|after) the verification is run") {
        world, groups, _ in
        let action = groups[0] == "before" ? "setup" : "teardown"
        #expect(world.calls.contains { $0["action"]?.string == action })
      },
      SuiteStep(
        "the provider state callback will receive a (setup|teardown) call (?:with )?\(quoted) as the provider state parameter"
      ) {
        world, groups, _ in
        let calls = world.calls
        #expect(calls.contains { $0["action"]?.string == groups[0] && $0["state"]?.string == groups[1] }, "\(calls)")
      },
      SuiteStep(
        "the provider state callback will receive a (setup|teardown) call (?:with )?\(quoted) and the following parameters:"
      ) {
        world, groups, step in
        let row = try #require(step.rows.first)
        let calls = world.calls
        let call = try #require(calls.first { $0["action"]?.string == groups[0] && $0["state"]?.string == groups[1] })
        for (name, text) in row { #expect(try call["params"]?[name]?.value == SuiteData.json(text).value) }
      },
      SuiteStep("the provider state callback will NOT receive a teardown call") { world, _, _ in
        #expect(!world.calls.contains { $0["action"]?.string == "teardown" })
      },
      SuiteStep(
        "a warning will be displayed that there was no provider state callback configured for provider state \(quoted)"
      ) {
        world, groups, _ in
        #expect(world.verdicts.flatMap(\.unchangedStates) == [groups[0]])
      },
      SuiteStep("the request to the provider will contain the header \(quoted)") { world, groups, _ in
        let field = SuiteData.headers("'\(groups[0])'")[0]
        #expect(world.asked.contains { $0.headers.header(field.name) == field.values })
      },
    ]
  }

  // MARK: Running

  private static func verify(_ world: SuiteWorld) async throws {
    let served = world.served, messages = world.messages, callback = world.stateCallback
    let mock = try PactMock([world.pact(served)])
    var change: PactProvider.StateChange?
    let calls = CallRecord(), requests = RequestRecord()
    if let callback {
      let fails = callback.fails
      change = PactProvider.StateChange(tearsDown: true) { node in
        await calls.add(node)
        return fails ? .failure(PactFailure("status 500")) : .success([])
      }
    }
    let provider = PactProvider(
      send: { request in
        await requests.add(request)
        var mock = mock
        guard case .response(let response, _)? = try? mock.answer(to: request, now: 0) else {
          return .success(PactResponse(status: 500))
        }
        return .success(response)
      },
      message: { node in
        let name = node["description"]?.string ?? ""
        return messages[name].map { .success($0) } ?? .success(PactResponse(status: 404))
      }, change: change)
    let verification = PactVerification(provider, headers: world.filterHeaders, now: 0)
    for pact in world.toVerify { world.verdicts += await verification.verdicts(of: pact) }
    for broker in world.brokers {
      let client = PactBroker(broker.url) { url, request in broker.answer(url, request) }
      for entry in try await client.entries(of: "p") {
        let verdicts = await verification.verdicts(of: entry.pact)
        world.verdicts += verdicts
        if world.publishes {
          #expect(try await client.publish(verdicts, of: entry, version: "1.0.0", kit: "0.2.0"))
        }
      }
    }
    (world.calls, world.asked) = (await calls.all, await requests.all)
  }

  private actor CallRecord {
    var all: [JSONNode] = []
    func add(_ node: JSONNode) { all.append(node) }
  }

  private actor RequestRecord {
    var all: [PactRequest] = []
    func add(_ request: PactRequest) { all.append(request) }
  }
}
