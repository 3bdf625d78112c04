import MPaaSJSON
package import MPaaSMock
import MPaaSSigning
import MPaaSSupport

/// The answers to calls of mPaaS' gateway, by the operation that they name.
///
/// It is asked before stubs and documents, and asks them itself: with the request as it came, then as `POST /OPERATION`
/// with the arguments' body, then as the request of the operation with that name in an API document. So a stub may look
/// at the header `Operation-Type` or at the path.
package struct GatewayCallSource: MockSource {
  package static let word = "calls"
  /// The names of the headers that tell the outcome.
  package static let resultHeader = "Result-Status"
  package static let memoHeader = "Memo"
  package static let tipsHeader = "Tips"
  package static let violationsHeader = "X-Mpaas-Violations"

  private let rules: GatewayCallRules
  private let sources: @Sendable () -> [any MockSource]
  private let route: @Sendable (_ operation: String) -> OperationRoute?

  /// - Parameters:
  ///   - sources: The sources of answers, in their order, as they are now.
  ///   - route: Gives the request of an operation of the API documents.
  package init(
    _ rules: GatewayCallRules, sources: @escaping @Sendable () -> [any MockSource],
    route: @escaping @Sendable (_ operation: String) -> OperationRoute? = { _ in nil }
  ) {
    self.rules = rules
    self.sources = sources
    self.route = route
  }

  package var name: String { Self.word }

  package func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    guard let call = GatewayCall(request) else { return .none([]) }
    let origin = MockOrigin(Self.word, id: call.operation)
    if let wish = Self.wish(request) { return .answer(Self.refusal(wish, nil), by: origin) }
    let violations = call.violations(rules, at: time)
    if let first = violations.first(where: rules.refuses) {
      return .answer(Self.refusal(first.result, first.detail), by: origin)
    }
    let (found, misses) = ask(call, request, time)
    guard var (answer, source) = found else {
      let nearest = misses.min { $0.distance < $1.distance }?.reasons.first
      let detail = "\(GatewayResult.noOperation.memo): \(call.operation)" + (nearest.map { "; \($0)" } ?? "")
      return .answer(Self.refusal(.noOperation, detail), by: origin)
    }
    if rules.isStrict, answer.delay > rules.patience {
      var late = Self.refusal(.serviceTimedOut, nil)
      late.delay = rules.patience
      (answer, source) = (late, origin)
    } else {
      Self.mark(&answer)
    }
    if !violations.isEmpty {
      let codes = violations.map { String($0.result.rawValue) }.joined(separator: ",")
      answer.headers.append((name: Self.violationsHeader, value: codes))
    }
    return .answer(answer, by: source)
  }

  /// The first answer of a source to one of the forms of the call.
  private func ask(
    _ call: GatewayCall, _ request: MockRequest, _ time: Double
  ) -> (found: (MockAnswer, MockOrigin)?, misses: [MockMiss]) {
    var forms = [request, OperationRoute(method: "POST", path: "/\(call.operation)").request(for: call, of: request)]
    if let route = route(call.operation) { forms.append(route.request(for: call, of: request)) }
    var misses: [MockMiss] = []
    let sources = sources()
    for form in forms {
      for source in sources {
        switch source.answer(form, at: time) {
        case .answer(let answer, let origin): return ((answer, origin), [])
        case .none(let reasons): misses += reasons
        }
      }
    }
    return (nil, misses)
  }

  /// The code that a test asks for: `Prefer: result=2000`.
  private static func wish(_ request: MockRequest) -> GatewayResult? {
    for value in request.headerValues("Prefer") {
      for part in value.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == " " }) where part.hasPrefix("result=") {
        if let code = Int(part.dropFirst("result=".count)) { return GatewayResult(rawValue: code) }
      }
    }
    return nil
  }

  /// Puts the outcome into an answer that does not tell it.
  private static func mark(_ answer: inout MockAnswer) {
    guard answer.fault == nil, answer.proxying == nil,
      !answer.headers.contains(where: { $0.name.lowercased() == resultHeader.lowercased() })
    else { return }
    let result: GatewayResult =
      answer.status < 400 ? .success : answer.status == 504 ? .serviceTimedOut : .serviceFailed
    if result != .success {
      answer.headers.append((name: memoHeader, value: "HTTP \(answer.status)"))
      answer.status = 200
    }
    answer.headers.append((name: resultHeader, value: String(result.rawValue)))
  }

  /// The answer of the gateway itself, which has no content.
  package static func refusal(_ result: GatewayResult, _ detail: String?) -> MockAnswer {
    var headers = [
      (name: resultHeader, value: String(result.rawValue)),
      (name: memoHeader, value: GatewayResult.headerText(detail ?? result.memo)),
    ]
    if let tips = result.tips { headers.append((name: tipsHeader, value: GatewayResult.headerText(tips))) }
    return MockAnswer(200, headers: headers)
  }
}
