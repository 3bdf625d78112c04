import MPaaSSupport

/// The page of one issue.
extension IssuePages {
  struct Detail: Sendable {
    var issue: IssueDetail
    var events: [CrashEntry]
    var mayChange: Bool
    var problem: String?
  }

  func issue(_ detail: Detail) -> String {
    let entry = detail.issue.entry
    return frame.page(
      entry.title.isEmpty ? "–" : entry.title, section: "issues",
      [
        "<p>\(named(entry))</p>", facts(detail), detail.problem.map { "<p class=bad>\(HTML.escaped($0))</p>" } ?? "",
        detail.mayChange ? forms(detail) : "", days(detail.issue.hours), values(detail.issue.values),
        events(detail.events), groups(detail), history(detail),
      ])
  }

  private func facts(_ detail: Detail) -> String {
    let entry = detail.issue.entry
    var rows = [
      [frame.text("column-state"), state(entry) + until(entry)],
      [frame.text("column-count"), "<span class=n>\(entry.count)</span>"],
      [frame.text("column-users"), users(entry)],
      [frame.text("column-first"), HTML.time(entry.firstSeen)], [frame.text("column-last"), HTML.time(entry.lastSeen)],
      [frame.text("column-assignee"), HTML.escaped(entry.assignee ?? "–")],
    ]
    if !entry.level.isEmpty { rows.append([frame.text("issue-level"), HTML.escaped(entry.level)]) }
    if !entry.releases.isEmpty {
      rows.append([frame.text("column-releases"), HTML.escaped(entry.releases.joined(separator: ", "))])
    }
    return HTML.table([frame.word("column-what"), ""], rows)
  }

  private func until(_ entry: IssueEntry) -> String {
    guard let until = entry.until else { return "" }
    let parts = [
      until.time.map { frame.text("issue-until-time") + " " + HTML.time($0) },
      until.count.map { frame.text("issue-until-count", ["count": String($0)]) },
      until.users.map { frame.text("issue-until-users", ["count": String($0)]) },
      until.perHour.map { frame.text("issue-until-hour", ["count": String($0)]) },
    ].compactMap { $0 }
    return "<br><small>\(parts.joined(separator: "; "))</small>"
  }

  private func forms(_ detail: Detail) -> String {
    let id = detail.issue.entry.id
    let states = ["resolved", "ignored", "unresolved"].map {
      "<option value=\($0)>\(frame.text("issue-do-\($0)"))</option>"
    }
    func field(_ name: String, _ kind: String = "text", _ value: String = "") -> String {
      "<label>\(frame.text("issue-field-\(name.replacing(each: "_", with: "-"))"))<input name=\(name) type=\(kind) size=14 value=\"\(HTML.escaped(value))\"></label>"
    }
    func form(_ action: String, _ fields: String, _ button: String) -> String {
      "<form class=card method=post action=\"/issues/\(id)/\(action)\">\(fields)<button>\(frame.text(button))</button></form>"
    }
    return form(
      "state",
      """
      <label>\(frame.text("column-state"))<select name=state>\(states.joined())</select></label>
      \(field("in_release"))<label>\(frame.text("issue-field-next"))<input name=in_next_release type=checkbox value=1></label>
      \(field("until_time", "datetime-local"))\(field("until_count", "number"))\(field("until_users", "number"))\(field("until_per_hour", "number"))
      """, "issue-apply")
      + form("assignee", field("assignee", "text", detail.issue.entry.assignee ?? ""), "issue-assign")
      + form("merge", field("merge_into"), "issue-merge")
  }

  /// Events by days, the newest first.
  private func days(_ hours: [IssueDetail.Hour]) -> String {
    var days: [(day: Int64, count: Int64)] = []
    for hour in hours {
      let day = hour.time / 86_400
      if days.last?.day == day { days[days.count - 1].count += hour.count } else { days.append((day, hour.count)) }
    }
    let shown = days.prefix(14)
    guard let most = shown.map(\.count).max(), most > 0 else { return "" }
    let rows = shown.map { day, count in
      [
        String(HTML.time(Double(day * 86_400 + 1)).prefix { $0 != "T" }.suffix(10)), "<span class=n>\(count)</span>",
        "<meter max=\(most) value=\(count) aria-label=\"\(count)\">\(count)</meter>",
      ]
    }
    return "<h2>\(frame.text("issue-days"))</h2>"
      + HTML.table([frame.word("issue-day"), frame.word("column-count"), ""], rows)
  }

