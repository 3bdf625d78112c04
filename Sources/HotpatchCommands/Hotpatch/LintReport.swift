import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The findings in files of patches.
struct LintReport: Presentable {
  struct Fixed: Encodable {
    let file: String
    let count: Int
  }

  struct Finding: Encodable {
    let rule: String
    let severity: LintSeverity
    let message: String
    let file: String
    let line: Int
    let column: Int
    let endLine: Int
    let endColumn: Int
    /// In bytes from the start of the file.
    let offset: Int
    let length: Int
    let isFixable: Bool

    init(_ finding: LintFinding, _ catalogue: Catalogue) {
      rule = finding.rule.rawValue
      severity = finding.severity
      message = Self.message(finding, catalogue)
      file = finding.file
      line = finding.start.line
      column = finding.start.column
      endLine = finding.end.line
      endColumn = finding.end.column
      offset = finding.range.lowerBound
      length = finding.range.count
      isFixable = finding.fix != nil
    }

    static func message(_ finding: LintFinding, _ catalogue: Catalogue) -> String {
      let id = finding.rule.rawValue
      let key = finding.variant.map { "text.lint-\(id)-\($0)" }
      let isKnown = key.flatMap(catalogue.optionalText) != nil
      return catalogue.text(isKnown ? key ?? "" : "diagnostic.\(id)", finding.values)
    }
  }

  private enum CodingKeys: String, CodingKey { case files, errors, warnings, notes, findings, fixed }

  private let format: HotpatchLintCommand.Format
  private let isStrict: Bool
  private let catalogue: Catalogue
  private(set) var files = 0
  private(set) var errors = 0
  private(set) var warnings = 0
  private(set) var notes = 0
  private(set) var findings: [Finding] = []
  var fixed: [Fixed] = []
  /// The lines of source that findings stand on, in the same order.
  private var excerpts: [Excerpt] = []

  init(format: HotpatchLintCommand.Format, isStrict: Bool, catalogue: Catalogue) {
    self.format = format
    self.isStrict = isStrict
    self.catalogue = catalogue
  }

  mutating func add(_ found: [LintFinding], in sources: [LuaSource]) {
    files += sources.count
    errors += found.count { $0.severity == .error }
    warnings += found.count { $0.severity == .warning }
    notes += found.count { $0.severity == .note }
    findings += found.map { Finding($0, catalogue) }
    guard format == .text else { return }
    let byName = Dictionary(sources.map { ($0.name, $0) }) { first, _ in first }
    excerpts += found.map { Excerpt($0, byName[$0.file]) }
  }

  var exit: ExitStatus { errors > 0 || (isStrict && warnings > 0) ? .negative : .done }

