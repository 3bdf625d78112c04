import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal
import MPaaSTheme

/// The values of a theme on a device.
struct ResolvedTheme: Presentable {
  struct Device: Encodable {
    let screen: String?
    let kind: String?
    let ios: String?
  }

  struct Entry: Encodable {
    let path: String
    let type: String
    let value: ThemeJSON
    /// The constant that it is given by.
    let constant: String?
    let conditions: [String]
    /// Conditions that hold besides, so that the format does not say which value counts.
    let ambiguousWith: [String]
    let inherited: Bool
    let file: String?
    let line: Int?

    init(_ entry: ThemeEntry) {
      path = entry.name
      type = entry.kind.rawValue
      // Old files have truth values as strings.
      let truth = entry.kind == .boolean ? entry.value.bool.map(ThemeValue.boolean) : nil
      value = ThemeJSON(value: truth ?? entry.value, isFont: entry.kind == .font)
      constant = entry.constants.first
      conditions = entry.conditions
      ambiguousWith = entry.rivals
      inherited = entry.isInherited
      switch entry.place {
      case .text(let file, let line, _): (self.file, self.line) = (file, line)
      case .file(let file), .bytes(let file, _): (self.file, line) = (file, nil)
      }
    }
  }

  /// A path that has no value, and why.
  struct Unresolved: Encodable {
    let path: String?
    let code: String
    let message: String
    let file: String?
    let line: Int?

    init(_ error: ThemeError, _ finding: FindingsView.Finding) {
      path = error.valuePath
      code = finding.code
      message = finding.message
      file = finding.file
      line = finding.line
    }
  }

  private enum CodingKeys: String, CodingKey { case name, inherited, device, values, missing, unresolved }

  let name: String?
  let inherited: Bool
  let device: Device
  let values: [Entry]
  /// Paths at which nothing is defined.
  let missing: [String]
  /// Paths whose constants are missing or defined by themselves.
  let unresolved: [Unresolved]
  private let findings: FindingsView
  private let entries: [ThemeEntry]
  private let suggestions: [String: String]

  init(
    _ theme: Theme, _ entries: [ThemeEntry], missing: [String], unresolved: [ThemeError], _ catalogue: Catalogue,
    among all: [ThemeEntry] = []
  ) {
    name = theme.name
    inherited = theme.isInherited
    device = Device(
      screen: theme.device.screen?.rawValue, kind: theme.device.kind?.rawValue,
      ios: theme.device.version?.description)
    values = entries.map { Entry($0) }
    self.entries = entries
    self.missing = missing
    findings = FindingsView(unresolved.map { ConfigFinding(.error, $0) }, files: 1, catalogue)
    self.unresolved = zip(unresolved, findings.findings).map { Unresolved($0, $1) }
    var suggestions: [String: String] = [:]
    for name in missing { suggestions[name] = closestMatch(to: name, among: all.map(\.name)) }
    self.suggestions = suggestions
  }

  var exit: ExitStatus { !unresolved.isEmpty ? .malformedInput : missing.isEmpty ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    func heading(_ name: String) -> String { catalogue.text("text.theme-heading-\(name)") }
    if !entries.isEmpty {
      document.table(
        Table(
          columns: [
            .init(heading("path")), .init(heading("type")), .init(heading("value")),
            .init(heading("given"), isOptional: true),
          ], rows: entries.map { row($0, catalogue) }))
    }
    for name in missing {
      let near = suggestions[name].map { catalogue.text("text.finding-suggestion", ["name": $0]) } ?? ""
      document.line(StyledText(catalogue.text("text.theme-undefined", ["path": name]) + near, .bad))
    }
    findings.append(to: &document, catalogue)
    return document
  }

  private func row(_ entry: ThemeEntry, _ catalogue: Catalogue) -> [StyledText] {
    var given = (entry.constants.prefix(1).map { "$" + $0 } + entry.conditions).joined(separator: ", ")
    if entry.isInherited { given += (given.isEmpty ? "" : ", ") + catalogue.text("text.theme-inherited") }
    var why = StyledText(given, .faint)
    if !entry.rivals.isEmpty {
      let values = ["conditions": entry.rivals.joined(separator: ", ")]
      why += StyledText(given.isEmpty ? "" : " ") + StyledText(catalogue.text("text.theme-ambiguous", values), .warning)
    }
    return [
      StyledText(entry.name, .function), StyledText(catalogue.text("text.theme-type-\(entry.kind.rawValue)"), .faint),
      StyledText(Self.text(entry.value, catalogue)), why,
    ]
  }

  /// A value in a line of text.
  private static func text(_ value: ThemeValue, _ catalogue: Catalogue) -> String {
    if let font = value.font, value["Size"] != nil {
      let size = ThemeValue.real(font.size).string ?? ""
      return font.isBold ? size + " " + catalogue.text("text.theme-bold") : size
    }
    switch value {
    case .array(let values): return "(" + values.map { text($0, catalogue) }.joined(separator: ", ") + ")"
    case .group(let members):
      return "{" + members.map { "\($0.key) = \(text($0.value, catalogue))" }.joined(separator: ", ") + "}"
    default: return value.string ?? ""
    }
  }
}

/// A value of a theme as JSON; a font always says whether it is bold.
struct ThemeJSON: Encodable {
  let value: ThemeValue
  var isFont = false

  private enum CodingKeys: String, CodingKey { case bold, size }

  func encode(to encoder: any Encoder) throws {
    if isFont, let font = value.font {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(font.isBold, forKey: .bold)
      return try container.encode(font.size, forKey: .size)
    }
    switch value {
    case .group(let members):
      // A dictionary's keys stay as they are, which those of a container would not.
      let values = members.map { ($0.key, ThemeJSON(value: $0.value)) }
      var container = encoder.singleValueContainer()
      try container.encode(Dictionary(values) { $1 })
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(ThemeJSON(value: value)) }
    default:
      var container = encoder.singleValueContainer()
      switch value {
      case .integer(let number): try container.encode(number)
      case .real(let number) where number.isFinite: try container.encode(number)
      case .boolean(let value): try container.encode(value)
      default: try container.encode(value.string ?? "")
      }
    }
  }
}
