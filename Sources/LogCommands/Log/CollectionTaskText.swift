import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// Collection tasks, a line each.
struct CollectionTaskList: Presentable {
  let tasks: [CollectionTask]

  func document(_ catalogue: Catalogue) -> Document {
    guard !tasks.isEmpty else { return [.line(StyledText(catalogue.text("text.log-tasks-none"), .faint))] }
    let columns = ["id", "user", "window", "state", "size"].map {
      Table.Column(catalogue.text("text.log-tasks-\($0)"), isNumeric: $0 == "size", isOptional: $0 == "window")
    }
    let rows = tasks.map { task in
      [
        StyledText(task.id, .emphasis), StyledText(task.device.map { "\(task.user) (\($0))" } ?? task.user),
        StyledText(task.window), task.stateText(catalogue), StyledText(task.sizeText, .number),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}

/// A task that has changed, on one line.
struct CollectionTaskLine: Presentable {
  let task: CollectionTask

  func encode(to encoder: any Encoder) throws { try task.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    var line = StyledText(task.id, .emphasis)
    line.append("  \(task.user)  ")
    line += task.stateText(catalogue)
    if task.size != nil { line.append("  " + task.sizeText, .number) }
    return [.line(line)]
  }
}

/// A task with all that is known of it.
struct CollectionTaskView: Presentable {
  let task: CollectionTask
  /// The file that received the bytes.
  var file: String?

  func encode(to encoder: any Encoder) throws { try task.encode(to: encoder) }

  var exit: ExitStatus { [.failed, .expired].contains(task.state) ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    func line(_ name: String, _ value: StyledText) -> StyledText {
      StyledText(catalogue.text("text.log-task-\(name)") + "  ", .faint) + value
    }
    var lines = [
      StyledText(task.id, .emphasis) + "  " + task.stateText(catalogue),
      line("user", StyledText(task.device.map { "\(task.user) (\($0))" } ?? task.user)),
      line("window", StyledText(task.window)),
      line("network", StyledText(task.network.rawValue)),
    ]
    if !task.types.isEmpty { lines.append(line("types", StyledText(task.types.joined(separator: ", ")))) }
    if task.size != nil { lines.append(line("size", StyledText(task.sizeText, .number))) }
    if let upload = task.upload { lines.append(line("upload", StyledText(upload))) }
    if let file { lines.append(line("file", StyledText(file, .path))) }
    return Document(lines: lines)
  }
}

extension CollectionTask {
  fileprivate var window: String {
    let utc = MonitorClock(now: { 0 })
    func text(_ seconds: Double) -> String { String(MonitorTime(seconds, utc).text.prefix(19)) + "Z" }
    return "\(text(from)) – \(text(to))"
  }

  /// The share that has come.
  fileprivate var sizeText: String {
    guard let size else { return "" }
    let all = ByteCount(UInt64(max(size, 0))).description
    guard let sent, sent < size else { return all }
    return "\(ByteCount(UInt64(max(sent, 0)))) / \(all)"
  }

  fileprivate func stateText(_ catalogue: Catalogue) -> StyledText {
    let role: TextRole =
      switch state {
      case .done: .good
      case .failed, .expired: .bad
      case .waiting, .cancelled: .faint
      case .picked, .uploading: .warning
      }
    let text = catalogue.text("text.log-task-\(state.rawValue)")
    guard let reason, !reason.isEmpty else { return StyledText(text, role) }
    // A device's word for it is told as a sentence where it is known; else it is a stranger's text.
    let known = catalogue.optionalText("diagnostic.\(reason)")
    let clean = String(reason.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
    return StyledText(text, role) + StyledText(": " + (known == nil ? clean : "\(reason)"))
  }
}
