import MPaaSProtocol
import MPaaSTerminal

/// The pages of feedback, as functions of what they show.
struct FeedbackPages: Sendable {
  let frame: PageFrame

  /// The list, with the form that narrows it.
  ///
  /// - Parameter query: The filter as addresses have it, without its `before`.
  func list(
    _ entries: [FeedbackEntry], _ filter: FeedbackStore.Filter, _ categories: [String], query: String, hasMore: Bool
  ) -> String {
    let rows = entries.map { entry in
      [
        HTML.link("/feedback/\(entry.number)", Self.beginning(entry.text)) + pictures(entry),
        HTML.escaped(category(entry.category)), frame.text("feedback-\(entry.state.rawValue)"),
        HTML.escaped(entry.user ?? entry.contact ?? ""), HTML.escaped(entry.version), HTML.time(entry.received),
      ]
    }
    let head = ["feedback", "category", "state", "user", "version", "received"].map { frame.word("column-\($0)") }
    let older = entries.last.map { "<p>\(HTML.link("/feedback?\(query)before=\($0.number)", frame.word("older")))</p>" }
    return frame.page(
      frame.word("feedback"), section: "feedback",
      [
        form(filter, categories), entries.isEmpty ? frame.empty("no-feedback") : HTML.table(head, rows),
        hasMore ? older ?? "" : "", exports(query),
      ])
  }

  private func pictures(_ entry: FeedbackEntry) -> String {
    guard !entry.pictures.isEmpty else { return "" }
    return " <small>\(frame.text("feedback-pictures", ["count": String(entry.pictures.count)]))</small>"
  }

  private func exports(_ query: String) -> String {
    let links = FeedbackExport.allCases.map {
      HTML.link("/feedback/export?\(query)format=\($0.rawValue)", $0.rawValue.uppercased())
    }
    return "<p>\(frame.text("export")) \(links.joined(separator: " · "))</p>"
  }

  private func form(_ filter: FeedbackStore.Filter, _ categories: [String]) -> String {
    let states = FeedbackState.allCases.map { ($0.rawValue, frame.word("feedback-\($0.rawValue)")) }
    let known = categories.map { ($0, category($0)) }
    return """
      <form class=card method=get action="/feedback">
      \(choice("state", "column-state", filter.state?.rawValue, states))
      \(choice("category", "column-category", filter.category, known))
      \(field("user", "column-user", filter.user))
      \(field("text", "field-text", filter.text))
      <button>\(frame.text("filter"))</button></form>
      """
  }

  private func field(_ name: String, _ label: String, _ value: String?) -> String {
    "<label>\(frame.text(label))<input name=\(name) type=text value=\"\(HTML.escaped(value ?? ""))\"></label>"
  }

  private func choice(_ name: String, _ label: String, _ chosen: String?, _ values: [(String, String)]) -> String {
    let options = ([("", frame.word("any"))] + values).map { value, title in
      "<option value=\"\(HTML.escaped(value))\"\(value == chosen ?? "" ? " selected" : "")>\(HTML.escaped(title))</option>"
    }
    return "<label>\(frame.text(label))<select name=\(name)>\(options.joined())</select></label>"
  }

  /// One piece of feedback, with what was answered.
  ///
  /// - Parameters:
  ///   - mayAnswer: Whether the reader's token permits it.
  ///   - problem: The reason why an answer was not taken.
  func entry(_ entry: FeedbackEntry, mayAnswer: Bool, draft: String = "", problem: String? = nil) -> String {
    let facts = self.facts(entry).map { [HTML.escaped($0), $1] }
    return frame.page(
      frame.word("feedback-title", ["number": String(entry.number)]), section: "feedback",
      [
        "<p>\(frame.text("feedback-\(entry.state.rawValue)")) · \(HTML.escaped(category(entry.category)))</p>",
        paragraphs(entry.text), files(entry), HTML.table([frame.word("column-what"), ""], facts),
        entry.messages.isEmpty ? "" : "<h2>\(frame.text("replies"))</h2>",
        entry.messages.map(message).joined(separator: "\n"),
        problem.map { "<p class=bad>\(HTML.escaped($0))</p>" } ?? "", mayAnswer ? answer(entry, draft) : "",
      ])
  }

  private func facts(_ entry: FeedbackEntry) -> [(String, String)] {
    let own: [(String, String?)] = [
      ("contact", entry.contact), ("user", entry.user), ("mobile", entry.mobile), ("device", entry.device),
      ("version", entry.version), ("locale", entry.locale),
    ]
    return [(frame.word("column-received"), HTML.time(entry.received))]
      + own.compactMap { name, value in
        value.flatMap { $0.isEmpty ? nil : (frame.word("column-\(name)"), HTML.escaped($0)) }
      } + entry.facts.sorted { $0.key < $1.key }.map { ($0.key, HTML.escaped($0.value)) }
  }

  private func files(_ entry: FeedbackEntry) -> String {
    var links = entry.pictures.map { picture in
      picture.upload.map { HTML.link("/uploads/\(HTML.segment($0))", picture.name) }
        ?? "\(HTML.escaped(picture.name)) <small>\(frame.text("on-its-way"))</small>"
    }
    if entry.task != nil { links.append(HTML.link("/tasks", frame.word("feedback-logs"))) }
    return links.isEmpty ? "" : "<p>\(frame.text("attachments")) \(links.joined(separator: ", "))</p>"
  }

  private func message(_ message: FeedbackMessage) -> String {
    let head = "\(HTML.escaped(message.author ?? "")) · \(HTML.time(message.time))"
    let state = frame.text("feedback-\(message.state.rawValue)")
    return "\(message.text.map(paragraphs) ?? "")<p><small>\(head) · \(state)</small></p>"
  }

  private func answer(_ entry: FeedbackEntry, _ draft: String) -> String {
    let states = FeedbackState.allCases.map { state in
      let isUsual = state == .answered
      return
        "<option value=\(state.rawValue)\(isUsual ? " selected" : "")>\(frame.text("feedback-\(state.rawValue)"))</option>"
    }
    return """
      <form class=card method=post action="/feedback/\(entry.number)">
      <label>\(frame.text("field-reply"))<textarea name=text rows=5 cols=60>\(HTML.escaped(draft))</textarea></label>
      <label>\(frame.text("column-state"))<select name=state>\(states.joined())</select></label>
      <button>\(frame.text("send"))</button></form>
      """
  }

  /// A category in words, where it is one of those that every app has.
  private func category(_ word: String) -> String {
    frame.catalogue.optionalText("page.category-\(word)") ?? word
  }

  /// A text of several lines.
  private func paragraphs(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return "<p>\(lines.map { HTML.escaped(String($0)) }.joined(separator: "<br>\n"))</p>"
  }

  private static func beginning(_ text: String) -> String {
    let line = text.prefix(80).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.count > 80 ? "…" : "")
  }
}
