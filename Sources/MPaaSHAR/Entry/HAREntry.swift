package import MPaaSJSON

/// A request with its response.
package struct HAREntry: Sendable, Equatable {
  /// The entry as it stands in the file.
  package private(set) var node: JSONNode

  /// Takes an entry of a file.
  ///
  /// - Throws: `HARError` `har-shape` where request or response is missing, or one of the parts that every one has.
  init(_ node: JSONNode, path: String, file: String) throws(HARError) {
    self.node = node
    let needed: [(String, (JSONNode) -> Bool)] = [
      ("request", { $0.members != nil }), ("request.method", { $0.string != nil }),
      ("request.url", { $0.string != nil }), ("response", { $0.members != nil }),
      ("response.status", { $0.number?.integer(Int.self) != nil }),
    ]
    for (name, isRight) in needed {
      let value = name.split(separator: ".").reduce(node as JSONNode?) { $0?[String($1)] }
      guard let value, isRight(value) else { throw HARError.shape("\(path).\(name)", in: file, at: value ?? node) }
    }
    for name in ["request.headers", "response.headers", "request.queryString", "request.cookies", "response.cookies"] {
      let value = name.split(separator: ".").reduce(node as JSONNode?) { $0?[String($1)] }
      guard let value else { continue }
      let isList = value.elements?.allSatisfy { $0["name"]?.string != nil && $0["value"]?.string != nil } ?? false
      guard isList else { throw HARError.shape("\(path).\(name)", in: file, at: value) }
    }
  }

  /// Takes an entry that is made in code and has all its parts.
  init(made node: JSONNode) { self.node = node }

  package var request: HARRequest { HARRequest(node: node["request"] ?? JSONNode(members: [])) }
  package var response: HARResponse { HARResponse(node: node["response"] ?? JSONNode(members: [])) }

  /// The moment of the request in seconds since 1970; nil where the text is none.
  package var started: Double? { node["startedDateTime"]?.string.flatMap { HARTime.seconds($0) } }

  /// The milliseconds that the exchange took; nil where the file does not say.
  package var duration: Double? { node["time"]?.number.map(\.double).flatMap { $0 >= 0 ? $0 : nil } }

  /// The milliseconds between request and the first byte of the answer; nil where the file does not say.
  package var waited: Double? { node["timings"]?["wait"]?.number.map(\.double).flatMap { $0 >= 0 ? $0 : nil } }

  package var serverAddress: String? { node["serverIPAddress"]?.string }
}

/// A name with a value: a header, a parameter, a cookie.
package struct HARField: Sendable, Hashable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension JSONNode {
  /// The fields of a list of objects with `name` and `value`.
  var fields: [HARField] {
    (elements ?? []).compactMap { element in
      guard let name = element["name"]?.string, let value = element["value"]?.string else { return nil }
      return HARField(name, value)
    }
  }

  init(fields: [HARField]) {
    self.init(
      elements: fields.map {
        JSONNode(members: [("name", JSONNode(text: $0.name)), ("value", JSONNode(text: $0.value))])
      })
  }
}

extension [HARField] {
  /// The value of the first header of a name in any case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }
}
