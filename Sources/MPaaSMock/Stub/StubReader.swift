package import MPaaSJSON

/// A value of a stub's document with its path, from which members are read.
package struct StubReader: Sendable {
  package let node: JSONNode
  package let pointer: String

  package init(_ node: JSONNode, pointer: String = "") {
    self.node = node
    self.pointer = pointer
  }

  package func problem(_ detail: String) -> StubProblem { StubProblem(pointer, detail, at: node.position) }

  package static func pointer(_ base: String, _ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return base + "/" + name
    }
    return base + "/" + name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }

  /// The member of a name; nil where there is none, and where it is null.
  package subscript(_ name: String) -> StubReader? {
    guard let value = node[name], !value.isNull else { return nil }
    return StubReader(value, pointer: Self.pointer(pointer, name))
  }

  package func object() throws(StubProblem) -> [JSONNode.Member] {
    guard let members = node.members else { throw problem("must be an object, and is \(node.kind)") }
    return members
  }

  package func array() throws(StubProblem) -> [StubReader] {
    guard let elements = node.elements else { throw problem("must be an array, and is \(node.kind)") }
    return elements.enumerated().map { StubReader($1, pointer: "\(pointer)/\($0)") }
  }

  package func string() throws(StubProblem) -> String {
    guard let text = node.string else { throw problem("must be a string, and is \(node.kind)") }
    return text
  }

  /// The text of a string, a number or a boolean.
  package func scalarText() throws(StubProblem) -> String {
    switch node.content {
    case .string(let text): return text
    case .number(let number): return number.text
    case .bool(let flag): return flag ? "true" : "false"
    default: throw problem("must be a string, and is \(node.kind)")
    }
  }

  package func bool() throws(StubProblem) -> Bool {
    if let flag = node.bool { return flag }
    if node.string == "true" { return true }
    if node.string == "false" { return false }
    throw problem("must be a boolean, and is \(node.kind)")
  }

  package func whole(_ range: ClosedRange<Int>) throws(StubProblem) -> Int {
    let number = node.number ?? node.string.flatMap { JSONNumber($0) }
    guard let number, let value = number.integer(Int.self), range.contains(value) else {
      throw problem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  package func double() throws(StubProblem) -> Double {
    guard let number = node.number else { throw problem("must be a number, and is \(node.kind)") }
    return number.double
  }

  package func strings() throws(StubProblem) -> [String] {
    try array().map { value throws(StubProblem) in try value.string() }
  }

  /// The members that are not among the known ones.
  package func others(than known: Set<String>) throws(StubProblem) -> [JSONNode.Member] {
    try object().filter { !known.contains($0.name) }
  }

  package func text(_ name: String) throws(StubProblem) -> String? { try self[name]?.string() }
  package func flag(_ name: String) throws(StubProblem) -> Bool? { try self[name]?.bool() }
}
