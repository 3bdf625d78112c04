import MPaaSSupport
import MPaaSTerminal

/// The list of issues, as a function of what it shows.
struct IssuePages: Sendable {
  let frame: PageFrame
  static let shortReleases = 3

  /// The list with its forms.
  struct List: Sendable {
    var entries: [IssueEntry] = []
    var query = ""
    var sort = IssueEntry.Sort.lastSeen
    var next: IssueCursor?
    /// The fault in the search.
    var problem: String?
    var mayChange = false
  }

  func list(_ list: List) -> String {
    let rows = list.entries.map { entry in
      let choice =
        "<input type=checkbox name=id value=\(entry.id) aria-label=\"\(HTML.escaped(Self.short(entry.title)))\">"
      return (list.mayChange ? [choice] : [])
        + [
          HTML.link("/issues/\(entry.id)", entry.title.isEmpty ? "–" : Self.short(entry.title, 120))
            + "<br><small>\(named(entry))</small>",
          state(entry), "<span class=n>\(entry.count)</span>", users(entry), HTML.time(entry.lastSeen),
          HTML.time(entry.firstSeen), HTML.escaped(Self.short(entry.assignee ?? "")),
          HTML.escaped(entry.releases.prefix(Self.shortReleases).map { Self.short($0) }.joined(separator: ", ")),
        ]
    }
    let names = ["issue", "state", "count", "users", "last", "first", "assignee", "releases"]
    let head = (list.mayChange ? [""] : []) + names.map { frame.word("column-\($0)") }
    let table = HTML.table(head, rows, isList: true)
    let older = list.next.map { cursor in
      let address =
        "/issues?query=\(PercentEncoding.encode(list.query))&sort=\(list.sort.rawValue)&cursor=\(cursor.text)"
      return "<p>\(HTML.link(address, frame.word("older")))</p>"
    }
    let body = list.entries.isEmpty ? (list.problem == nil ? frame.empty("no-issues") : "") : bulk(list, table)
    return frame.page(
      frame.word("issues"), section: "issues",
      [
        search(list), list.problem.map { "<p class=bad>\(HTML.escaped($0))</p>" } ?? "", quick(list), body, older ?? "",
      ])
  }

  private func bulk(_ list: List, _ table: String) -> String {
    guard list.mayChange else { return table }
    let actions = ["resolved", "unresolved", "ignored", "assign-me", "merge"].map {
      "<option value=\($0)>\(frame.text("issue-do-\($0)"))</option>"
    }
    return """
      <form method=post action="/issues/bulk">\(table)
      <p><label>\(frame.text("issue-bulk"))<select name=action>\(actions.joined())</select></label> <button>\(frame.text("issue-apply"))</button></p></form>
      """
  }

  private func search(_ list: List) -> String {
    let sorts = IssueEntry.Sort.allCases.map { sort in
      "<option value=\(sort.rawValue)\(sort == list.sort ? " selected" : "")>\(frame.text("issue-sort-\(sort.rawValue)"))</option>"
    }
    return """
      <form class=card method=get action="/issues" role=search>
      <label>\(frame.text("issue-search"))<input name=query type=search size=40 value="\(HTML.escaped(list.query))" placeholder="is:unresolved release:shop@8.2.*"></label>
      <label>\(frame.text("issue-sort"))<select name=sort>\(sorts.joined())</select></label>
      <button>\(frame.text("filter"))</button></form>
      """
  }

  /// Searches that are a click away.
  private func quick(_ list: List) -> String {
    let searches = [
      ("unresolved", "is:unresolved"), ("mine", "is:unresolved assigned:me"), ("new", "is:unresolved firstSeen:-24h"),
      ("regressed", "is:regressed"), ("resolved", "is:resolved"), ("ignored", "is:ignored"),
    ]
    let links = searches.map { name, query in
      let current = query == list.query ? " aria-current=page" : ""
      return
        "<a href=\"/issues?query=\(PercentEncoding.encode(query))\"\(current)>\(frame.text("issue-quick-\(name)"))</a>"
    }
    return "<p>\(links.joined(separator: " · "))</p>"
  }

  func named(_ entry: IssueEntry) -> String {
    let name = entry.function.isEmpty ? entry.module : entry.function
    let place = entry.place.isEmpty ? "" : " \(HTML.escaped(Self.short(entry.place)))"
    return (name.isEmpty ? "" : "<code>\(HTML.escaped(Self.short(name, 100)))</code>") + place
      + (entry.process.isEmpty ? "" : " \(HTML.escaped(Self.short(entry.process)))")
  }

  func state(_ entry: IssueEntry) -> String {
    var text = frame.text("issue-state-\(entry.state.rawValue)")
    if let release = entry.inRelease { text += "<br><small>\(HTML.escaped(release))</small>" }
    return text
  }

  func users(_ entry: IssueEntry) -> String {
    let share = entry.usersShare.map { " <small>\(Self.percent($0))</small>" } ?? ""
    return "<span class=n>\(entry.users)\(entry.users > 0 ? share : "")</span>"
  }

  /// The beginning of a text, so that a page stays small whatever was sent.
  static func short(_ text: String, _ most: Int = 60) -> String {
    text.utf8.count <= most ? text : text.count <= most ? text : String(text.prefix(most)) + "…"
  }

  /// A share in per cent with one digit behind the point.
  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
