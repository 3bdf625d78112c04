package import MPaaSSupport

/// A JSON file as it was read: its values know their places, their members keep their order.
package struct JSONSource: Sendable {
  package enum Dialect: Sendable {
    /// RFC 8259; of members with the same name only the last counts.
    case plain
    /// With `//` and `/* */` comments and a comma behind the last member or element, as in Bee's scaffold files; a name
    /// that stands twice is an error.
    case annotated
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
  /// - Parameter file: What errors call the file.
  /// - Throws: `GenerationError` with line and column of the first byte that cannot be there.
  package init(_ bytes: [UInt8], file: String, _ dialect: Dialect = .plain) throws(GenerationError) {
    var reader = JSONSourceReader(bytes, file: file, dialect)
    self.init(file: file, root: try reader.document())
  }

  package func place(_ node: JSONNode) -> Place {
    .text(file: file, line: node.position.line, column: node.position.column)
  }
}

extension JSONSource.Dialect {
  /// The greatest depth of objects and arrays.
  var depth: Int {
    switch self {
    case .plain: 256
    case .annotated: 64
    }
  }
}

extension GenerationError.Code {
  static var sourceSyntax: Self { malformed("source-syntax") }
  static var sourceUnfinished: Self { malformed("source-unfinished") }
  static var sourceTooDeep: Self { malformed("source-too-deep") }
  static var sourceBadNumber: Self { malformed("source-bad-number") }
  static var sourceBadString: Self { malformed("source-bad-string") }
}
