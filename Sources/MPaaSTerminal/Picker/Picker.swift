/// The row that a picker shows of one thing that can be picked.
package struct PickerRow: Sendable {
  /// By which the thing is known: its place among all.
  package let id: Int
  package let text: RowText
  /// The faint text behind it.
  package let note: RowText?

  package init(id: Int, text: RowText, note: RowText? = nil) {
    self.id = id
    self.text = text
    self.note = note
  }
}

/// The findings for what is typed.
package struct PickerFindings: Sendable {
  /// The number of hits.
  package let count: Int
  /// The best of them, as many as were asked for.
  package let ids: [Int]

  package init(count: Int, ids: [Int]) {
    self.count = count
    self.ids = ids
  }

  package static let nothing = PickerFindings(count: 0, ids: [])
}

/// The source of a picker: it finds and describes.
package struct PickerSource: Sendable {
  /// The number of things.
  package let total: Int
  /// The best matches of a text, best first, at most `limit`.
  package let find: @Sendable (_ query: String, _ limit: Int) -> PickerFindings
  /// The row of one of them, with what matches the text.
  package let row: @Sendable (_ id: Int, _ query: String) -> PickerRow

  package init(
    total: Int, find: @escaping @Sendable (String, Int) -> PickerFindings,
    row: @escaping @Sendable (Int, String) -> PickerRow
  ) {
    self.total = total
    self.find = find
    self.row = row
  }
}

/// The look of a picker and its permissions.
package struct PickerOptions: Sendable {
  /// The text typed already.
  package var query = ""
  /// Tells whether several may be picked.
  package var isMultiple = false
  /// Rows below the cursor's line instead of the whole screen.
  package var height: Int?
  /// The words while there is nothing to pick from yet.
  package var loading = "…"
  /// The keys and their uses, in a few words.
  package var hint = ""

  package init() {}
}

/// The end of picking.
package enum PickerOutcome: Sendable, Equatable {
  /// The picked things, in the order in which they were picked; the text that was typed.
  case picked([Int], query: String)
  case cancelled
}

