import Foundation
import MPaaSJSON
import MPaaSPact
import Testing

extension SuiteWorld {
  /// Changes the interaction that is being defined.
  func change(_ body: (inout PactInteraction) throws -> Void) throws {
    try #require(!defined.isEmpty)
    try body(&defined[defined.count - 1])
  }

  /// Changes the message of the kind that is being defined.
  func changeMessage(isResponse: Bool = false, _ body: (inout PactMessage) throws -> Void) throws {
    try change { interaction in
      switch interaction.content {
      case .message(var message):
        try body(&message)
        interaction.content = .message(message)
      case .call(var request, var responses):
        if isResponse {
          if responses.isEmpty { responses.append(PactMessage()) }
          try body(&responses[responses.count - 1])
        } else {
          try body(&request)
        }
        interaction.content = .call(request, responses)
      case .http: throw PactFailure("no message")
      }
    }
  }

  func configure(_ row: [String: String], isResponse: Bool = false) throws {
    try changeMessage(isResponse: isResponse) { message in
      let made = try self.message(row["body"] ?? "")
      if made.body.isPresent { message.body = made.body }
      if let cell = row["generators"] { message.generators = try generators(cell) }
      if let cell = row["metadata"] { message.metadata = try SuiteData.json(cell).members ?? [] }
    }
  }

  /// The test of a consumer gets what generators make; the contract is written afterwards.
  func process() throws {
    var generation = PactGeneration(.consumer, now: 1_700_000_000_000)
    switch try #require(defined.last).content {
    case .message(let message): receivedMessage = try generation.applied(to: message)
    case .call(let request, let responses):
      sentMessage = try generation.applied(to: request)
      if let response = responses.last { receivedMessage = try generation.applied(to: response) }
    case .http: break
    }
    written = try pact(defined).node()
  }

  func writtenMessage(_ part: String) throws -> JSONNode {
    let node = try writtenInteraction(0)
    if part == "request" { return node["request"] ?? node }
    if part == "response" { return node["response"]?.elements?.first ?? node }
    return node
  }
}

extension SuiteStep {
  private static let state = #""((?:[^"\\]|\\.)*)"(?: for the (?:synchronous )?message)?"#

  static func definitionSteps() -> [SuiteStep] {
    interactionSteps() + payloadSteps() + writtenSteps() + metadataSteps()
  }

