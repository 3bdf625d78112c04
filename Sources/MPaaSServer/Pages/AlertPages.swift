import MPaaSProtocol
import MPaaSTerminal

/// The pages of alerts, as functions of what they show.
struct AlertPages: Sendable {
  let frame: PageFrame

  /// The values that the form is filled with.
  struct Draft: Sendable {
    var name = ""
    var condition = "new"
    var over = ""
    var minutes = "5"
    var target = ""
    /// The fault in it.
    var problem: String?
  }

  private static let conditions = ["new", "regressed", "count", "users", "crash_free_below", "adoption", "quota"]

  func list(_ rules: [AlertEntry], apps: [Access.App], _ draft: Draft) -> String {
    let names = Dictionary(apps.map { ($0.key, $0.name) }) { $1 }
    let rows = rules.map { rule in
      [
        HTML.link("/alerts/\(HTML.segment(rule.id))", rule.name), HTML.escaped(names[rule.app] ?? rule.app),
        HTML.escaped(condition(rule.when)), state(rule), HTML.escaped(targets(rule)),
      ]
    }
    let head = ["alert", "app", "condition", "state", "receivers"].map { frame.word("column-\($0)") }
    return frame.page(
      frame.word("alerts"), section: "alerts",
      [
        draft.problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "",
        rows.isEmpty ? frame.empty("no-alerts") : HTML.table(head, rows), form(apps, draft),
      ])
  }

  private func state(_ rule: AlertEntry) -> String {
    if !rule.isEnabled { return "<small>\(frame.text("alert-paused"))</small>" }
    return rule.firing > 0
      ? "<span class=bad>\(frame.text("alert-firing", ["count": String(rule.firing)]))</span>"
      : frame.text("alert-quiet")
  }

  private func targets(_ rule: AlertEntry) -> String {
    rule.to.map { AlertStore.shown($0.webhook ?? $0.mail ?? "") }.joined(separator: ", ")
  }

  /// The condition in words.
  private func condition(_ when: AlertWhen) -> String {
    let word = when.word ?? ""
    var values: [String: String] = [:]
    if let count = when.count ?? when.users {
      values = ["over": String(count.over), "minutes": String(count.minutes)]
    }
    if let free = when.crashFreeBelow {
      values = ["share": IssuePages.percent(free.share), "hours": String(free.hours ?? 24)]
    }
    if let adoption = when.adoption { values = ["share": IssuePages.percent(adoption.over)] }
    if let quota = when.quota { values = ["share": IssuePages.percent(quota.over)] }
    return frame.word("alert-if-\(word)", values)
  }

  private func form(_ apps: [Access.App], _ draft: Draft) -> String {
    let conditions = Self.conditions.map { word in
      "<option value=\(word)\(word == draft.condition ? " selected" : "")>\(frame.text("alert-choice-\(word)"))</option>"
    }
    let choice = apps.map { "<option value=\"\(HTML.escaped($0.key))\">\(HTML.escaped($0.name))</option>" }
    return """
      <h2>\(frame.text("add-alert"))</h2><form class=card method=post action="/alerts">
      <label>\(frame.text("field-name"))<input name=name required value="\(HTML.escaped(draft.name))"></label>
      <label>\(frame.text("column-app"))<select name=app>\(choice.joined())</select></label>
      <label>\(frame.text("column-condition"))<select name=condition>\(conditions.joined())</select></label>
      <label>\(frame.text("field-over"))<input name=over inputmode=decimal size=8 value="\(HTML.escaped(draft.over))"></label>
      <label>\(frame.text("field-minutes"))<input name=minutes type=number min=1 max=1440 value="\(HTML.escaped(draft.minutes))"></label>
      <label>\(frame.text("field-target"))<input name=target required size=32 value="\(HTML.escaped(draft.target))"></label>
      <label>\(frame.text("field-secret"))<input name=secret type=password autocomplete=off></label>
      <button>\(frame.text("add-alert"))</button></form><p class=none>\(frame.text("alert-help"))</p>
      """
  }

  /// - Parameter isNew: Whether secrets were made just now, and are shown this once.
  func rule(_ rule: AlertEntry, _ deliveries: [AlertDelivery], isNew: Bool = false) -> String {
    let path = "/alerts/\(HTML.segment(rule.id))"
    let secrets = rule.to.compactMap(\.secret).map { "<p><code>\(HTML.escaped($0))</code></p>" }
    let actions = ["test", rule.isEnabled ? "pause" : "resume", "remove"].map { action in
      "<form method=post action=\"\(path)/\(action)\"><button class=plain>\(frame.text("alert-do-\(action)"))</button></form>"
    }
    let rows = deliveries.map { delivery in
      [
        HTML.time(delivery.created), frame.text("alert-kind-\(delivery.kind.rawValue)"),
        HTML.escaped(delivery.target), frame.text("delivery-\(delivery.state.rawValue)"),
        "<span class=n>\(delivery.attempts)</span>",
        [delivery.status.map { String($0) } ?? "", HTML.escaped(delivery.reason)].filter { !$0.isEmpty }
          .joined(separator: " "), delivery.state == .waiting ? delivery.next.map(HTML.time) ?? "" : "",
      ]
    }
    let head = ["time", "kind", "receivers", "state", "attempts", "answer", "next"].map { frame.word("column-\($0)") }
    return frame.page(
      rule.name, section: "alerts",
      [
        "<p>\(HTML.escaped(condition(rule.when))) · \(state(rule)) · \(HTML.escaped(targets(rule)))</p>",
        isNew && !secrets.isEmpty ? "<p>\(frame.text("alert-secret"))</p>" + secrets.joined() : "",
        actions.joined(separator: "\n"), "<h2>\(frame.text("deliveries"))</h2>",
        rows.isEmpty ? frame.empty("none") : HTML.table(head, rows),
      ])
  }
}