  private func values(_ values: [IssueDetail.Values]) -> String {
    guard !values.isEmpty else { return "" }
    var size = 0
    let rows = values.prefix(60).compactMap { value -> String? in
      let name = value.key.hasPrefix("tag:") ? String(value.key.dropFirst(4)) : value.key
      let row =
        "<tr><td>\(HTML.escaped(name))<td>\(value.values.prefix(10).map { HTML.escaped($0) }.joined(separator: ", "))"
      size += row.utf8.count
      return size < 9000 ? row : nil
    }
    return
      "<h2>\(frame.text("issue-values"))</h2><div class=wide><table class=leaf>\(rows.joined(separator: "\n"))</table></div>"
  }

  private func events(_ events: [CrashEntry]) -> String {
    let rows = events.map { event in
      [
        HTML.link("/crashes/\(event.id)", event.title.isEmpty ? event.event : Self.short(event.title)),
        HTML.time(event.received),
        HTML.escaped(Self.short(event.version)), HTML.escaped(Self.short(event.environment)),
        HTML.escaped(Self.short(event.system)),
        HTML.escaped(Self.short(event.device)), HTML.escaped(Self.short(event.user)),
      ]
    }
    let head = ["event", "received", "version", "environment", "system", "device", "user"].map {
      frame.word("column-\($0)")
    }
    return "<h2>\(frame.text("issue-events"))</h2>" + HTML.table(head, rows)
  }

  private func groups(_ detail: Detail) -> String {
    guard detail.issue.groups.count > 1 else { return "" }
    let id = detail.issue.entry.id
    let rows = detail.issue.groups.prefix(30).map { group in
      let split =
        "<form method=post action=\"/issues/\(id)/split\"><input type=hidden name=split value=\(group.id)><button class=plain>\(frame.text("issue-split"))</button></form>"
      return [
        HTML.link("/groups/\(HTML.segment(group.group))", group.title), "<span class=n>\(group.count)</span>",
        group.id == id || !detail.mayChange ? "" : split,
      ]
    }
    return "<h2>\(frame.text("issue-groups"))</h2>"
      + HTML.table([frame.word("column-crash"), frame.word("column-count"), ""], rows)
  }

  private func history(_ detail: Detail) -> String {
    var size = 0
    // The newest that have room.
    let notes = detail.issue.notes.reversed().prefix { note in
      size += min(note.text.utf8.count, 4000) + 150
      return size < 9000
    }
    let lines = notes.reversed().map { note in
      let author = note.author.isEmpty ? frame.text("issue-by-itself") : HTML.escaped(note.author)
      let head = "<small>\(author) · \(HTML.time(note.time))</small>"
      if note.kind == "comment" {
        let text = note.text.count > 1000 ? String(note.text.prefix(1000)) + "…" : note.text
        return "<p>\(HTML.lines(text).replacing(all: "\n", with: "<br>"))<br>\(head)</p>"
      }
      let text = note.text.isEmpty ? "" : " <code>\(HTML.escaped(note.text))</code>"
      return "<p>\(frame.text("issue-note-\(note.kind)"))\(text)<br>\(head)</p>"
    }
    var form = ""
    if detail.mayChange {
      let id = detail.issue.entry.id
      form = """
        <form class=card method=post action="/issues/\(id)/comments"><label>\(frame.text("issue-comment"))<textarea name=text rows=3 cols=50 required></textarea></label><button>\(frame.text("send"))</button></form>
        <form method=post action="/issues/\(id)/delete"><label>\(frame.text("issue-delete-sure"))<input type=checkbox name=sure value=1 required></label> <button class="plain bad">\(frame.text("issue-delete"))</button></form>
        """
    }
    return "<h2>\(frame.text("issue-history"))</h2>\(lines.joined(separator: "\n"))\(form)"
  }
}
