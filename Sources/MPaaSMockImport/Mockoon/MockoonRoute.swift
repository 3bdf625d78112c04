import MPaaSJSON

/// A route of Mockoon with its responses, which becomes a stub for each of them.
struct MockoonRoute {
  private let route: JSONNode
  private let environment: JSONNode
  private let place: String
  private let path: String

  init(_ route: JSONNode, in environment: JSONNode) {
    self.route = route
    self.environment = environment
    let parts = [environment["endpointPrefix"].text, route["endpoint"].text].compactMap { $0 }
    path = "/" + parts.map { $0.split(separator: "/").joined(separator: "/") }.joined(separator: "/")
    place = "\((route["method"].text ?? "get").uppercased()) \(path)"
  }

  mutating func addStubs(to result: inout MockImport) {
    guard (route["type"].text ?? "http") == "http" else {
      result.leaveOut(.route, route["type"].text ?? "", at: place)
      return
    }
    if route["method"].text == nil { result.leaveOut(.matcher, "method", at: place) }
    if route["streamingMode"].text != nil { result.leaveOut(.feature, "streamingMode", at: place) }
    let responses = route["responses"]?.list ?? []
    let mode = route["responseMode"].text
    switch mode {
    case "SEQUENTIAL":
      for (index, response) in responses.enumerated() {
        let next = index + 1 < responses.count ? String(index + 2) : "Started"
        let scenario = ImportedScenario(
          name: place, required: index == 0 ? "Started" : String(index + 1), next: responses.count > 1 ? next : nil)
        add(response, [], scenario: scenario, to: &result)
      }
    case "RANDOM", "FALLBACK":
      result.leaveOut(.feature, "responseMode \(mode ?? "")", at: place)
      fallthrough
    default:
      let ignoresRules = mode == "DISABLE_RULES" || mode == "RANDOM"
      // Rules are tried in their order; the usual response comes last.
      let usual =
        responses.first { $0["default"]?.bool == true } ?? responses.first { $0["rules"]?.list.isEmpty != false }
      for response in responses where response != usual && !ignoresRules {
        for conditions in conditions(of: response, &result) { add(response, conditions, to: &result) }
      }
      if let usual { add(usual, [], to: &result) }
    }
  }

  /// The conditions under which a response comes: all of a list must hold, of one of several lists.
  private func conditions(of response: JSONNode, _ result: inout MockImport) -> [[MockoonCondition]] {
    let rules = response["rules"]?.list ?? []
    var conditions: [MockoonCondition] = []
    for rule in rules {
      if let condition = MockoonCondition(rule, hasParameters: MockoonPath(path).isTemplate) {
        conditions.append(condition)
      } else {
        let name = "rule \(rule["target"].text ?? "?") \(rule["operator"].text ?? "equals")"
        result.leaveOut(.matcher, name, at: "\(place) \(response["label"].text ?? "")")
      }
    }
    // Without one of its conditions a response would come where it must not.
    let isAll = response["rulesOperator"].text == "AND"
    if isAll { return conditions.isEmpty || conditions.count < rules.count ? [] : [conditions] }
    return conditions.map { [$0] }
  }

  private func add(
    _ response: JSONNode, _ conditions: [MockoonCondition], scenario: ImportedScenario? = nil,
    to result: inout MockImport
  ) {
    let label = response["label"].text.map { " (\($0))" } ?? ""
    let method = (route["method"].text ?? "get").uppercased()
    var request: [(name: String, value: JSONNode?)] = [
      ("method", JSONNode(text: method == "ALL" ? "ANY" : method)), MockoonPath(path).member,
    ]
    for group in MockoonCondition.Group.allCases {
      let patterns = conditions.filter { $0.group == group }
      guard !patterns.isEmpty else { continue }
      request.append((group.rawValue, group.node(patterns)))
    }
    result.add(place + label, request: request, response: answer(response, &result), scenario: scenario)
  }

  // MARK: Responses