/// The typed text, the findings, the pointer and the marks: a picker without its terminal.
package struct PickerState: Sendable {
  package private(set) var line: LineEditor
  package private(set) var findings = PickerFindings.nothing
  /// The row that is pointed at, from the best.
  package private(set) var pointed = 0
  /// The first row that is seen.
  package private(set) var top = 0
  /// The marked things, in the order in which they were marked.
  package private(set) var marked: [Int] = []
  private let options: PickerOptions
  /// nil until there is something to pick from.
  package private(set) var source: PickerSource?
  /// The text that `findings` are for.
  private var foundFor: String?
  /// Keys that can only be answered when there is something to pick from.
  private var waiting: [TerminalKey] = []

  package init(_ options: PickerOptions) {
    self.options = options
    line = LineEditor(options.query)
  }

  /// The number of rows that are found at once; more come when somebody goes there.
  private static let firstLimit = 500

  /// Sets what is picked from, and answers what waited for it.
  package mutating func begin(with source: PickerSource, rows: Int) -> PickerOutcome? {
    self.source = source
    foundFor = nil
    let keys = waiting
    waiting = []
    for key in keys {
      if let outcome = handle(key, rows: rows) { return outcome }
    }
    return nil
  }

  /// Does what a key means.
  ///
  /// - Parameter rows: How many rows are seen.
  package mutating func handle(_ key: TerminalKey, rows: Int) -> PickerOutcome? {
    switch key {
    case .escape, .control("c"), .control("g"), .control("q"): return .cancelled
    case .control("d") where line.isEmpty: return .cancelled
    default: break
    }
    guard source != nil else {
      // Keys keep their order: behind one that waits, all do.
      if !waiting.isEmpty || !line.handle(key) { waiting.append(key) }
      return nil
    }
    switch key {
    case .enter:
      find()
      return .picked(marked.isEmpty ? current.map { [$0] } ?? [] : marked, query: line.text)
    case .up, .control("p"): move(by: -1, rows)
    case .down, .control("n"): move(by: 1, rows)
    case .pageUp, .alt("v"): move(by: -rows, rows)
    case .pageDown, .control("v"): move(by: rows, rows)
    case .alt("<"): move(by: -pointed, rows)
    case .alt(">"): move(by: .max, rows)
    case .tab:
      mark()
      move(by: 1, rows)
    case .backTab:
      mark()
      move(by: -1, rows)
    default: _ = line.handle(key)
    }
    return nil
  }

  /// Finds what the text asks for, where that is not known yet.
  package mutating func find(rows: Int = 0) {
    guard let source, foundFor != line.text else { return }
    findings = source.find(line.text, Self.firstLimit)
    foundFor = line.text
    pointed = 0
    top = 0
  }

  private var current: Int? { findings.ids.indices.contains(pointed) ? findings.ids[pointed] : nil }

  private mutating func move(by distance: Int, _ rows: Int) {
    find()
    let (target, isFar) = pointed.addingReportingOverflow(distance)
    let wanted = max(0, min(isFar ? findings.count : target, findings.count - 1))
    if wanted >= findings.ids.count, findings.ids.count < findings.count, let source {
      // A user who goes this far goes further.
      findings = source.find(line.text, max(wanted + 1, findings.ids.count * 16))
    }
    pointed = max(0, min(wanted, findings.ids.count - 1))
    show(rows)
  }

  /// Scrolls so that the row that is pointed at is seen.
  package mutating func show(_ rows: Int) {
    let rows = max(rows, 1)
    if pointed < top { top = pointed }
    if pointed >= top + rows { top = pointed - rows + 1 }
    top = max(0, min(top, max(findings.ids.count - rows, 0)))
  }

  private mutating func mark() {
    find()
    guard options.isMultiple, let current else { return }
    if let place = marked.firstIndex(of: current) { marked.remove(at: place) } else { marked.append(current) }
  }

  // MARK: The screen

  /// The lines of the screen, the one that is typed in first, and the column of the cursor in that.
  package func screen(columns: Int, rows: Int) -> (lines: [StyledText], cursor: Int) {
    let columns = max(columns - 1, 1)
    let (prompt, cursor) = prompt(columns)
    var lines = [prompt]
    if rows > 1 { lines.append(state(columns)) }
    if let source {
      for place in top..<max(top, min(top + rows - 2, findings.ids.count)) {
        lines.append(row(source.row(findings.ids[place], line.text), isPointed: place == pointed, columns))
      }
    }
    return (lines, cursor)
  }

  /// The line that is typed in; where it is too wide, what stands before the cursor.
  private func prompt(_ columns: Int) -> (StyledText, cursor: Int) {
    var head = Substring(line.head)
    let room = max(columns - 3, 1)
    var shown = RowText(line.head).fitted(to: nil)
    while shown.displayWidth > room {
      head.removeFirst()
      shown = RowText(String(head)).fitted(to: nil)
    }
    let tail = RowText(line.tail).fitted(to: max(columns - 2 - shown.displayWidth, 0))
    return (StyledText("> ", .number) + shown + tail, 2 + shown.displayWidth)
  }

  private func state(_ columns: Int) -> StyledText {
    guard let source else { return RowText("  " + options.loading).fitted(to: columns, base: .faint) }
    var text = "  \(findings.count)/\(source.total)"
    if !marked.isEmpty { text += " (\(marked.count))" }
    let line = StyledText(text, .number)
    let left = columns - text.displayWidth - 3
    guard options.hint.displayWidth <= left, !options.hint.isEmpty else { return line.truncated(toWidth: columns) }
    return line + StyledText("   " + options.hint, .faint)
  }

  private func row(_ row: PickerRow, isPointed: Bool, _ columns: Int) -> StyledText {
    let isMarked = marked.contains(row.id)
    var line = StyledText(isPointed ? ">" : " ", .number) + StyledText(isMarked ? "*" : " ", .number)
    let room = max(columns - 2, 1)
    let text = row.text.fitted(to: room, base: isPointed ? .emphasis : .plain)
    line += text
    let left = room - text.displayWidth - 2
    if let note = row.note, left > 3 { line += StyledText("  ") + note.fitted(to: left, base: .faint) }
    return line
  }
}
