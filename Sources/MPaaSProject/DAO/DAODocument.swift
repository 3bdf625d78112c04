import MPaaSSupport

/// The XML that describes a table to the unified storage: a module with its statements.
///
/// Source: "DAO storage" of the mPaaS documentation.
package struct DAODocument: Sendable {
  /// The beginning of a document's mark.
  private static let mark = "<!-- mpaas dao generate "

  package let table: DAOTable
  package let xml: String

  package init(_ table: DAOTable) {
    self.table = table
    let body = Self.body(table)
    let digest = Self.digest(body)
    xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(Self.mark)\(digest) -->\n\(body)"
  }

  /// Tells whether a file is a document of ours that was not changed since.
  package static func isUntouched(_ bytes: [UInt8]) -> Bool {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    return lines.count == 3 && lines[1] == "\(mark)\(digest(String(lines[2]))) -->"
  }

  private static func digest(_ text: String) -> String {
    let sum = Array(text.utf8).withUnsafeBytes { Checksum.crc32($0) }
    return sum.padded(to: 8, radix: 16)
  }

  private static func body(_ table: DAOTable) -> String {
    let attributes = [
      ("name", table.className), ("initializer", "createTable"), ("tableName", table.name), ("version", "1.0"),
      ("resetOnUpgrade", "false"),
    ].map { "\($0)=\"\(escaped($1))\"" }.joined(separator: " ")
    var lines = ["<module \(attributes)>"]
    lines += ["  <!-- Objects of \(comment(table.className)), declared in \(comment(table.file)). -->"]
    lines += notes(table)
    let names = table.columns.map(\.name).joined(separator: ", ")
    lines += ["  <const table_columns=\"\(escaped("(\(names))"))\"/>", ""]
    lines += DAOStatements(table).lines
    return (lines + ["</module>", ""]).joined(separator: "\n")
  }

  /// The notes for a reader: which columns hold archives, which types were assumed, what was left out.
  private static func notes(_ table: DAOTable) -> [String] {
    var lines: [String] = []
    if table.key == nil { lines.append("No property looks like an identifier: rows are found by _id.") }
    for column in table.columns where column.isArchived {
      lines.append("\(column.property): an archive of \(column.type).")
    }
    for column in table.columns where column.isAssumed {
      lines.append("\(column.property): \(column.type) is taken for an enumeration.")
    }
    for omitted in table.omitted {
      let type = omitted.type.isEmpty ? "" : " (\(omitted.type))"
      lines.append("Left out: \(omitted.property)\(type), \(omitted.reason.english).")
    }
    return lines.map { "  <!-- \(comment($0)) -->" }
  }

  /// The value of an attribute.
  static func escaped(_ text: String) -> String { text.escapedMarkup(.quoted) }

  /// Text in a comment, where two hyphens would end it.
  static func comment(_ text: String) -> String {
    var result = ""
    for character in text { result += character == "-" && result.last == "-" ? " -" : String(character) }
    return result.last == "-" ? result + " " : result
  }
}

extension DAOOmission {
  fileprivate var english: String {
    switch self {
    case .function: "which is a function"
    case .live: "which belongs to the running app"
    case .pointer: "which points into memory"
    case .weak: "which is a weak reference"
    case .lazy: "which is made when it is first asked for"
    case .transient: "which the source does not want kept"
    case .sameName: "since SQLite does not tell it from another column"
    case .shapeless: "which no archive holds"
    case .untyped: "whose type is not written"
    }
  }
}
