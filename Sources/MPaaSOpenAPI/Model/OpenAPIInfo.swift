import MPaaSJSON

/// The title of a description and what else it says of itself.
package struct OpenAPIInfo: Sendable {
  package let title: String
  package let version: String
  package let summary: String?
  package let description: String?

  init(_ node: JSONNode?) {
    title = node?["title"]?.text ?? ""
    version = node?["version"]?.text ?? ""
    summary = node?["summary"]?.string
    description = node?["description"]?.string
  }
}

/// A word by which operations are grouped.
package struct OpenAPITag: Sendable {
  package let name: String
  package let summary: String?
  package let description: String?
  /// The tag above this one (3.2).
  package let parent: String?
  /// The use of the tag, such as `nav` (3.2).
  package let kind: String?

  init?(_ node: JSONNode) {
    guard let name = node["name"]?.string else { return nil }
    self.name = name
    summary = node["summary"]?.string
    description = node["description"]?.string
    parent = node["parent"]?.string
    kind = node["kind"]?.string
  }
}

/// The address of a server, in which variables may stand in braces.
package struct OpenAPIServer: Sendable {
  package struct Variable: Sendable {
    package let name: String
    package let value: String
    package let choices: [String]
  }

  package let url: String
  /// The name of the server (3.2).
  package let name: String?
  package let description: String?
  package let variables: [Variable]

  init?(_ node: JSONNode) {
    guard let url = node["url"]?.string else { return nil }
    self.url = url
    name = node["name"]?.string
    description = node["description"]?.string
    variables = (node["variables"]?.members ?? []).map { member in
      Variable(
        name: member.name, value: member.value["default"]?.text ?? "",
        choices: (member.value["enum"]?.elements ?? []).map(\.text))
    }
  }

  /// The address with the default value of each variable.
  package var address: String {
    variables.reduce(url) { $0.replacing("{\($1.name)}", with: $1.value) }
  }

  /// The path of the address, without a slash at its end.
  package var path: String {
    var rest = address[...]
    if let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...]
      rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    }
    while rest.last == "/" { rest.removeLast() }
    return rest.isEmpty || rest.first == "/" ? String(rest) : "/" + rest
  }
}

extension JSONNode {
  /// A plain value as text: a version that YAML takes for a number, too.
  var text: String {
    switch content {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    default: ""
    }
  }
}