  private static func interactionSteps() -> [SuiteStep] {
    [
      SuiteStep("an (?:HTTP interaction|integration) is being defined for a consumer test") { world, _, _ in
        world.defined.append(PactInteraction("an interaction", .http(PactRequest(), PactResponse())))
      },
      SuiteStep("a message (?:interaction|integration) is being defined for a consumer test") { world, _, _ in
        world.defined.append(PactInteraction("a message", .message(PactMessage())))
      },
      SuiteStep("a synchronous message interaction is being defined for a consumer test") { world, _, _ in
        world.defined.append(PactInteraction("a call", .call(PactMessage(), [])))
      },
      SuiteStep("a message is defined") { world, _, _ in #expect(!world.defined.isEmpty) },
      SuiteStep("a key of \(quoted) is specified for the .*interaction") { world, groups, _ in
        try world.change { $0.key = groups[0] }
      },
      SuiteStep("the .*interaction is marked as pending") { world, _, _ in try world.change { $0.isPending = true } },
      SuiteStep("a comment \(quoted) is added to the .*interaction") { world, groups, _ in
        let texts = JSONNode(.array([JSONNode(.string(groups[0]))]))
        try world.change { $0.comments = JSONNode(.object([JSONNode.Member(name: "text", value: texts)])) }
      },
      SuiteStep("a provider state \(state) is specified") { world, groups, _ in
        try world.change { $0.states.append(PactState(groups[0])) }
      },
      SuiteStep("a provider state \(state) is specified with the following data:") { world, groups, step in
        let parameters = try zip(step.table[0], step.table[1]).map {
          JSONNode.Member(name: $0, value: try SuiteData.json($1))
        }
        try world.change { $0.states.append(PactState(groups[0], parameters: parameters)) }
      },
    ]
  }

  private static func payloadSteps() -> [SuiteStep] {
    [
      SuiteStep("the message payload contains the \(quoted) JSON document") { world, groups, _ in
        try world.configure(["body": "file: \(groups[0]).json"])
      },
      SuiteStep("the message request payload contains the \(quoted) JSON document") { world, groups, _ in
        try world.configure(["body": "file: \(groups[0]).json"])
      },
      SuiteStep("the message response payload contains the \(quoted) document") { world, groups, _ in
        try world.change { interaction in
          guard case .call(let request, let responses) = interaction.content else { throw PactFailure("no call") }
          interaction.content = .call(request, responses + [try world.message(groups[0])])
        }
      },
      SuiteStep("the message (request |response )?is configured with the following:") { world, groups, step in
        try world.configure(step.rows[0], isResponse: groups[0] == "response ")
      },
      SuiteStep("the message (?:request )?contains the following metadata:") { world, _, step in
        try world.changeMessage { $0.metadata = try SuiteData.metadata(step.rows) }
      },
      SuiteStep("the message is successfully processed") { world, _, _ in try world.process() },
      SuiteStep("the message is NOT successfully processed with a \(quoted) exception") { world, groups, _ in
        world.failure = groups[0]
      },
      SuiteStep("the Pact file for the test is generated") { world, _, _ in try world.process() },
      SuiteStep("the consumer test will have (passed|failed)") { world, groups, _ in
        #expect((world.failure == nil) == (groups[0] == "passed"))
      },
      SuiteStep("the consumer test error will be \(quoted)") { world, groups, _ in #expect(world.failure == groups[0])
      },
      SuiteStep("a Pact file for the message interaction will (NOT )?have been written") { world, groups, _ in
        #expect((world.written != nil) == groups[0].isEmpty)
      },
      SuiteStep("the received message payload will contain the \(quoted) (?:JSON )?document") { world, groups, _ in
        let cell = groups[0].hasPrefix("file:") ? groups[0] : "file: \(groups[0]).json"
        let expected = try world.message(cell)
        #expect(PactComparison.message(expected, world.receivedMessage).isEmpty)
      },
      SuiteStep("the received message content type will be \(quoted)") { world, groups, _ in
        #expect(world.receivedMessage.mediaType.essence == groups[0])
      },
      SuiteStep("the message (request |response )?contents for \(quoted) will have been replaced with an? \(quoted)") {
        world, groups, _ in
        let message = groups[0] == "request " ? world.sentMessage : world.receivedMessage
        let value = try #require(PactJSON.body(message.body.bytes)?[String(groups[1].dropFirst(2))])
        try Self.expect(value, groups[2])
      },
    ]
  }

  private static func writtenSteps() -> [SuiteStep] {
    [
      SuiteStep(#"the pact file will contain (\d+) (?:message )?interactions?"#) { world, groups, _ in
        let root = try #require(world.written)
        #expect("\((root["interactions"] ?? root["messages"])?.elements?.count ?? 0)" == groups[0])
      },
      SuiteStep(
        "the first (?:message|interaction) in the pact file will contain the \(quoted) document(?: as (?:the|a) (request|response|first response message|second response message))?"
      ) {
        world, groups, _ in
        let pact = try Pact(try #require(world.written), file: "written")
        let cell = groups[0].hasPrefix("file:") ? groups[0] : "file: \(groups[0])"
        let found: PactMessage
        switch try #require(pact.interactions.first).content {
        case .message(let message): found = message
        case .call(let request, let responses):
          found =
            groups[1] == "request"
            ? request : try #require(responses.dropFirst(groups[1].hasPrefix("second") ? 1 : 0).first)
        case .http: throw PactFailure("no message")
        }
        let expected = try world.message(cell)
        #expect(PactComparison.message(expected, found).isEmpty)
      },
      SuiteStep(
        "the first (?:message|interaction) in the pact file (request |response )?content type will be \(quoted)"
      ) {
        world, groups, _ in
        let pact = try Pact(try #require(world.written), file: "written")
        switch try #require(pact.interactions.first).content {
        case .message(let message): #expect(message.mediaType.essence == groups[1])
        case .call(let request, let responses):
          let message = groups[0] == "request " ? request : try #require(responses.first)
          #expect(message.mediaType.essence == groups[1])
        case .http: throw PactFailure("no message")
        }
      },
      SuiteStep(#"the first interaction in the pact file will contain (\d+) response messages"#) { world, groups, _ in
        let found = try world.writtenInteraction(0)["response"]?.elements?.count ?? 0
        #expect("\(found)" == groups[0])
      },
      SuiteStep(#"the (?:first message|interaction) in the (?:p|P)act file will contain (\d+) provider states?"#) {
        world, groups, _ in
        let found = try world.writtenInteraction(0)["providerStates"]?.elements?.count ?? 0
        #expect("\(found)" == groups[0])
      },
      SuiteStep("the (?:first message|interaction) in the Pact file will contain provider state \(quoted)") {
        world, groups, _ in
        let names = try world.writtenInteraction(0)["providerStates"]?.elements?.compactMap { $0["name"]?.string }
        #expect(names?.contains(groups[0]) == true)
      },
      SuiteStep(
        "the provider state \(quoted) (?:for the message|in the Pact file) will contain the following parameters:"
      ) {
        world, groups, step in
        let states = try world.writtenInteraction(0)["providerStates"]?.elements ?? []
        let state = try #require(states.first { $0["name"]?.string == groups[0] })
        #expect(try state["params"]?.value == SuiteData.json(step.rows[0]["parameters"] ?? "").value)
      },
      SuiteStep("the first interaction in the Pact file will have a type of \(quoted)") { world, groups, _ in
        let found = try world.writtenInteraction(0)["type"]?.string
        #expect(found == groups[0])
      },
      SuiteStep("there will be an interaction in the Pact file with a type of \(quoted)") { world, groups, _ in
        #expect(world.written?["interactions"]?.elements?.contains { $0["type"]?.string == groups[0] } == true)
      },
      SuiteStep("the first interaction in the Pact file will have \(quoted) = '(.*)'") { world, groups, _ in
        let found = try world.writtenInteraction(0)[groups[0]]?.value
        #expect(try found == SuiteData.json(groups[1]).value)
      },
    ]
  }

  private static func metadataSteps() -> [SuiteStep] {
    [
      SuiteStep("the received message (request |response )?metadata will contain \(quoted) == \(quoted)") {
        world, groups, _ in
        let message = groups[0] == "request " ? world.sentMessage : world.receivedMessage
        let value = try #require(message.metadata.first { $0.name == groups[1] }).value
        #expect(try value.value == SuiteData.value(groups[2]).value)
      },
      SuiteStep("the received message (request |response )?metadata will contain \(quoted) replaced with an? \(quoted)")
      {
        world, groups, _ in
        let message = groups[0] == "request " ? world.sentMessage : world.receivedMessage
        try Self.expect(try #require(message.metadata.first { $0.name == groups[1] }).value, groups[2])
      },
      SuiteStep(
        "the first message in the pact file will contain the (request )?message metadata \(quoted) == \(quoted)"
      ) {
        world, groups, _ in
        let node = try world.writtenMessage(groups[0].isEmpty ? "" : "request")
        #expect(try node["metadata"]?[groups[1]]?.value == SuiteData.value(groups[2]).value)
      },
    ]
  }
}
