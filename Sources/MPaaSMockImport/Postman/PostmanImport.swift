import MPaaSJSON
import MPaaSSupport

/// Stubs of the saved examples of a collection of Postman (v2.1).
struct PostmanImport {
  private var examples: [Example] = []
  private var result = MockImport()
  private let variables: [String: String]

  /// An example as the parts of a stub.
  private struct Example {
    let name: String
    let request: [(name: String, value: JSONNode?)]
    let response: [(name: String, value: JSONNode?)]
    /// The number of conditions beside method and path: those with more of them come first.
    let conditions: Int
  }

  /// The most folders inside each other.
  private static let depth = 64

  static func read(_ root: JSONNode, file: String) throws(MockImportError) -> MockImport {
    let schema = root["info"]?["schema"].text ?? ""
    guard schema.contains("/v2.1") || schema.contains("/v2.0") else {
      throw MockImportError(.version, ["format": "Postman", "version": schema], at: .file(file))
    }
    guard let items = root["item"]?.elements else { throw MockImportError.shape(root, "item", file) }
    var variables: [String: String] = [:]
    for variable in root["variable"]?.list ?? [] {
      if let name = variable["key"].text, let value = variable["value"] { variables[name] = value.anyText }
    }
    var reader = PostmanImport(variables: variables)
    for name in ["auth", "event"] where root[name] != nil { reader.result.leaveOut(.feature, name, at: "collection") }
    reader.take(items, in: "", depth: 0)
    for example in reader.examples.enumerated().sorted(by: {
      ($1.element.conditions, $0.offset) < ($0.element.conditions, $1.offset)
    }) {
      reader.result.add(example.element.name, request: example.element.request, response: example.element.response)
    }
    return reader.result
  }

  private init(variables: [String: String]) { self.variables = variables }

  private mutating func take(_ items: [JSONNode], in folder: String, depth: Int) {
    for item in items {
      let place = folder + (item["name"].text ?? "item")
      if item["event"]?.list.isEmpty == false { result.leaveOut(.feature, "event", at: place) }
      if let inner = item["item"]?.elements {
        guard depth < Self.depth else {
          result.leaveOut(.route, "item", at: place)
          continue
        }
        take(inner, in: place + " / ", depth: depth + 1)
      } else if let request = item["request"] {
        let responses = item["response"]?.list ?? []
        if responses.isEmpty { result.leaveOut(.route, "example", at: place) }
        for response in responses { take(response, of: request, at: place) }
      }
    }
  }

  private mutating func take(_ response: JSONNode, of request: JSONNode, at place: String) {
    let original = response["originalRequest"] ?? request
    let url = PostmanURL(original["url"] ?? (original.string == nil ? nil : original), variables: variables)
    let method = original["method"].text ?? request["method"].text ?? "GET"
    var members: [(name: String, value: JSONNode?)] = [("method", JSONNode(text: method.uppercased())), url.member]
    let place = place + (response["name"].text.map { " / \($0)" } ?? "")
    for name in url.unknown { result.leaveOut(.matcher, "{{\(name)}}", at: place) }
    let query = url.query.map { ($0.name, ImportedPattern.make("equalTo", $0.value) as JSONNode?) }
    if !query.isEmpty { members.append(("queryParameters", JSONNode(members: query))) }
    let body = body(original["body"], place)
    if let body { members.append(body) }
    examples.append(
      Example(
        name: place, request: members, response: answer(response, place),
        conditions: query.count + (body == nil ? 0 : 1)
      ))
  }

  /// The condition on the body that an example was sent with.
  private mutating func body(_ body: JSONNode?, _ place: String) -> (name: String, value: JSONNode?)? {
    guard let body, body["disabled"]?.bool != true, let mode = body["mode"].text else { return nil }
    switch mode {
    case "raw":
      guard let text = body["raw"].text else { return nil }
      guard !text.contains("{{") else {
        result.leaveOut(.matcher, "body with variables", at: place)
        return nil
      }
      let isJSON = (try? JSONSource(parsing: Array(text.utf8), file: "")) != nil
      return ("bodyPatterns", JSONNode(elements: [ImportedPattern.make(isJSON ? "equalToJson" : "equalTo", text)]))
    case "urlencoded":
      let fields = (body["urlencoded"]?.list ?? []).filter { $0["disabled"]?.bool != true }
        .compactMap { field -> (name: String, value: JSONNode?)? in
          guard let name = field["key"].text, let value = field["value"]?.string, !value.contains("{{") else {
            return nil
          }
          return (name, ImportedPattern.make("equalTo", value))
        }
      return fields.isEmpty ? nil : ("formParameters", JSONNode(members: fields))
    default:
      result.leaveOut(.matcher, "body \(mode)", at: place)
      return nil
    }
  }

