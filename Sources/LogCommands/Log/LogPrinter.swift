import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// Writes records as they come: lines as they stand in files of text, else a line of ours; or JSON, an object a line.
struct LogPrinter {
  private let results: ResultSink
  private let isJSON: Bool
  private let hasColour: Bool
  private let names: [String]
  private let showsNames: Bool
  private let marksGaps: Bool
  private let pattern: LogPattern?
  private var text: LogText
  private var buffer: [UInt8] = []
  private var last: (source: Int, number: Int)?

  init(
    to results: ResultSink, of terminal: Terminal, names: [String], zone: LogZone, showsNames: Bool = false,
    hasContext: Bool = false, pattern: LogPattern? = nil
  ) {
    self.results = results
    isJSON = terminal.settings.isJSON
    hasColour = !isJSON && terminal.hasColour
    self.names = names
    self.showsNames = showsNames
    marksGaps = hasContext
    self.pattern = pattern
    text = LogText(zone.place)
  }

  /// Tells whether lines of text are printed as they stand.
  var isPlain: Bool { !isJSON && !hasColour }

  mutating func print(_ item: LogItem) throws {
    if isJSON {
      json(item)
    } else {
      if marksGaps { markGap(item) }
      if hasColour { try coloured(item) } else { plain(item) }
    }
    if buffer.count > 1 << 16 { flush() }
  }

  mutating func flush() {
    guard !buffer.isEmpty else { return }
    buffer.withUnsafeBytes { results.put(bytes: $0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func name(_ item: LogItem) -> String { names.indices.contains(item.source) ? names[item.source] : "" }

  private mutating func json(_ item: LogItem) {
    var more: [(String, JSONValue)] = [("file", .string(name(item)))]
    if !item.isMatch { more.append(("context", true)) }
    text.appendJSON(item.record, hasLevel: item.hasLevel, more: more, to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func markGap(_ item: LogItem) {
    defer { last = (item.source, item.number) }
    guard let last, last.source != item.source || last.number + 1 != item.number else { return }
    buffer += "--\n".utf8
  }

  private mutating func plain(_ item: LogItem) {
    if showsNames { buffer += "\(name(item)):".utf8 }
    if let line = item.line {
      buffer += line.buffer
    } else if let line = item.text {
      buffer += line.utf8
    } else {
      text.append(item.record, to: &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func coloured(_ item: LogItem) throws {
    var line: [UInt8] = []
    if let raw = item.text { line += raw.utf8 } else { text.append(item.record, to: &line) }
    let shown = line.withUnsafeBytes { VisibleText.of($0, keeping: [.tabs, .lines]) }
    var styled = StyledText()
    if showsNames { styled.append("\(name(item)):", .path) }
    styled += Self.marked(shown, role(item), pattern)
    flush()
    try results.put(StyledRecord(line: styled))
  }

  private func role(_ item: LogItem) -> TextRole {
    guard item.hasLevel else { return .plain }
    switch item.record.entry.level {
    case .verbose, .debug: return .faint
    case .info: return .plain
    case .warning: return .warning
    case .error, .fatal: return .bad
    }
  }

  /// The text with what was looked for made to stand out.
  private static func marked(_ text: String, _ role: TextRole, _ pattern: LogPattern?) -> StyledText {
    var styled = StyledText()
    var rest = text.startIndex
    for range in pattern?.ranges(in: text) ?? [] where range.lowerBound >= rest {
      styled.append(String(text[rest..<range.lowerBound]), role, keepsLines: true)
      styled.append(String(text[range]), .match, keepsLines: true)
      rest = range.upperBound
    }
    styled.append(String(text[rest...]), role, keepsLines: true)
    return styled
  }
}

/// A record in color; with `--json` there is none.
private struct StyledRecord: Presentable {
  let line: StyledText

  func document(_ catalogue: Catalogue) -> Document { [.line(line)] }
  func encode(to encoder: any Encoder) throws {}
}

extension Context {
  /// Tells what could not be read of logs.
  ///
  /// - Returns: How the command ends: 77 where a key is missing, 65 where something is damaged, `usual` where all was
  ///   read.
  func tell(_ problems: [LogError], usual: ExitStatus = .done) -> ExitStatus {
    var told = Set<String>()
    for problem in problems {
      let diagnostic = problem.diagnostic
      // A file without its key has many blocks.
      if told.insert("\(problem.code.id)\(problem.place.map { "\($0)" } ?? "")").inserted, told.count <= 20 {
        terminal.warning(diagnostic)
      }
    }
    return problems.first { $0.code.exit == .notPermitted }.map(\.code.exit)
      ?? (problems.isEmpty ? usual : problems[0].code.exit)
  }
}
