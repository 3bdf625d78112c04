import MPaaSJSON
import MPaaSSupport

/// Stubs of a Hoverfly simulation (its schema v5).
struct HoverflyImport {
  private let file: String
  private var result = MockImport()
  /// True where pairs differ in the host or the scheme of requests; a mock is asked under its own, so that only then they
  /// matter.
  private var keepsHost = false
  private var keepsScheme = false

  static func read(_ root: JSONNode, file: String) throws(MockImportError) -> MockImport {
    guard let version = root["meta"]?["schemaVersion"].text else {
      throw MockImportError.shape(root["meta"], "meta.schemaVersion", file)
    }
    guard version == "v5" || version.hasPrefix("v5.") else {
      throw MockImportError(.version, ["format": "Hoverfly", "version": version], at: .file(file))
    }
    guard let pairs = root["data"]?["pairs"]?.elements else {
      throw MockImportError.shape(root["data"], "data.pairs", file)
    }
    var reader = HoverflyImport(file: file)
    reader.keepsHost = values("destination", pairs).count > 1
    reader.keepsScheme = values("scheme", pairs).count > 1
    for (index, pair) in pairs.enumerated() {
      guard pair["request"]?.members != nil, pair["response"]?.members != nil else {
        throw MockImportError.shape(pair, "data.pairs[\(index)]", file)
      }
      reader.take(pair, at: "pairs[\(index)]")
    }
    reader.takeGlobals(root)
    return reader.result
  }

  private init(file: String) { self.file = file }

  private static func values(_ field: String, _ pairs: [JSONNode]) -> Set<String> {
    Set(pairs.map { $0["request"]?[field]?.line ?? "" })
  }

  private mutating func takeGlobals(_ root: JSONNode) {
    let actions = root["data"]?["globalActions"]
    for name in ["delays", "delaysLogNormal"] {
      for delay in actions?[name]?.list ?? [] {
        result.leaveOut(.feature, "globalActions.\(name)", at: delay["urlPattern"].text ?? "")
      }
    }
    for name in ["variables", "literals"] where root["data"]?[name]?.list.isEmpty == false {
      result.leaveOut(.feature, name, at: "data")
    }
  }

  private mutating func take(_ pair: JSONNode, at place: String) {
    let request = pair["request"] ?? JSONNode(members: [])
    var members = url(request, place)
    members.append(("method", method(request["method"]?.list ?? [], place)))
    for (field, isKept) in [("scheme", keepsScheme), ("destination", keepsHost)] {
      let matchers = request[field]?.list ?? []
      guard !matchers.isEmpty else { continue }
      if !isKept {
        if field == "destination" { result.leaveOut(.host, matchers[0]["value"]?.anyText ?? "", at: place) }
      } else if field == "scheme" {
        members.append((field, matchers[0]["value"]))
      } else {
        members.append(("host", pattern(matchers, field, place)))
      }
    }
    members.append(("queryParameters", patterns(request["query"], "query", place)))
    members.append(("headers", patterns(request["headers"], "headers", place)))
    for matcher in request["body"]?.list ?? [] where matcher["matcher"].text == "form" {
      members.append(("formParameters", patterns(matcher["value"], "body.form", place)))
    }
    let bodies = (request["body"]?.list ?? []).filter { $0["matcher"].text != "form" }
      .compactMap { pattern([$0], "body", place) }
    members.append(("bodyPatterns", bodies.isEmpty ? nil : JSONNode(elements: bodies)))
    if request["deprecatedQuery"]?.list.isEmpty == false {
      result.leaveOut(.matcher, "deprecatedQuery", at: place)
    }
    let response = pair["response"] ?? JSONNode(members: [])
    result.add(
      (pair["labels"]?.list.first).text ?? "", request: members, response: answer(response, place),
      scenario: scenario(request, response, place))
  }

  // MARK: Requests

  private mutating func url(_ request: JSONNode, _ place: String) -> [(name: String, value: JSONNode?)] {
    let matchers = request["path"]?.list ?? []
    guard let matcher = matchers.first else { return [("urlPattern", JSONNode(text: ".*"))] }
    if matchers.count > 1 { result.leaveOut(.matcher, "path[1…]", at: place) }
    let value = matcher["value"]?.string ?? ""
    if matcher["doMatch"] != nil { result.leaveOut(.matcher, "path.doMatch", at: place) }
    switch matcher["matcher"].text ?? "exact" {
    case "exact":
      // A query without members is for requests without a query alone.
      let isBare = request["query"]?.members?.isEmpty == true
      return [(isBare ? "url" : "urlPath", JSONNode(text: value.isEmpty ? "/" : value))]
    case "glob": return [("urlPathPattern", JSONNode(text: ImportedPattern.expression(ofGlob: value)))]
    case "regex": return [("urlPathPattern", JSONNode(text: ImportedPattern.whole(value)))]
    case let other:
      result.leaveOut(.matcher, "path.\(other)", at: place)
      return [("urlPattern", JSONNode(text: ".*"))]
    }
  }

