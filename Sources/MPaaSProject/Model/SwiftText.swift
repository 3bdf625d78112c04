import MPaaSDeclarations

/// Lines of Swift with their indentation, broken as swift-format breaks them.
struct SwiftText {
  static let width = 100
  private(set) var lines: [String] = []
  private var depth = 0

  /// The distance of the next line from the margin.
  var indentation: Int { depth * 2 }
  var text: String { lines.joined(separator: "\n") + "\n" }

  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: depth) + text)
  }

  /// A blank line, unless one stands there or a block has just begun.
  mutating func blank() {
    guard let last = lines.last, !last.isEmpty, !last.hasSuffix("{") else { return }
    lines.append("")
  }

  /// `head {`, what `body` writes, `}` with what follows it.
  mutating func block(_ head: String, end: String = "}", _ body: (inout SwiftText) -> Void) {
    line(head + " {")
    indented(body)
    line(end)
  }

  /// `head { parameters`, what `body` writes, `}`.
  mutating func block(_ head: String, parameters: String, _ body: (inout SwiftText) -> Void) {
    line("\(head) { \(parameters)")
    indented(body)
    line("}")
  }

  mutating func indented(_ body: (inout SwiftText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// A call, or anything else with a list in it; each item has a line of its own where they do not fit on one.
  mutating func list(_ head: String, _ items: [String], end: String, comma: Bool = false) {
    let single = head + items.joined(separator: ", ") + end
    guard depth * 2 + single.count > Self.width, !items.isEmpty else { return line(single) }
    line(head)
    indented { text in
      let joined = items.joined(separator: ", ")
      let tail = comma ? "" : end
      if !comma, text.depth * 2 + joined.count + tail.count <= Self.width { return text.line(joined + tail) }
      for (index, item) in items.enumerated() {
        let isLast = index == items.count - 1
        text.line(item + (isLast ? comma ? "," : tail : ","))
      }
    }
    if comma { line(end) }
  }

  /// The head of a function; each parameter has a line of its own where they do not fit on one.
  mutating func signature(_ head: String, _ parameters: [String], end: String) {
    let single = head + parameters.joined(separator: ", ") + end
    guard depth * 2 + single.count > Self.width, !parameters.isEmpty else { return line(single) }
    line(head)
    indented { text in
      for (index, parameter) in parameters.enumerated() {
        text.line(parameter + (index < parameters.count - 1 ? "," : ""))
      }
    }
    line(end)
  }

  /// Lines of documentation, each wrapped at the width.
  mutating func documentation(_ paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { line("///") }
      for text in Self.wrapped(paragraph, SwiftText.width - depth * 2 - 4) { line("/// " + text) }
    }
  }

  /// White space, and controls, which compilers do not take even in comments.
  static func endsWord(_ character: Character) -> Bool {
    character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return wrapped(plain: Array(text.utf8), width) }
    var lines: [String] = []
    var current = ""
    for word in text.split(whereSeparator: endsWord) {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = ""
      }
      current += (current.isEmpty ? "" : " ") + word
    }
    return current.isEmpty ? lines : lines + [current]
  }

  /// The same of bytes, each of which is a character.
  private static func wrapped(plain text: [UInt8], _ width: Int) -> [String] {
    var lines: [String] = []
    var current: [UInt8] = []
    for word in text.split(whereSeparator: { $0 <= 0x20 || $0 == 0x7f }) {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(String(decoding: current, as: UTF8.self))
        current = []
      }
      if !current.isEmpty { current.append(0x20) }
      current += word
    }
    if !current.isEmpty { lines.append(String(decoding: current, as: UTF8.self)) }
    return lines
  }
}

/// Swift's spelling of names and strings.
enum SwiftSpelling {
  /// A string literal: raw where that reads better.
  static func literal(_ text: String) -> String {
    let hasControl = text.unicodeScalars.contains { needsEscape($0) }
    guard !hasControl, text.contains("\\") || text.contains("\"") else { return escaped(text) }
    var hashes = "#"
    while text.contains("\"" + hashes) || text.contains("\\" + hashes) { hashes += "#" }
    return hashes + "\"" + text + "\"" + hashes
  }

  /// Tells whether a character would be invisible or mix with what stands before it, so that its number is shown.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned,
      .nonspacingMark, .enclosingMark, .spacingMark:
      true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if needsEscape(scalar) {
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// The name as an identifier: with back-ticks where it is a keyword.
  static func identifier(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// The name of a property as a model has it: not what every generated type has, and no raw identifier.
  static func plainMember(_ name: String) -> String {
    reservedMembers.contains(name) ? name + "Member" : name
  }

  /// A name for a member of a generated type that clashes with nothing that every such type has.
  static func member(_ name: String) -> String {
    reservedMembers.contains(name) ? name + "Member" : identifier(name)
  }

  /// The name, with the smallest number behind it with which it is written as none of those that are taken, which it is
  /// one of from then on.
  static func unique(_ name: String, among taken: inout Set<String>) -> String {
    var result = name
    var number = 1
    while taken.contains(result) || taken.contains(member(result)) {
      number += 1
      result = name + "\(number)"
    }
    taken.formUnion([result, member(result)])
    return result
  }

  /// A name for a member of a type that is no model.
  static func plain(_ name: String) -> String {
    ["init", "self", "Self", "Type", "hashValue", "hash"].contains(name) ? name + "Member" : identifier(name)
  }

  /// As `unique`, for members of types that are no models.
  static func uniquePlain(_ name: String, among taken: inout Set<String>) -> String {
    let result = ModelName.unique(name, among: taken)
    taken.insert(result)
    return result
  }

  private static let reservedMembers: Set<String> = [
    "init", "self", "Self", "Type", "hashValue", "hash", "jsonValue", "check", "validate", "encode", "rawValue",
    "allCases", "json", "report", "members", "none", "some", "other",
  ]

  /// Words that cannot be names without back-ticks.
  private static let keywords = SwiftKeywords.reserved.union(["Any", "Self", "await"])

  /// Names of types that generated code uses itself.
  static let reservedTypes: Set<String> = [
    "String", "Int", "Int32", "Int64", "UInt64", "Double", "Bool", "Array", "Dictionary", "Set", "Optional", "Any",
    "Self", "Type",
    "Protocol", "Date", "Void", "Never", "Error", "Codable", "Decodable", "Encodable", "Decoder", "Encoder", "Hashable",
    "Equatable", "Sendable", "CaseIterable", "RawRepresentable", "CodingKey", "Regex", "Character", "Substring",
    "Unicode", "UInt8", "Result", "Identifiable", "Comparable",
    "JSONValue", "JSONModel", "JSONDirectModel", "JSONDecodedMembers", "JSONKey", "JSONConvertible", "JSONReport",
    "JSONProblem", "JSONInvalid", "JSONMembers",
    "JSONElements", "JSONField", "JSONIndirect", "JSONDateTime", "JSONDate", "JSONKind", "JSONFormat", "JSONName",
    "JSONChecks", "JSONPattern", "JSONPatterns", "JSONCharacterSequence", "JSONDirection",
  ]
}