  private func answer(_ response: JSONNode, _ result: inout MockImport) -> [(name: String, value: JSONNode?)] {
    let isTemplate = response["disableTemplating"]?.bool != true
    let template = MockoonTemplate(environment: environment)
    var hasExpressions = false
    func text(_ text: String) -> String {
      guard isTemplate, text.contains("{{") else { return text }
      hasExpressions = true
      let (text, refused) = template.translated(text)
      for name in refused { result.leaveOut(.helper, name, at: place) }
      return text
    }
    if response["callbacks"]?.list.isEmpty == false { result.leaveOut(.feature, "callbacks", at: place) }
    let headers = headers(response).map { ($0.name, JSONNode(text: text($0.value)) as JSONNode?) }
    let latency = [response["latency"], environment["latency"]].reduce(0) { sum, node in
      sum + min(600_000, max(0, node?.number?.integer(Int.self) ?? 0))
    }
    let body = body(response, &result).map { (name: $0.name, value: JSONNode(text: text($0.value)) as JSONNode?) }
    return [
      ("status", response["statusCode"] ?? JSONNode(whole: 200)),
      ("headers", headers.isEmpty ? nil : JSONNode(members: headers)),
      body ?? ("body", nil),
      ("fixedDelayMilliseconds", latency > 0 ? JSONNode(whole: latency) : nil),
      ("transformers", hasExpressions ? JSONNode(elements: [JSONNode(text: "response-template")]) : nil),
    ]
  }

  /// The headers of the response, and those of the environment that it does not have.
  private func headers(_ response: JSONNode) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for header in (response["headers"]?.list ?? []) + (environment["headers"]?.list ?? []) {
      guard let name = header["key"].text, let value = header["value"]?.string,
        !found.contains(where: { $0.name.lowercased() == name.lowercased() })
      else { continue }
      found.append((name, value))
    }
    return found
  }

  private func body(_ response: JSONNode, _ result: inout MockImport) -> (name: String, value: String)? {
    let file = response["filePath"].text
    switch response["bodyType"].text ?? (file == nil || response["sendFileAsBody"]?.bool != true ? "INLINE" : "FILE") {
    case "FILE":
      guard let file else { return nil }
      // Files of the mock lie below its own folder.
      guard !file.hasPrefix("/"), !file.split(separator: "/").contains("..") else {
        result.leaveOut(.feature, "filePath \(file)", at: place)
        return nil
      }
      return ("bodyFileName", file.hasPrefix("./") ? String(file.dropFirst(2)) : file)
    case "DATABUCKET":
      guard let content = MockoonTemplate(environment: environment).bucket(response["databucketID"].text ?? "") else {
        result.leaveOut(.feature, "databucketID", at: place)
        return nil
      }
      return ("body", content)
    default: return response["body"].text.map { ("body", $0) }
    }
  }
}

/// A path of Mockoon, which is one of Express.
struct MockoonPath {
  let path: String

  init(_ path: String) { self.path = path }

  private var hasExpressions: Bool { path.contains { "*?+()".contains($0) } }

  /// Tells whether it has parameters that conditions and templates can name.
  var isTemplate: Bool { !hasExpressions && path.split(separator: "/").contains { $0.hasPrefix(":") } }

  /// The member of a request for it.
  var member: (name: String, value: JSONNode?) {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    if isTemplate {
      let parts = segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
      return ("urlPathTemplate", JSONNode(text: parts.joined(separator: "/")))
    }
    guard hasExpressions else { return ("urlPath", JSONNode(text: path)) }
    let parts = segments.map { segment -> String in
      if segment == "*" { return ".*" }
      if segment.hasPrefix(":") { return segment.hasSuffix("?") ? "[^/]*" : "[^/]+" }
      return segment.split(separator: "*", omittingEmptySubsequences: false)
        .map { part in part.map { ".|^$[]{}\\".contains($0) ? "\\\($0)" : String($0) }.joined() }.joined(
          separator: ".*")
    }
    return ("urlPathPattern", JSONNode(text: parts.joined(separator: "/")))
  }
}
