package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport

extension LogServer {
  private static func path(_ base: String, _ id: String, _ rest: String = "") -> String {
    base + "/" + PercentEncoding.encode(id) + rest
  }

  // MARK: - Tokens

  /// Makes a token, which is told this once.
  package func createToken(_ wish: TokenWish) async throws(LogError) -> TokenMade {
    try await ask("POST", ConsolePaths.tokens, json: wish)
  }

  /// Tokens, the newest first.
  package func tokens() async throws(LogError) -> [TokenEntry] {
    let page: TokenPage = try await ask("GET", ConsolePaths.tokens)
    return page.tokens
  }

  /// Ends a token.
  package func revokeToken(_ id: String) async throws(LogError) {
    _ = try await ask("DELETE", Self.path(ConsolePaths.tokens, id))
  }

  /// Puts another token in the place of one.
  package func rotateToken(_ id: String, _ wish: TokenRotation) async throws(LogError) -> TokenMade {
    try await ask("POST", Self.path(ConsolePaths.tokens, id, "/rotate"), json: wish)
  }

  // MARK: - People

  package func createPerson(_ wish: PersonWish) async throws(LogError) -> PersonEntry {
    try await ask("POST", ConsolePaths.people, json: wish)
  }

  package func people() async throws(LogError) -> [PersonEntry] {
    let page: PeoplePage = try await ask("GET", ConsolePaths.people)
    return page.people
  }

  /// Changes an account, which is named by its id or its name.
  package func changePerson(_ word: String, _ wish: PersonWish) async throws(LogError) -> PersonEntry {
    try await ask("PATCH", Self.path(ConsolePaths.people, word), json: wish)
  }

  package func createTeam(_ wish: TeamWish) async throws(LogError) -> TeamEntry {
    try await ask("POST", ConsolePaths.teams, json: wish)
  }

  package func teams() async throws(LogError) -> [TeamEntry] {
    let page: TeamPage = try await ask("GET", ConsolePaths.teams)
    return page.teams
  }

  /// Changes a team, which is named by its id or its name.
  package func changeTeam(_ word: String, _ wish: TeamWish) async throws(LogError) -> TeamEntry {
    try await ask("PATCH", Self.path(ConsolePaths.teams, word), json: wish)
  }

  package func removeTeam(_ word: String) async throws(LogError) {
    _ = try await ask("DELETE", Self.path(ConsolePaths.teams, word))
  }

  package func sessions() async throws(LogError) -> [SessionEntry] {
    let page: SessionPage = try await ask("GET", ConsolePaths.sessions)
    return page.sessions
  }

  package func endSession(_ id: String) async throws(LogError) {
    _ = try await ask("DELETE", Self.path(ConsolePaths.sessions, id))
  }

  /// Entries of the audit log behind a number, the oldest first.
  package func audit(after number: Int64) async throws(LogError) -> AuditPage {
    try await ask("GET", ConsolePaths.audit + "?limit=1000&after=\(number)")
  }

  // MARK: - Alerts

  package func createAlert(_ wish: AlertWish) async throws(LogError) -> AlertEntry {
    try await ask("POST", ConsolePaths.alerts, json: wish)
  }

  package func alerts() async throws(LogError) -> [AlertEntry] {
    let page: AlertPage = try await ask("GET", ConsolePaths.alerts)
    return page.alerts
  }

  package func removeAlert(_ id: String) async throws(LogError) {
    _ = try await ask("DELETE", Self.path(ConsolePaths.alerts, id))
  }

  /// Has each receiver of an alert get a message that says that it is a test.
  package func testAlert(_ id: String) async throws(LogError) {
    _ = try await ask("POST", Self.path(ConsolePaths.alerts, id, "/test"))
  }

  /// Messages of an alert on their way, the newest first.
  package func deliveries(ofAlert id: String) async throws(LogError) -> [AlertDelivery] {
    let page: AlertDeliveryPage = try await ask("GET", Self.path(ConsolePaths.alerts, id, "/deliveries"))
    return page.deliveries
  }
}
