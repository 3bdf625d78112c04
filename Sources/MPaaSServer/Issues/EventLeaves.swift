import MPaaSSupport

/// The leaves of an event: each value that is no list and no object, with the way to it.
enum EventLeaves {
  struct Leaf: Sendable, Equatable {
    /// `device.model`, `packages.0.name`.
    let path: String
    let text: String
  }

  /// The leaves of a value in the order of their names; of an empty list or object itself.
  static func of(_ value: JSONValue, _ path: String = "") -> [Leaf] {
    var leaves: [Leaf] = []
    add(value, path, to: &leaves)
    return leaves
  }

  private static func add(_ value: JSONValue, _ path: String, to leaves: inout [Leaf]) {
    switch value {
    case .object(let members) where !members.isEmpty:
      for (name, value) in members.sortedByName { add(value, path.isEmpty ? name : "\(path).\(name)", to: &leaves) }
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() {
        add(element, path.isEmpty ? String(index) : "\(path).\(index)", to: &leaves)
      }
    default: leaves.append(Leaf(path: path, text: text(of: value)))
    }
  }

  /// A value in a line or several.
  static func text(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .unsigned(let number): String(number)
    case .negative(let number): String(number)
    case .number(let number): String(number)
    case .string(let text): text
    case .array(let elements): elements.isEmpty ? "[]" : value.line
    case .object(let members): members.isEmpty ? "{}" : value.line
    }
  }
}
