import Foundation
import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import Testing

extension SuiteWorld {
  /// A message of a cell for its body.
  func message(_ cell: String, rules: String = "", metadata: [JSONNode.Member] = []) throws -> PactMessage {
    var message = PactMessage(metadata: metadata)
    if let (bytes, type) = try SuiteData.body(cell) {
      message.body = PactBody(bytes, contentType: MediaType(type ?? "text/plain"))
    }
    if !rules.isEmpty { message.rules = try self.rules(rules) }
    return message
  }

  func verify(_ name: String, _ message: PactMessage, _ change: (inout PactInteraction) -> Void = { _ in }) throws {
    var interaction = PactInteraction(name, .message(message))
    change(&interaction)
    toVerify.append(try pact([interaction]))
  }
}

extension SuiteStep {
  static func messageSteps() -> [SuiteStep] {
    [
      SuiteStep(
        "a provider is started that can generate the \(quoted) message with \(quoted)(?: and the following metadata:)?"
      ) {
        world, groups, step in
        let message = try world.message(groups[1], metadata: try SuiteData.metadata(step.rows))
        var response = PactResponse(body: message.body)
        response.headers = [PactField("Content-Type", [message.body.contentType?.description ?? "text/plain"])]
        if !message.metadata.isEmpty {
          let text = Base64.encode(Array(JSONNode(.object(message.metadata)).line.utf8))
          response.headers.append(PactField(PactMessage.metadataHeader, [text]))
        }
        world.messages[groups[0]] = response
      },
      SuiteStep("a Pact file for \(quoted):\(quoted) is to be verified(, but is marked pending)?") { world, groups, _ in
        try world.verify(groups[0], try world.message(groups[1])) { $0.isPending = !groups[2].isEmpty }
      },
      SuiteStep("a Pact file for \(quoted):\(quoted) is to be verified with provider state \(quoted)") {
        world, groups, _ in
        try world.verify(groups[0], try world.message(groups[1])) { $0.states = [PactState(groups[2])] }
      },
      SuiteStep("a Pact file for \(quoted):\(quoted) is to be verified with the following metadata:") {
        world, groups, step in
        try world.verify(groups[0], try world.message(groups[1], metadata: try SuiteData.metadata(step.rows)))
      },
      SuiteStep("a Pact file for \(quoted):\(quoted) is to be verified with the following comments:") {
        world, groups, step in
        try world.verify(groups[0], try world.message(groups[1])) { $0.comments = Self.comments(step.rows) }
      },
      SuiteStep("a Pact file for \(quoted) is to be verified with the following:") { world, groups, step in
        let pairs = step.pairs
        let metadata = try (pairs["metadata"] ?? "").split(separator: "; ").map { part in
          let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
          return JSONNode.Member(name: halves[0], value: try SuiteData.value(halves[1]))
        }
        let message = try world.message(
          pairs["body"] ?? "", rules: pairs["matching rules"] ?? "", metadata: metadata)
        try world.verify(groups[0], message)
      },
    ]
  }
}
