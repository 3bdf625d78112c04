import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// A report as it is printed: Apple's text form, or its JSON with the missing symbols.
struct ReportView: Presentable {
  let path: String
  let report: CrashReport
  /// Nil where symbols were not looked for.
  let missing: [MissingSymbols]?
  private let text: AppleText

  init(_ report: CrashReport, path: String, form: ReportFormOptions, missing: [MissingSymbols]? = nil) {
    self.path = path
    self.report = report
    self.missing = missing
    text = form.text(of: report)
  }

  /// The body of the .ips file, its first line as `header`, and `missing`.
  func encode(to encoder: any Encoder) throws {
    var body = IPSWriter.document(of: report)
    body["missing"] = missing.map { .array($0.map(Self.json)) }
    try JSONValue.object(body).encode(to: encoder)
  }

  static func json(_ missing: MissingSymbols) -> JSONValue {
    [
      "uuid": .string(missing.uuid), "name": .string(missing.name), "path": .string(missing.path),
      "reason": .string(missing.reason.rawValue), "searched": .array(missing.searched.map(JSONValue.string)),
      "near_misses": .array(missing.nearMisses.map { ["path": .string($0.path), "uuid": .string($0.uuid)] }),
      "command": .string(missing.command), "frames": JSONValue(missing.frames),
    ]
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if let summary = Self.summary(of: report, catalogue) {
      document.line(summary)
      document.line()
    }
    for line in text.lines { document.line(Self.styled(line)) }
    let facts = KindFacts(report)
    if !facts.isEmpty {
      document.line()
      document.line(StyledText(catalogue.text("text.kind-\(report.kind.rawValue)"), .heading))
      for line in facts.lines { document.line(Self.styled(line)) }
    }
    if let missing, !missing.isEmpty {
      document.line()
      for line in Self.lines(missing, catalogue) { document.line(line) }
    }
    return document
  }

  /// `orderbook crashed in Ladder.level(at:) (Ladder.swift:3): Fatal error: Index out of range`.
  static func summary(of report: CrashReport, _ catalogue: Catalogue) -> StyledText? {
    guard let exception = report.exception else { return nil }
    let call = report.blame?.call
    var place = call.map(CrashText.name) ?? ""
    if let file = call?.file?.split(separator: "/").last {
      place += " (\(file)\(call?.line.map { ":\($0)" } ?? ""))"
    }
    let key = place.isEmpty ? "text.crash-summary-nowhere" : "text.crash-summary"
    let message = CrashText.message(report) ?? CrashText.cause(exception)
    let line = ReportLine(
      catalogue.text(key, ["process": report.process.name, "place": place, "message": message]))
    return StyledText(line.text, .emphasis)
  }

  /// The missing symbols, and the remedies.
  static func lines(_ missing: [MissingSymbols], _ catalogue: Catalogue) -> [StyledText] {
    missing.flatMap { image in
      let reason = catalogue.text("text.missing-\(image.reason.rawValue)")
      let id = image.uuid.isEmpty ? "–" : image.uuid
      var lines = [
        StyledText(catalogue.text("text.missing", ["name": image.name, "uuid": id, "reason": reason]), .warning)
      ]
      for near in image.nearMisses {
        let values = ["path": near.path, "uuid": near.uuid.isEmpty ? "–" : near.uuid]
        lines.append("  " + StyledText(catalogue.text("text.missing-near", values)))
      }
      let places = image.searched.joined(separator: ", ")
      if !places.isEmpty {
        lines.append("  " + StyledText(catalogue.text("text.missing-searched", ["places": places]), .faint))
      }
      lines.append("  " + StyledText(catalogue.text("text.help"), .good) + " " + StyledText(image.command))
      return lines
    }
  }

  private static func styled(_ line: ReportLine) -> StyledText {
    line.segments.reduce(into: StyledText()) { $0.append($1.text, role($1.role)) }
  }

  private static func role(_ role: ReportLine.Role) -> TextRole {
    switch role {
    case .plain, .source: .plain
    case .heading: .heading
    case .crashed, .mark: .bad
    case .address: .address
    case .function: .function
    case .image: .plain
    case .path: .path
    case .lineNumber: .number
    case .faint: .faint
    }
  }
}
