package import MPaaSXML

/// A method of a document as it is written: its arguments, its result and the elements of its SQL.
package struct DAOMethod: Sendable {
  package enum Kind: String, Sendable, CaseIterable { case select, insert, update, delete }

  package struct Argument: Sendable, Hashable {
    package let name: String
    /// True where a call with nil is refused.
    package let isRequired: Bool
  }

  /// The repetition of a method for each element of an argument.
  package struct Loop: Sendable {
    /// The argument, counted from 0.
    package let collection: Int
    package let item: String
  }

  package let name: String
  package let kind: Kind
  package let arguments: [Argument]
  /// nil where the document names none.
  package let result: DAOResult?
  package let loop: Loop?
  /// True where a select may read beside a writer.
  package let isParallel: Bool
  package let body: XMLElement

  package var position: DAOPosition { body.position }
  /// The attribute `types`, by which compiled code has types of its own; nil where there is none.
  package var declaredTypes: String? { body["types"] }
  package var signature: Signature { Signature(name: name, count: arguments.count) }

  /// The name and the number of arguments, by which a call finds its method.
  package struct Signature: Sendable, Hashable {
    package let name: String
    package let count: Int
  }
}

/// The shape that a select gives its rows.
package struct DAOResult: Sendable, Hashable {
  package enum Element: Sendable, Hashable {
    case int, longLong, bool, double, string, binary
    /// Columns by their names.
    case dictionary
    /// An object of a class, whose properties bear the names of the columns.
    case object(String)
    /// An object by a `map` of the document.
    case map(String)
  }

  package let element: Element
  package let isList: Bool

  package init(element: Element, isList: Bool) {
    self.element = element
    self.isList = isList
  }

  /// Reads a `result` attribute, such as `[long long]`, `{}` or `:map`; nil where it is none.
  package init?(_ text: String) {
    var name = text.split { $0 == " " || $0.isNewline || $0 == "\t" }.joined(separator: " ")[...]
    isList = name.hasPrefix("[") && name.hasSuffix("]") && name.count >= 2
    if isList { name = name.dropFirst().dropLast() }
    let word = name.split(separator: " ").joined(separator: " ")
    switch word {
    case "int": element = .int
    case "long long": element = .longLong
    case "bool": element = .bool
    case "double": element = .double
    case "string": element = .string
    case "binary": element = .binary
    case "{}", "{ }": element = .dictionary
    default:
      let isMap = word.hasPrefix(":")
      let type = isMap ? String(word.dropFirst()) : word
      guard DAOName.isName(type) else { return nil }
      element = isMap ? .map(type) : .object(type)
    }
  }
}

extension DAOName {
  /// Tells whether the attribute says yes: `true` or `YES`, in letters of either case.
  package static func isYes(_ text: String?) -> Bool {
    guard let text else { return false }
    return ["true", "yes", "1"].contains(text.lowercased())
  }

  /// The parts of a list with commas, without the white space around them.
  package static func list(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
  }

  package static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
    let bytes = Array(text.utf8)
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.count
    let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
