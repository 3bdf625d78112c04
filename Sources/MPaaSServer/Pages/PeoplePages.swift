import MPaaSProtocol
import MPaaSTerminal

/// The pages of accounts, teams, tokens, sessions and the audit log, as functions of what they show.
struct PeoplePages: Sendable {
  let frame: PageFrame

  /// The content of the page of people.
  struct People: Sendable {
    var people: [PersonEntry]
    var teams: [TeamEntry]
    var tokens: [TokenEntry]
    var sessions: [SessionEntry]
    var apps: [Access.App]
    /// The fault in what was asked for.
    var problem: String?
  }

  private static let mostRows = 100

  func people(_ page: People) -> String {
    frame.page(
      frame.word("people"), section: "people",
      [
        page.problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "",
        "<p>\(HTML.link("/people/audit", frame.word("audit")))</p>", accounts(page), teams(page), tokens(page),
        sessions(page),
      ])
  }

  private func roles(_ roles: [Role], _ chosen: String?, isOptional: Bool) -> String {
    let none = isOptional ? "<option value=\"\">\(frame.text("role-none"))</option>" : ""
    return none
      + roles.map { role in
        "<option value=\(role.rawValue)\(role.rawValue == chosen ? " selected" : "")>\(frame.text("role-\(role.rawValue)"))</option>"
      }.joined()
  }

  private func button(_ action: String, _ key: String) -> String {
    "<form method=post action=\"\(action)\"><button class=plain>\(frame.text(key))</button></form>"
  }

  // MARK: - Parts

  private func accounts(_ page: People) -> String {
    let rows = page.people.prefix(Self.mostRows).map { person in
      let path = "/people/\(HTML.segment(person.id))"
      return [
        HTML.escaped(person.name) + (person.mail.isEmpty ? "" : "<br><small>\(HTML.escaped(person.mail))</small>")
          + (person.subject.map { "<br><small>\(frame.text("external", ["subject": $0]))</small>" } ?? ""),
        """
        <form method=post action="\(path)/role"><select name=role aria-label="\(frame.text("field-role"))">\(roles(Role.ofPeople, person.role, isOptional: true))</select> <button class=plain>\(frame.text("change"))</button></form>
        """,
        HTML.escaped(person.teams.joined(separator: ", ")), person.seen.map(HTML.time) ?? "–",
        person.isDisabled
          ? "<small>\(frame.text("disabled"))</small> " + button(path + "/enable", "enable")
          : button(path + "/disable", "disable"),
      ]
    }
    let head = ["account", "role", "teams", "last"].map { frame.word("column-\($0)") } + [""]
    return """
      <h2>\(frame.text("accounts"))</h2>\(rows.isEmpty ? frame.empty("no-people") : HTML.table(head, Array(rows)))
      <form class=card method=post action="/people"><label>\(frame.text("field-account"))<input name=name required autocomplete=off></label>
      <label>\(frame.text("field-mail"))<input name=mail type=email autocomplete=off></label>
      <label>\(frame.text("field-role"))<select name=role>\(roles(Role.ofPeople, "reader", isOptional: true))</select></label>
      <label>\(frame.text("field-password"))<input name=password type=password autocomplete=new-password minlength=\(Password.least) required></label>
      <button>\(frame.text("add-person"))</button></form>
      """
  }

  private func teams(_ page: People) -> String {
    let names = Dictionary(page.apps.map { ($0.key, $0.name) }) { $1 }
    let rows = page.teams.prefix(Self.mostRows).map { team in
      let path = "/people/teams/\(HTML.segment(team.id))"
      let members = team.members.map {
        "\(HTML.escaped($0.person)) <small>\(frame.text("role-\($0.role)"))</small>"
      }
      return [
        HTML.escaped(team.name), HTML.escaped(team.apps.map { names[$0] ?? $0 }.joined(separator: ", ")),
        members.joined(separator: "<br>")
          + """
          <form method=post action="\(path)/member"><input name=person required size=10 aria-label="\(frame.text("field-account"))"> <select name=role aria-label="\(frame.text("field-role"))">\(roles(Role.ofMembers, "member", isOptional: true))</select> <button class=plain>\(frame.text("change"))</button></form>
          """, button(path + "/remove", "remove"),
      ]
    }
    let head = ["team", "apps", "members"].map { frame.word("column-\($0)") } + [""]
    let apps = page.apps.map { app in
      "<option value=\"\(HTML.escaped(app.key))\">\(HTML.escaped(app.name))</option>"
    }
    return """
      <h2>\(frame.text("teams"))</h2>\(rows.isEmpty ? frame.empty("no-teams") : HTML.table(head, Array(rows)))
      <form class=card method=post action="/people/teams"><label>\(frame.text("column-team"))<input name=name required></label>
      <label>\(frame.text("column-apps"))<select name=app multiple required>\(apps.joined())</select></label><button>\(frame.text("add-team"))</button></form>
      """
  }

  private func tokens(_ page: People) -> String {
    let names = Dictionary(page.apps.map { ($0.key, $0.name) }) { $1 }
    let rows = page.tokens.prefix(Self.mostRows).map { token in
      [
        HTML.escaped(token.name) + "<br><small>\(HTML.escaped(token.id))</small>",
        HTML.escaped(token.scopes.joined(separator: ", ")),
        token.apps.isEmpty
          ? frame.text("all-apps") : HTML.escaped(token.apps.map { names[$0] ?? $0 }.joined(separator: ", ")),
        HTML.time(token.expires), button("/people/tokens/\(HTML.segment(token.id))/end", "revoke"),
      ]
    }
    let head = ["token", "scopes", "apps", "expires"].map { frame.word("column-\($0)") } + [""]
    return "<h2>\(frame.text("tokens"))</h2>" + (rows.isEmpty ? frame.empty("none") : HTML.table(head, Array(rows)))
  }

  private func sessions(_ page: People) -> String {
    let rows = page.sessions.prefix(Self.mostRows).map { session in
      [
        HTML.escaped(session.name), HTML.escaped(String(session.agent.prefix(80))), HTML.time(session.created),
        HTML.time(session.seen), button("/people/sessions/\(HTML.segment(session.id))/end", "end-session"),
      ]
    }
    let head = ["account", "browser", "created", "last"].map { frame.word("column-\($0)") } + [""]
    return "<h2>\(frame.text("sessions"))</h2>" + (rows.isEmpty ? frame.empty("none") : HTML.table(head, Array(rows)))
  }

  // MARK: - The audit log

  func audit(_ entries: [AuditEntry], hasMore: Bool) -> String {
    let rows = entries.map { entry in
      [
        "<span class=n>\(entry.number)</span>", HTML.time(Double(entry.time) / 1000), HTML.escaped(entry.actor),
        "<code>\(HTML.escaped(entry.action))</code>", HTML.escaped(entry.object),
        HTML.escaped(entry.detail),
      ]
    }
    let head = ["number", "time", "actor", "action", "object", "detail"].map { frame.word("column-\($0)") }
    let older = entries.last.map { HTML.link("/people/audit?before=\($0.number)", frame.word("older")) } ?? ""
    return frame.page(
      frame.word("audit"), section: "people",
      [
        "<p class=none>\(frame.text("audit-help"))</p>", rows.isEmpty ? frame.empty("none") : HTML.table(head, rows),
        hasMore ? "<p>\(older)</p>" : "",
      ])
  }
}
