package import MPaaSSupport

extension ProxyDefinition {
  /// Reads a new proxy; what is not given is as usual.
  ///
  /// Toxics are not read here: requests do not bring any.
  package init(_ object: JSONValue.Object) throws(ControlFailure) {
    self.init(name: "", listen: "")
    name = try ControlFields(object).text("name") ?? ""
    try take(object)
  }

  /// Takes over what `object` names; the name stays.
  package mutating func take(_ object: JSONValue.Object) throws(ControlFailure) {
    let fields = ControlFields(object)
    listen = try fields.text("listen") ?? listen
    upstream = try fields.text("upstream") ?? upstream
    isEnabled = try fields.flag("enabled") ?? isEnabled
    if let word = try fields.text("kind") {
      guard let kind = Kind(rawValue: word) else {
        throw .malformed("kind \(word) is none of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      self.kind = kind
    }
    routes = try fields.texts("routes") ?? routes
    seed = try fields.whole("seed") ?? seed
    if let given = fields["tls"] { tls = given == .null ? nil : try TLS(try fields.object("tls") ?? [:]) }
  }
}

extension ProxyDefinition.TLS {
  init(_ object: JSONValue.Object) throws(ControlFailure) {
    let fields = ControlFields(object)
    self.init(
      certificate: try fields.text("certificate"), key: try fields.text("key"),
      toUpstream: try fields.flag("to_upstream") ?? false, authorities: try fields.text("authorities"))
  }
}

/// The members of an object that a request or a file brings; names are found in upper case too, and null is nothing.
struct ControlFields {
  private let members: JSONValue.Object

  init(_ members: JSONValue.Object) { self.members = members }

  /// As Go reads JSON: the name as it is, else the same in another case.
  subscript(_ name: String) -> JSONValue? {
    members[name] ?? members.first { $0.key.lowercased() == name }?.value
  }

  func text(_ name: String) throws(ControlFailure) -> String? {
    guard let value = self[name], value != .null else { return nil }
    guard let text = value.string else { throw .malformed("\(name) is a \(value.kind), not a string") }
    return text
  }

  func flag(_ name: String) throws(ControlFailure) -> Bool? {
    guard let value = self[name], value != .null else { return nil }
    guard let flag = value.bool else { throw .malformed("\(name) is a \(value.kind), not a boolean") }
    return flag
  }

  func number(_ name: String) throws(ControlFailure) -> Double? {
    guard let value = self[name], value != .null else { return nil }
    guard let number = value.double else { throw .malformed("\(name) is a \(value.kind), not a number") }
    return number
  }

  func whole(_ name: String) throws(ControlFailure) -> UInt64? {
    guard let value = self[name], value != .null else { return nil }
    guard let number = value.integer(UInt64.self) else { throw .malformed("\(name) is no whole number from 0 up") }
    return number
  }

  func object(_ name: String) throws(ControlFailure) -> JSONValue.Object? {
    guard let value = self[name], value != .null else { return nil }
    guard let object = value.object else { throw .malformed("\(name) is a \(value.kind), not an object") }
    return object
  }

  func texts(_ name: String) throws(ControlFailure) -> [String: String]? {
    guard let object = try object(name) else { return nil }
    var texts: [String: String] = [:]
    for (key, value) in object {
      guard let text = value.string else { throw .malformed("\(name).\(key) is a \(value.kind), not a string") }
      texts[key] = text
    }
    return texts
  }

  /// A list of texts; one text alone is a list too.
  func list(_ name: String) throws(ControlFailure) -> [String]? {
    guard let value = self[name], value != .null else { return nil }
    if let text = value.string { return [text] }
    guard let elements = value.array else { throw .malformed("\(name) is a \(value.kind), not an array") }
    var texts: [String] = []
    for element in elements {
      guard let text = element.string else { throw .malformed("\(name) has a \(element.kind) in it") }
      texts.append(text)
    }
    return texts
  }
}

extension ControlRequest {
  /// The JSON at the front of the body.
  var json: JSONValue {
    get throws(ControlFailure) {
      guard body.contains(where: { $0 > 0x20 }) else { throw .malformed("EOF") }
      let read = body.withUnsafeBytes { bytes -> Result<JSONValue, JSONError> in
        var end = 0
        do throws(JSONError) {
          return .success(try JSONValue(readingFirstOf: bytes, end: &end))
        } catch {
          return .failure(error)
        }
      }
      switch read {
      case .success(let value): return value
      case .failure(let error):
        throw .malformed("\(error.code.rawValue) at line \(error.line), column \(error.column)")
      }
    }
  }

  /// The same, which must be an object; `null` is an empty one.
  var object: JSONValue.Object {
    get throws(ControlFailure) {
      let value = try json
      if value == .null { return [:] }
      guard let object = value.object else { throw .malformed("a \(value.kind) is no object") }
      return object
    }
  }

  /// The same, where no body is an empty object.
  var optionalObject: JSONValue.Object {
    get throws(ControlFailure) { body.contains { $0 > 0x20 } ? try object : [:] }
  }
}
