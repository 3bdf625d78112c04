import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// The lines of the screen of a watched process.
struct WatchView {
  private let history: WatchHistory
  private let process: Int32
  private let catalogue: Catalogue

  init(_ history: WatchHistory, process: Int32, _ catalogue: Catalogue) {
    self.history = history
    self.process = process
    self.catalogue = catalogue
  }

  private static let nameWidth = 14
  private static let valueWidth = 11

  func lines(columns: Int, rows: Int) -> [StyledText] {
    guard let now = history.figures.last else { return [] }
    let name = now.threads.first { $0.id == process }?.name ?? ""
    var title = StyledText("mpaas perf watch", .heading)
    title.append("  \(name) [\(process)]", .emphasis)
    title.append("  " + TextNumber.decimal(history.seconds, places: 0) + " s", .faint)
    let width = max(columns - Self.nameWidth - Self.valueWidth - 4, 8)
    var lines = [title, ""]
    let last = history.figures.count - 1
    let shares = history.figures.indices.suffix(width).map { Int((history.processor(of: $0) ?? 0) * 1000) }
    lines.append(
      row("cpu", history.processor(of: last).map { TextNumber.percent($0) } ?? "–", shares, style: .function))
    lines.append(bytes("rss", width) { $0.memory.all.resident })
    lines.append(bytes("pss", width) { $0.memory.all.proportional })
    lines.append(
      row("descriptors", now.descriptors.map { "\($0)" } ?? "–", course(width) { $0.descriptors ?? 0 }, style: .path))
    lines.append(row("threads", "\(now.threads.count)", course(width) { $0.threads.count }, style: .path))
    lines += ["", StyledText(catalogue.text("text.perf-watch-memory"), .heading)]
    for kind in MemoryKind.allCases where now.memory.byKind[kind] != nil {
      lines.append(
        line(
          catalogue.text("text.perf-memory-\(kind.rawValue)"),
          ByteCount(now.memory.byKind[kind]?.proportional ?? 0).description,
          course(width) { Int(clamping: ($0.memory.byKind[kind]?.proportional ?? 0) / 1024) }, style: .number))
    }
    lines += ["", StyledText(catalogue.text("text.perf-watch-busiest"), .heading)]
    let room = max(rows - lines.count - 2, 0)
    for (thread, share) in history.busiest.prefix(room) {
      var text = StyledText(TextNumber.percent(share).padded(toWidth: 7, trailing: true), .number)
      text.append("  \(thread.name)", .emphasis)
      text.append(" [\(thread.id)]", .faint)
      lines.append(text)
    }
    while lines.count < rows - 1 { lines.append("") }
    return Array(lines.prefix(max(rows - 1, 1))) + [StyledText(catalogue.text("text.perf-watch-keys"), .faint)]
  }

  private func bytes(_ key: String, _ width: Int, _ value: (ProcessFigures) -> UInt64) -> StyledText {
    let now = history.figures.last.map(value) ?? 0
    return row(key, ByteCount(now).description, course(width) { Int(clamping: value($0) / 1024) }, style: .match)
  }

  /// The newest values, as many as have room, from their least to their greatest.
  private func course(_ width: Int, _ value: (ProcessFigures) -> Int) -> [Int] {
    let values = history.figures.suffix(width).map(value)
    let least = values.min() ?? 0
    // What does not change is a line at the bottom.
    return values.map { $0 - least + max(((values.max() ?? 0) - least) / 8, 1) }
  }

  private func row(_ key: String, _ value: String, _ course: [Int], style: TextRole) -> StyledText {
    line(catalogue.text("text.perf-watch-\(key)"), value, course, style: style)
  }

  private func line(_ name: String, _ value: String, _ course: [Int], style: TextRole) -> StyledText {
    var line = StyledText(name.truncated(toWidth: Self.nameWidth).padded(toWidth: Self.nameWidth))
    line.append(value.padded(toWidth: Self.valueWidth, trailing: true), .number)
    line.append("  " + Sparkline.line(course), style)
    return line
  }
}
