import MPaaSJSON
import MPaaSSupport

/// Requests that were passed on to a server, of which stubs are made.
struct Recording: Sendable {
  enum Status: String { case neverStarted = "NeverStarted", recording = "Recording", stopped = "Stopped" }

  /// The most exchanges.
  static let most = 10_000

  private(set) var status = Status.neverStarted
  private(set) var target: String?
  private(set) var exchanges: [(request: MockRequest, answer: MockAnswer)] = []
  private(set) var rules = RecordingRules()

  mutating func start(_ target: String, _ rules: RecordingRules) {
    (self.target, self.rules) = (target, rules)
    exchanges = []
    status = .recording
  }

  /// Ends the recording; gives the stubs.
  mutating func stop() -> [StubMapping] {
    let stubs = rules.stubs(of: exchanges)
    target = nil
    exchanges = []
    status = .stopped
    return stubs
  }

  mutating func add(_ request: MockRequest, _ answer: MockAnswer) {
    guard status == .recording, exchanges.count < Self.most else { return }
    exchanges.append((request, answer))
  }
}

/// The rules by which exchanges become stubs.
package struct RecordingRules: Sendable {
  package var filter: RequestPattern?
  /// Headers of requests that stubs ask for, too, and whether their case counts.
  package var capturedHeaders: [(name: String, ignoresCase: Bool)] = []
  package var ignoresArrayOrder = true
  package var ignoresExtraElements = true
  package var matcher = "auto"
  package var ignoresCase = false
  /// True where equal requests become the steps of a scenario, and not one stub.
  package var repeatsAsScenarios = true
  package var isPersistent = true
  package var wantsIDs = false
  /// The sizes from which bodies go into files; nil where all stay in the stubs.
  package var extraction: BodyExtraction?
  /// The requests of the journal that a snapshot is made of; nil for all.
  package var chosen: [String]?

  package init() {}

  package init(_ reader: StubReader) throws(StubProblem) {
    if let filters = reader["filters"] {
      chosen = try filters["ids"]?.strings()
      let rest = try filters.object().filter { $0.name != "ids" }
      filter = try RequestPattern(StubReader(JSONNode(.object(rest)), pointer: filters.pointer))
    }
    extraction = try reader["extractBodyCriteria"].map { given throws(StubProblem) in try BodyExtraction(given) }
    for member in try reader["captureHeaders"]?.object() ?? [] {
      capturedHeaders.append((member.name, member.value["caseInsensitive"]?.bool ?? false))
    }
    if let body = reader["requestBodyPattern"] {
      matcher = try body.text("matcher") ?? "auto"
      ignoresArrayOrder = try body.flag("ignoreArrayOrder") ?? true
      ignoresExtraElements = try body.flag("ignoreExtraElements") ?? true
      ignoresCase = try body.flag("caseInsensitive") ?? false
    }
    repeatsAsScenarios = try reader.flag("repeatsAsScenarios") ?? true
    isPersistent = try reader.flag("persist") ?? true
    wantsIDs = try reader.text("outputFormat")?.lowercased() == "ids"
  }

  /// Headers that are of the connection or of the moment, and not of the answer.
  private static let fleeting: Set<String> = [
    "connection", "keep-alive", "transfer-encoding", "content-length", "date", "te", "trailer", "upgrade",
    "proxy-connection",
  ]

  package func stubs(of exchanges: [(request: MockRequest, answer: MockAnswer)]) -> [StubMapping] {
    var stubs: [StubMapping] = []
    var places: [String: [Int]] = [:]
    for (request, answer) in exchanges where filter?.matches(request) ?? true {
      var stub = StubMapping(pattern(request), response(answer), name: Self.name(request))
      stub.isPersistent = isPersistent ? true : nil
      let key = stub.request.document.line
      if places[key] != nil, !repeatsAsScenarios { continue }
      places[key, default: []].append(stubs.count)
      stubs.append(stub)
    }
    guard repeatsAsScenarios else { return stubs }
    for (number, indexes) in places.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }).enumerated() {
      let name = "scenario-\(number + 1)-\(stubs[indexes[0]].name ?? "")"
      func state(_ step: Int) -> String { step == 0 ? StubMapping.Scenario.started : "\(name)-\(step + 1)" }
      for (step, index) in indexes.enumerated() {
        let next = step + 1 < indexes.count ? state(step + 1) : nil
        stubs[index].scenario = StubMapping.Scenario(name, required: state(step), next: next)
      }
    }
    return stubs
  }

  private static func name(_ request: MockRequest) -> String {
    let name = request.path.split(separator: "/").joined(separator: "_").lowercased()
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "-" }.prefix(80))
  }

  private func pattern(_ request: MockRequest) -> RequestPattern {
    var pattern = RequestPattern(.one(request.method), .url(request.target))
    for captured in capturedHeaders {
      guard let value = request.header(captured.name) else { continue }
      pattern.headers.append(NamedPattern(captured.name, .equalTo(value, ignoresCase: captured.ignoresCase)))
    }
    if !request.body.isEmpty { pattern.bodies = [body(request)] }
    return pattern
  }

  private func body(_ request: MockRequest) -> ContentPattern {
    let type = request.header("Content-Type")?.lowercased() ?? ""
    guard let text = String(validUTF8: request.body) else { return .binaryEqualTo(request.body) }
    if matcher == "equalToJson" || (matcher == "auto" && type.contains("json")),
      let node = JSONNode.reading(request.body)
    {
      return .equalToJSON(
        JSONEquality(node, ignoresArrayOrder: ignoresArrayOrder, ignoresExtraElements: ignoresExtraElements))
    }
    if matcher == "equalToXml" || (matcher == "auto" && type.contains("xml")) {
      let node = JSONNode.members([("equalToXml", .text(text))])
      if let pattern = try? ContentPattern(StubReader(node)) { return pattern }
    }
    return .equalTo(text, ignoresCase: ignoresCase)
  }

  private func response(_ answer: MockAnswer) -> ResponseDefinition {
    var response = ResponseDefinition(status: answer.status)
    for header in answer.headers where !Self.fleeting.contains(header.name.lowercased()) {
      if let index = response.headers.firstIndex(where: { MockRequest.isSame($0.name, header.name) }) {
        let known = response.headers[index]
        response.headers[index] = .init(known.name, known.values + [header.value])
      } else {
        response.headers.append(.init(header.name, [header.value]))
      }
    }
    if let text = String(validUTF8: answer.body) {
      if !text.isEmpty { response.body = .text(text) }
    } else {
      response.body = .bytes(answer.body)
    }
    return response
  }
}