  func encode(to encoder: any Encoder) throws {
    if format == .sarif { return try sarif.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(files, forKey: .files)
    try container.encode(errors, forKey: .errors)
    try container.encode(warnings, forKey: .warnings)
    try container.encode(notes, forKey: .notes)
    try container.encode(findings, forKey: .findings)
    try container.encode(fixed, forKey: .fixed)
  }

  // MARK: SARIF

  /// The findings as a SARIF log: code hosts show them at their lines.
  var sarif: JSONValue {
    let rules = Set(findings.map(\.rule)).sorted()
    let indexes = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
    let document = SARIFDocument(toolVersion: KitVersion.current.version)
    return document.document(
      rules: rules.map { id in
        let explanation = Explanation(id, catalogue)
        return SARIFDocument.Rule(
          id: id, short: explanation.summary, full: explanation.explanation,
          help: explanation.help ?? explanation.explanation,
          level: findings.first { $0.rule == id }?.severity.rawValue ?? "warning")
      },
      results: findings.map { finding in
        [
          "ruleId": .string(finding.rule), "ruleIndex": JSONValue(indexes[finding.rule] ?? 0),
          "level": .string(finding.severity.rawValue), "message": ["text": .string(finding.message)],
          "locations": [["physicalLocation": Self.location(finding, document)]],
        ]
      })
  }

  private static func location(_ finding: Finding, _ document: SARIFDocument) -> JSONValue {
    // Relative to the folder of the call, without the dot that some write.
    let file = finding.file.hasPrefix("./") ? String(finding.file.dropFirst(2)) : finding.file
    return [
      "artifactLocation": document.artifact(file),
      "region": [
        "startLine": JSONValue(finding.line), "startColumn": JSONValue(finding.column),
        "endLine": JSONValue(finding.endLine), "endColumn": JSONValue(finding.endColumn),
        "byteOffset": JSONValue(finding.offset), "byteLength": JSONValue(finding.length),
      ],
    ]
  }

  // MARK: Text

  func document(_ catalogue: Catalogue) -> Document {
    switch format {
    case .sarif: return Document(lines: [StyledText(sarif.line)])
    case .json: return Document(lines: [StyledText((try? Terminal.json(self)) ?? "")])
    case .text: break
    }
    var document = Document()
    for one in fixed {
      document.line(StyledText(catalogue.text("text.lint-fixed", ["file": one.file, "count": "\(one.count)"]), .good))
    }
    var told: Set<String> = []
    for (finding, excerpt) in zip(findings, excerpts) {
      for line in lines(finding, excerpt, isFirst: told.insert(finding.rule).inserted) { document.line(line) }
    }
    document.line(sum)
    return document
  }

  private func lines(_ finding: Finding, _ excerpt: Excerpt, isFirst: Bool) -> [StyledText] {
    let roles: [LintSeverity: TextRole] = [.error: .bad, .warning: .warning, .note: .faint]
    let role = roles[finding.severity] ?? .plain
    var head = StyledText("\(finding.file):\(finding.line):\(finding.column)", .path) + ": "
    head.append(catalogue.text("text.lint-\(finding.severity.rawValue)"), role)
    head += StyledText(": ") + StyledText(finding.message) + StyledText(" [\(finding.rule)]", .faint)
    var lines = [head] + excerpt.lines(role)
    // Once is enough for each rule.
    if isFirst, let help = catalogue.optionalText("diagnostic.\(finding.rule).help"), !help.contains("{") {
      let gap = catalogue.language == .english ? " " : ""
      lines.append("  " + StyledText(catalogue.text("text.help"), .good) + StyledText(gap + help))
    }
    return lines
  }

  private var sum: StyledText {
    guard !findings.isEmpty else {
      return StyledText(
        catalogue.text(files == 1 ? "text.lint-clean-one" : "text.lint-clean", ["files": "\(files)"]), .good)
    }
    let values = [
      "errors": "\(errors)", "warnings": "\(warnings)", "notes": "\(notes)",
      "files": "\(Set(findings.map(\.file)).count)", "all": "\(files)",
    ]
    var text = StyledText(catalogue.text("text.lint-sum", values), errors > 0 ? .bad : .emphasis)
    let fixable = findings.count { $0.isFixable }
    if fixable > 0 {
      text += StyledText(" · " + catalogue.text("text.lint-fixable", ["count": "\(fixable)"]), .faint)
    }
    return text
  }
}

/// The line of source that a finding stands on, with a mark under it.
struct Excerpt {
  private let number: String
  private let before: String
  private let marked: String
  private let after: String
  /// Columns around the mark that are shown of a long line.
  private static let reach = 60

  init(_ finding: LintFinding, _ source: LuaSource?) {
    number = "\(finding.start.line)"
    guard let source else {
      (before, marked, after) = ("", "", "")
      return
    }
    let line = source.range(ofLine: finding.start.line - 1)
    let start = min(max(finding.range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(finding.range.upperBound, start), line.upperBound)
    let near = Self.clean(source.text(max(line.lowerBound, start - 4 * Self.reach)..<start))
    before = near.count > Self.reach ? "…" + near.suffix(Self.reach) : near
    let all = Self.clean(source.text(start..<min(end, start + 4 * Self.reach)))
    marked = String(all.prefix(Self.reach))
    after = String(Self.clean(source.text(end..<min(line.upperBound, end + 4 * Self.reach))).prefix(Self.reach))
  }

  /// Without what would move a terminal's cursor.
  private static func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
  }

  func lines(_ role: TextRole) -> [StyledText] {
    guard !(before + marked + after).isEmpty else { return [] }
    let margin = String(repeating: " ", count: number.count)
    let carets = String(repeating: "^", count: max(marked.displayWidth, 1))
    let indent = String(repeating: " ", count: before.displayWidth)
    return [
      StyledText("  \(number) | ", .faint) + StyledText(before) + StyledText(marked, role) + StyledText(after),
      StyledText("  \(margin) | ", .faint) + StyledText(indent) + StyledText(carets, role),
    ]
  }
}
