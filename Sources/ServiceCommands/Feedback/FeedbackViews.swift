import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// Feedback, a line each.
struct FeedbackList: Presentable {
  let feedback: [FeedbackEntry]

  func document(_ catalogue: Catalogue) -> Document {
    guard !feedback.isEmpty else { return [.line(StyledText(catalogue.text("text.feedback-none"), .faint))] }
    let columns = ["number", "state", "category", "user", "pictures", "text"].map {
      Table.Column(
        catalogue.text("text.feedback-\($0)"), isNumeric: ["number", "pictures"].contains($0),
        isOptional: ["category", "user"].contains($0))
    }
    let rows = feedback.map { entry in
      [
        StyledText(String(entry.number), .emphasis), entry.state.text(catalogue), StyledText(entry.category),
        StyledText(entry.user ?? ""), StyledText(String(entry.pictures.count), .number),
        StyledText(entry.beginning),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}

/// A piece of feedback with all that is known of it.
struct FeedbackView: Presentable {
  let entry: FeedbackEntry

  func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }

  func document(_ catalogue: Catalogue) -> Document {
    var head = StyledText(String(entry.number), .emphasis)
    head.append("  ")
    head += entry.state.text(catalogue)
    head.append("  " + entry.category, .faint)
    var lines = [head] + text(entry.text)
    let facts: [(String, String?)] = [
      ("contact", entry.contact), ("user", entry.user), ("mobile", entry.mobile), ("device", entry.device),
      ("version", entry.version), ("locale", entry.locale), ("logs", entry.task),
    ]
    lines += facts.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : line(catalogue.text("text.feedback-\(name)"), StyledText($0)) }
    }
    lines += entry.facts.sorted { $0.key < $1.key }.map { line($0.key, StyledText($0.value)) }
    lines += entry.pictures.map { picture in
      line(picture.name, StyledText(picture.upload ?? catalogue.text("text.feedback-on-its-way"), .path))
    }
    for message in entry.messages {
      var author = StyledText("— " + (message.author ?? "") + "  ", .faint)
      author += message.state.text(catalogue)
      lines += [author] + text(message.text ?? "")
    }
    return Document(lines: lines)
  }

  private func line(_ name: String, _ value: StyledText) -> StyledText { StyledText(name + "  ", .faint) + value }

  private func text(_ text: String) -> [StyledText] {
    if text.isEmpty { return [] }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      StyledText("  " + String($0))
    }
  }
}

/// A file of feedback that was written.
struct ExportedFeedback: Presentable {
  let file: String
  let size: UInt64

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["path": file, "size": ByteCount(size).description]
    return [.line(StyledText(catalogue.text("text.feedback-exported", values)))]
  }
}

extension FeedbackEntry {
  /// The beginning of the text, on one line.
  var beginning: String {
    let line = text.prefix(60).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.count > 60 ? "…" : "")
  }
}

extension FeedbackState {
  fileprivate func text(_ catalogue: Catalogue) -> StyledText {
    let role: TextRole =
      switch self {
      case .open: .warning
      case .answered: .good
      case .closed: .faint
      }
    return StyledText(catalogue.text("text.feedback-\(rawValue)"), role)
  }
}
