import MPaaSProtocol
import MPaaSTerminal

/// The pages of logging in, and of one's own account.
struct AccountPages: Sendable {
  let frame: PageFrame

  /// - Parameter isWrong: Whether a login was tried that does not permit it.
  func login(isWrong: Bool) -> String {
    frame.page(
      frame.word("login"), section: "",
      [
        isWrong ? "<p class=bad role=alert>\(frame.text("login-wrong"))</p>" : "",
        """
        <form class=card method=post action="/login"><label>\(frame.text("field-account"))<input name=account autocomplete=username required autofocus></label>
        <label>\(frame.text("field-password"))<input name=password type=password autocomplete=current-password required></label><button>\(frame.text("enter"))</button></form>
        <h2>\(frame.text("login-token"))</h2>
        <form class=card method=post action="/login"><label>\(frame.text("field-token"))<input name=token type=password autocomplete=off required></label><button>\(frame.text("enter"))</button></form>
        <p class=none>\(frame.text("login-help"))</p>
        """,
      ])
  }

  /// The content of the page of one's own account.
  struct Account: Sendable {
    var grant: Grant
    /// The apps that may be chosen.
    var apps: [Access.App]
    var sessions: [SessionEntry]
    /// The id of the session of this request.
    var current: String
    var problem: String?
  }

  func account(_ account: Account) -> String {
    let scopes = account.grant.scopes.map(\.rawValue).sorted().joined(separator: ", ")
    let facts = "<p><b>\(HTML.escaped(account.grant.name))</b> <small>\(HTML.escaped(scopes))</small></p>"
    let leave = "<form method=post action=\"/logout\"><button>\(frame.text("logout"))</button></form>"
    return frame.page(
      frame.word("account"), section: "account",
      [
        account.problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "", facts, leave, choice(account),
        account.grant.person == nil ? "" : password() + sessions(account),
      ])
  }

  private func choice(_ account: Account) -> String {
    guard !account.grant.rights.isEmpty, account.apps.count > 1 else { return "" }
    let all = account.grant.apps == nil ? "<option value=\"\">\(frame.text("all-apps"))</option>" : ""
    let options = account.apps.map { app in
      "<option value=\"\(HTML.escaped(app.key))\"\(app.key == account.grant.app ? " selected" : "")>\(HTML.escaped(app.name))</option>"
    }
    return """
      <h2>\(frame.text("column-app"))</h2><form class=card method=post action="/account/app"><label>\(frame.text("choose-app"))<select name=app>\(all)\(options.joined())</select></label><button>\(frame.text("show"))</button></form>
      """
  }

  private func password() -> String {
    """
    <h2>\(frame.text("change-password"))</h2><form class=card method=post action="/account/password">
    <label>\(frame.text("field-password-old"))<input name=old type=password autocomplete=current-password required></label>
    <label>\(frame.text("field-password-new"))<input name=new type=password autocomplete=new-password minlength=\(Password.least) required></label>
    <button>\(frame.text("change-password"))</button></form>
    """
  }

  private func sessions(_ account: Account) -> String {
    let rows = account.sessions.map { session in
      [
        HTML.escaped(session.agent.isEmpty ? "–" : String(session.agent.prefix(100)))
          + (session.id == account.current ? " <small>\(frame.text("this-session"))</small>" : ""),
        HTML.time(session.created), HTML.time(session.seen),
        """
        <form method=post action="/account/sessions/\(HTML.segment(session.id))/end"><button class=plain>\(frame.text("end-session"))</button></form>
        """,
      ]
    }
    let head = ["browser", "created", "last"].map { frame.word("column-\($0)") } + [""]
    return "<h2>\(frame.text("sessions"))</h2>" + HTML.table(head, rows)
  }
}
