import MPaaSProtocol
import MPaaSTerminal

/// The pages of logging in, and of one's own account.
struct AccountPages: Sendable {
  let frame: PageFrame

  /// The issuer that people may log in by.
  struct Issuer: Sendable {
    /// Its name, where the file about it has one.
    var name: String?
    /// Tells whether it could not be asked the last time.
    var isAway: Bool
  }

  /// - Parameter problem: The reason why a login that was tried was none.
  func login(problem: String? = nil, issuer: Issuer?) -> String {
    frame.page(
      frame.word("login"), section: "",
      [
        problem.map { "<p class=bad role=alert>\(HTML.escaped($0))</p>" } ?? "", issuer.map(entry) ?? "",
        """
        <form class=card method=post action="/login"><label>\(frame.text("field-account"))<input name=account autocomplete=username required autofocus></label>
        <label>\(frame.text("field-password"))<input name=password type=password autocomplete=current-password required></label><button>\(frame.text("enter"))</button></form>
        <h2>\(frame.text("login-token"))</h2>
        <form class=card method=post action="/login"><label>\(frame.text("field-token"))<input name=token type=password autocomplete=off required></label><button>\(frame.text("enter"))</button></form>
        <p class=none>\(frame.text("login-help"))</p>
        """,
      ])
  }

  /// A link, not a form: a form that leads to another site is not sent where pages say to which sites forms may go.
  private func entry(_ issuer: Issuer) -> String {
    let name = issuer.name.map { frame.text("login-issuer", ["name": $0]) } ?? frame.text("login-single")
    let away = issuer.isAway ? "<p class=none>\(frame.text("login-issuer-away"))</p>" : ""
    return "<p><a class=button href=\"/login/oidc\">\(name)</a></p>\(away)"
  }

  /// The page after a login by an issuer, which leads on by itself.
  func entered(_ name: String) -> String {
    frame.page(
      frame.word("login"), section: "",
      [
        "<p>\(frame.text("login-entered", ["name": name]))</p>",
        "<p><a class=button href=\"/\">\(frame.text("login-on"))</a></p>",
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
    /// Tells whether an issuer lets the person in, who has no password.
    var isExternal: Bool
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
        account.grant.person == nil ? "" : (account.isExternal ? "" : password()) + sessions(account),
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
