import MPaaSJSON

/// The methods that a pattern is for.
package enum MethodPattern: Sendable, Equatable {
  case any
  case one(String)
  case oneOf([String])
  case noneOf([String])

  init(_ reader: StubReader?) throws(StubProblem) {
    guard let reader else {
      self = .any
      return
    }
    if let list = reader["oneOf"] {
      self = .oneOf(try list.strings())
    } else if let list = reader["noneOf"] {
      self = .noneOf(try list.strings())
    } else {
      let text = try reader.string()
      self = text == "ANY" ? .any : .one(text.uppercased())
    }
  }

  package func matches(_ method: String) -> Bool {
    switch self {
    case .any: true
    case .one(let name): name == method
    case .oneOf(let names): names.contains(method)
    case .noneOf(let names): !names.contains(method)
    }
  }

  var document: JSONNode? {
    switch self {
    case .any: nil
    case .one(let name): .text(name)
    case .oneOf(let names): .members([("oneOf", .list(names.map { .text($0) }))])
    case .noneOf(let names): .members([("noneOf", .list(names.map { .text($0) }))])
    }
  }
}
