import CommandKit
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal

/// Writes records as they come: lines as they stand in files of text, else a line of ours; or JSON, an object a line.
struct LogPrinter {
  private let terminal: Terminal
  private let data: OutputStream
  private let hasColour: Bool
  private let names: [String]
  private let showsNames: Bool
  private let marksGaps: Bool
  private let pattern: LogPattern?
  private var text: LogText
  private var buffer: [UInt8] = []
  private var last: (source: Int, number: Int)?
  private let pager: Pager?

  init(
    _ context: Context, names: [String], zone: LogZone, showsNames: Bool = false, hasContext: Bool = false,
    pattern: LogPattern? = nil, pager: Pager? = nil
  ) {
    let output = pager?.output ?? context.terminal.output
    self.pager = pager
    terminal = Terminal(
      catalogue: context.catalogue, settings: context.terminal.settings, environment: context.environment,
      output: output)
    data = terminal.data
    hasColour =
      !terminal.settings.isJSON && terminal.settings.hasColour(output, environment: context.environment)
    self.names = names
    self.showsNames = showsNames
    marksGaps = hasContext
    self.pattern = pattern
    text = LogText(zone.place)
  }

  /// Whether somebody still reads.
  var isRead: Bool { pager?.isGone != true }

  /// Whether lines of text are printed as they stand.
  var isPlain: Bool { !terminal.settings.isJSON && !hasColour }

  mutating func print(_ item: LogItem) {
    if terminal.settings.isJSON {
      json(item)
    } else {
      if marksGaps { markGap(item) }
      if hasColour { coloured(item) } else { plain(item) }
    }
    if buffer.count > 1 << 16 { flush() }
  }

  mutating func flush() {
    guard !buffer.isEmpty else { return }
    buffer.withUnsafeBytes(data.writeBytes)
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

  private mutating func coloured(_ item: LogItem) {
    var line: [UInt8] = []
    if let raw = item.text { line += raw.utf8 } else { text.append(item.record, to: &line) }
    let shown = line.withUnsafeBytes { VisibleText.of($0, keeping: [.tabs, .lines]) }
    var styled = StyledText()
    if showsNames { styled.append("\(name(item)):", .path) }
    styled += Self.marked(shown, role(item), pattern)
    flush()
    terminal.print(Document(lines: [styled]))
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

/// What a command that printed records by itself says at its end: how it went.
struct LogReadOutcome: Presentable {
  let exit: ExitStatus
  var isTold: Bool { true }

  init(exit: ExitStatus) { self.exit = exit }

  /// Tells what could not be read, and ends by it: 77 where a key is missing, 65 where something is damaged, `usual`
  /// where all was read.
  init(_ problems: [LogError], in context: Context, usual: ExitStatus = .done) {
    var told = Set<String>()
    for problem in problems {
      let diagnostic = problem.diagnostic
      // A file without its key has many blocks.
      if told.insert("\(problem.code.id)\(problem.place.map { "\($0)" } ?? "")").inserted, told.count <= 20 {
        context.terminal.warning(diagnostic)
      }
    }
    exit =
      problems.first { $0.code.exit == .notPermitted }.map(\.code.exit)
      ?? (problems.isEmpty ? usual : problems[0].code.exit)
  }

  func document(_ catalogue: Catalogue) -> Document { [] }
  func encode(to encoder: any Encoder) throws {}
}
