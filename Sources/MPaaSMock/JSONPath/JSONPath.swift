package import MPaaSJSON

/// The reason why a JSONPath cannot be read, with its place in characters.
package struct JSONPathError: Error, Sendable, Equatable {
  package let reason: String
  package let offset: Int
}

/// A path into a JSON document, in the dialect of Java's JsonPath: `$.items[?(@.price < 10)].name`.
///
/// - Source: The documentation of com.jayway.jsonpath.
package struct JSONPath: Sendable {
  indirect enum Step: Sendable {
    case names([String])
    case indexes([Int])
    case slice(Int?, Int?, Int)
    case all
    case descendants
    case filter(JSONPathCondition)
    case function(String, [String])
  }

  /// The most bytes of a path.
  package static let longest = 16 << 10

  package let text: String
  let steps: [Step]
  /// True where it leads to one value at most.
  package let isDefinite: Bool

  package init(_ text: String) throws(JSONPathError) {
    guard text.utf8.count <= Self.longest else { throw JSONPathError(reason: "it is longer than 16 KiB", offset: 0) }
    var parser = JSONPathParser(text)
    steps = try parser.path()
    self.text = text
    isDefinite = Self.isDefinite(steps)
  }

  init(steps: [Step], text: String) {
    self.steps = steps
    self.text = text
    isDefinite = Self.isDefinite(steps)
  }

  private static func isDefinite(_ steps: [Step]) -> Bool {
    steps.allSatisfy { step in
      switch step {
      case .names(let names): names.count == 1
      case .indexes(let indexes): indexes.count == 1
      case .function: true
      case .slice, .all, .descendants, .filter: false
      }
    }
  }

  /// The values that the path leads to.
  package func values(in root: JSONNode) -> [JSONNode] {
    var run = JSONPathRun(root: root)
    return run.values(steps, from: root)
  }

  /// The values that the path finds: one by itself where it leads to one, else an array; nil where there is nothing.
  package func result(in root: JSONNode) -> JSONNode? {
    let values = values(in: root)
    if isDefinite { return values.first }
    return values.isEmpty ? nil : .list(values)
  }
}

/// A condition on a value.
indirect enum JSONPathCondition: Sendable {
  enum Operand: Sendable {
    case literal(JSONNode)
    case pattern(JavaPattern)
    /// From the value at hand, or from the root.
    case path(JSONPath, isFromRoot: Bool)
  }

  case and(JSONPathCondition, JSONPathCondition)
  case or(JSONPathCondition, JSONPathCondition)
  case not(JSONPathCondition)
  case exists(JSONPath, isFromRoot: Bool)
  case comparison(Operand, String, Operand)
  case constant(Bool)
}