  private mutating func answer(_ response: JSONNode, _ place: String) -> [(name: String, value: JSONNode?)] {
    var names: [String] = []
    var values: [String: [JSONNode]] = [:]
    for header in response["header"]?.list ?? [] where header["disabled"]?.bool != true {
      guard let name = header["key"].text, let value = header["value"]?.string else { continue }
      // Examples keep a body that was decoded, and lengths of what was sent.
      let isOfConnection = ["content-encoding", "content-length", "transfer-encoding", "connection"]
        .contains(name.lowercased())
      guard !isOfConnection else { continue }
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(JSONNode(text: value))
    }
    let headers = names.map { name -> (name: String, value: JSONNode?) in
      let list = values[name] ?? []
      return (name, list.count == 1 ? list[0] : JSONNode(elements: list))
    }
    let body = response["body"].text
    if body?.contains("{{$") == true { result.leaveOut(.helper, "{{$…}}", at: place) }
    return [
      ("status", response["code"]?.number.map { JSONNode(.number($0)) } ?? JSONNode(whole: 200)),
      ("statusMessage", response["status"].text.map { JSONNode(text: $0) }),
      ("headers", headers.isEmpty ? nil : JSONNode(members: headers)), ("body", body.map { JSONNode(text: $0) }),
    ]
  }
}

/// A URL of a collection: a text, or its parts.
struct PostmanURL {
  private let path: String
  private(set) var query: [(name: String, value: String)] = []
  /// Variables without a value, which stand for any text.
  private(set) var unknown: [String] = []
  private var hasParameters = false

  init(_ node: JSONNode?, variables: [String: String]) {
    let raw = node?.string ?? node?["raw"].text ?? ""
    var segments: [String]
    if let parts = node?["path"]?.elements {
      segments = parts.compactMap { $0.string ?? $0["value"]?.string }
    } else {
      let target = raw.prefix { $0 != "?" && $0 != "#" }
      let start = target.firstIndex(of: "/").flatMap { slash in
        target[slash...].hasPrefix("//") ? target[target.index(slash, offsetBy: 2)...].firstIndex(of: "/") : slash
      }
      segments = start.map { target[$0...].split(separator: "/").map(String.init) } ?? []
    }
    for index in segments.indices {
      let (text, isTemplate) = Self.resolved(segments[index], variables, &unknown)
      segments[index] = text
      hasParameters = hasParameters || isTemplate
    }
    path = "/" + segments.joined(separator: "/")
    let fields: [(String, String)]
    if let parts = node?["query"]?.elements {
      fields = parts.filter { $0["disabled"]?.bool != true }.compactMap { part in
        part["key"].text.map { ($0, part["value"]?.string ?? "") }
      }
    } else {
      let text = raw.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
      fields = text.split(separator: "&").map { field in
        let name = field.prefix { $0 != "=" }
        return (
          PercentEncoding.decodeLeniently(name.utf8),
          PercentEncoding.decodeLeniently(field.dropFirst(name.count + 1).utf8)
        )
      }
    }
    for (name, value) in fields where !query.contains(where: { $0.name == name }) {
      let (text, isTemplate) = Self.resolved(value, variables, &unknown)
      if !isTemplate { query.append((name, text)) }
    }
  }

  /// The member of a request for it.
  var member: (name: String, value: JSONNode?) {
    (hasParameters ? "urlPathTemplate" : "urlPath", JSONNode(text: path))
  }

  /// A part with the values of its variables; one that has none, and a parameter as `:id`, become a part that is any text.
  private static func resolved(
    _ part: String, _ variables: [String: String], _ unknown: inout [String]
  ) -> (text: String, isTemplate: Bool) {
    if part.hasPrefix(":"), part.utf8.count > 1 { return ("{\(part.dropFirst())}", true) }
    guard part.contains("{{") else { return (part, false) }
    var text = part
    for (name, value) in variables.sorted(by: { $0.key < $1.key }) where !value.contains("{{") {
      text = text.replacingAll("{{\(name)}}", with: value)
    }
    guard text.contains("{{") else { return (text, false) }
    let name = text.drop { $0 != "{" }.drop { $0 == "{" }.prefix { $0 != "}" }
    unknown.append(String(name))
    return ("{\(name.filter { $0.isLetter || $0.isNumber || $0 == "_" })}", true)
  }
}

extension String {
  fileprivate func replacingAll(_ text: String, with other: String) -> String {
    var (result, rest) = ("", self[...])
    while !rest.isEmpty {
      if rest.hasPrefix(text) {
        result += other
        rest = rest.dropFirst(text.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result
  }
}