  private mutating func method(_ matchers: [JSONNode], _ place: String) -> JSONNode? {
    guard let matcher = matchers.first else { return JSONNode(text: "ANY") }
    let value = matcher["value"]?.string ?? ""
    let kind = matcher["matcher"].text ?? "exact"
    if kind == "exact", !value.isEmpty { return JSONNode(text: value.uppercased()) }
    let words = value.split(separator: "|")
    if kind == "regex", !words.isEmpty, words.allSatisfy({ $0.allSatisfy(\.isLetter) }) {
      return JSONNode(members: [("oneOf", JSONNode(elements: words.map { JSONNode(text: $0.uppercased()) }))])
    }
    if kind != "glob" || value != "*" { result.leaveOut(.matcher, "method.\(kind)", at: place) }
    return JSONNode(text: "ANY")
  }

  /// Patterns by the name of a parameter or a header.
  private mutating func patterns(_ node: JSONNode?, _ field: String, _ place: String) -> JSONNode? {
    var patterns: [(name: String, value: JSONNode?)] = []
    for member in node?.members ?? [] {
      guard let value = pattern(member.value.list, "\(field).\(member.name)", place) else { continue }
      patterns.append((member.name, value))
    }
    return patterns.isEmpty ? nil : JSONNode(members: patterns)
  }

  private mutating func pattern(_ matchers: [JSONNode], _ field: String, _ place: String) -> JSONNode? {
    var made: [JSONNode] = []
    for matcher in matchers {
      if let pattern = HoverflyPattern.make(matcher) {
        made.append(pattern)
      } else {
        result.leaveOut(.matcher, "\(field).\(matcher["matcher"].text ?? "?")", at: place)
      }
    }
    return ImportedPattern.all(made)
  }

  // MARK: Responses

  private mutating func answer(_ response: JSONNode, _ place: String) -> [(name: String, value: JSONNode?)] {
    let isTemplate = response["templated"]?.bool == true
    func text(_ text: String) -> String {
      guard isTemplate else { return text }
      let (text, refused) = HoverflyTemplate.translated(text)
      for name in refused { result.leaveOut(.helper, name, at: place) }
      return text
    }
    let headers = (response["headers"]?.members ?? []).compactMap { member -> (name: String, value: JSONNode?)? in
      let values = member.value.list.compactMap(\.string)
      // They belong to the connection on which the answer was recorded.
      guard !["connection", "content-length", "transfer-encoding"].contains(member.name.lowercased()) else {
        return nil
      }
      let nodes = values.map { JSONNode(text: text($0)) }
      return (member.name, nodes.count == 1 ? nodes[0] : JSONNode(elements: nodes))
    }
    let body = response["body"]?.string ?? ""
    let isBase64 = response["encodedBody"]?.bool == true
    if response["postServeAction"].text != nil { result.leaveOut(.feature, "postServeAction", at: place) }
    let file = response["bodyFile"].text
    return [
      ("status", response["status"] ?? JSONNode(whole: 200)),
      ("headers", headers.isEmpty ? nil : JSONNode(members: headers)),
      (isBase64 ? "base64Body" : "body", file == nil ? JSONNode(text: isBase64 ? body : text(body)) : nil),
      ("bodyFileName", file.map { JSONNode(text: $0) }),
      ("fixedDelayMilliseconds", response["fixedDelay"]),
      ("delayDistribution", delay(response["logNormalDelay"], place)),
      ("transformers", isTemplate ? JSONNode(elements: [JSONNode(text: "response-template")]) : nil),
    ]
  }

  /// A delay by median and spread; Hoverfly tells the mean, which follows from both.
  private mutating func delay(_ node: JSONNode?, _ place: String) -> JSONNode? {
    guard let median = node?["median"]?.number?.double, median > 0 else { return nil }
    if let least = node?["min"]?.number?.double, least > 0 {
      result.leaveOut(.feature, "logNormalDelay.min", at: place)
    }
    let mean = max(median, node?["mean"]?.number?.double ?? median)
    return JSONNode(members: [
      ("type", JSONNode(text: "lognormal")), ("median", JSONNode(real: median)),
      ("sigma", JSONNode(real: (2 * HoverflyPattern.logarithm(mean / median)).squareRoot())),
      ("maxValue", node?["max"]?.number.flatMap { $0.double > 0 ? JSONNode(.number($0)) : nil }),
    ])
  }

  // MARK: States

  /// The first state that a pair needs or sets; a stub has one.
  private mutating func scenario(
    _ request: JSONNode, _ response: JSONNode, _ place: String
  ) -> ImportedScenario? {
    let needed = request["requiresState"]?.members ?? []
    let set = response["transitionsState"]?.members ?? []
    let removed = (response["removesState"]?.list ?? []).compactMap(\.string)
    guard let key = needed.first?.name ?? set.first?.name ?? removed.first else { return nil }
    for name in Set(needed.map(\.name) + set.map(\.name) + removed).sorted() where name != key {
      result.leaveOut(.matcher, "state \(name)", at: place)
    }
    // Sequences begin at 1 by themselves.
    func state(_ value: JSONNode?) -> String? {
      guard let value = value?.anyText else { return nil }
      return key.hasPrefix("sequence:") && value == "1" ? "Started" : value
    }
    let next = state(set.first { $0.name == key }?.value)
    return ImportedScenario(
      name: key, required: state(needed.first { $0.name == key }?.value),
      next: next ?? (removed.contains(key) ? "Started" : nil))
  }
}
