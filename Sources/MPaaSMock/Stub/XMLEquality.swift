package import MPaaSJSON

/// An XML document that another must be equal to, whatever the order of attributes and of elements of different names.
package struct XMLEquality: Sendable {
  package enum Namespaces: String, Sendable {
    case legacy = "LEGACY"
    case strict = "STRICT"
    case none = "NONE"
  }

  package let expected: XMLTree
  let namespaces: Namespaces
  /// The comparisons that are left out, in XMLUnit's words.
  let exempted: Set<String>
  let ignoresOrderOfSameNode: Bool
  /// Takes placeholders; nil where they are not on.
  let placeholder: JavaPattern?
  private let source: JSONNode

  init(_ value: StubReader, _ reader: StubReader) throws(StubProblem) {
    guard let tree = XMLTree(Array(try value.string().utf8)) else { throw value.problem("is no XML document") }
    expected = tree
    if let word = reader["namespaceAwareness"] {
      guard let known = Namespaces(rawValue: try word.string()) else {
        throw word.problem("is none of LEGACY, STRICT, NONE")
      }
      namespaces = known
    } else {
      namespaces = .legacy
    }
    exempted = Set(try reader["exemptedComparisons"]?.strings() ?? [])
    ignoresOrderOfSameNode = try reader.flag("ignoreOrderOfSameNode") ?? false
    if try reader.flag("enablePlaceholders") ?? false {
      let open = try reader.text("placeholderOpeningDelimiterRegex") ?? "\\$\\{"
      let close = try reader.text("placeholderClosingDelimiterRegex") ?? "\\}"
      do throws(JavaPatternError) {
        placeholder = try JavaPattern("\\s*\(open)\\s*xmlunit\\.(\\w+)(?:\\((.*)\\))?\\s*\(close)\\s*")
      } catch {
        throw reader.problem("a delimiter of placeholders is no regular expression: \(error.reason)")
      }
    } else {
      placeholder = nil
    }
    source = reader.node
  }

  package var document: JSONNode { source }
}
