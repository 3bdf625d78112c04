package import MPaaSSupport

/// A JSON file as it was read: its values know their places, their members keep their order.
package struct JSONSource: Sendable {
  package enum Dialect: Sendable {
    /// RFC 8259; of members with the same name only the last counts.
    case plain
    /// With `//` and `/* */` comments and a comma behind the last member or element, as in Bee's scaffold files; a name
    /// that stands twice is an error.
    case annotated

    /// The greatest depth of objects and arrays.
    package var depth: Int {
      switch self {
      case .plain: 256
      case .annotated: 64
      }
    }
  }

  package let file: String
  package let root: JSONNode

  /// A document made in code.
  package init(file: String, root: JSONNode) {
    self.file = file
    self.root = root
  }

  /// Reads a document that has nothing behind it but white space and comments.
  ///
  /// - Parameters:
  ///   - file: What places call the file.
  ///   - depth: The most objects and arrays inside each other; nil for the dialect's.
  /// - Throws: `JSONSyntaxError` with line and column of the first byte that cannot be there.
  package init(
    parsing bytes: [UInt8], file: String, _ dialect: Dialect = .plain, depth: Int? = nil
  ) throws(JSONSyntaxError) {
    var reader = JSONSourceReader(bytes, dialect, depth: depth ?? dialect.depth)
    self.init(file: file, root: try reader.document())
  }

  package func place(_ node: JSONNode) -> Place { place(node.position) }

  package func place(_ position: TextPosition) -> Place {
    .text(file: file, line: position.line, column: position.column)
  }
}
