/// The address of a server and its database: `postgres://USER@HOST:PORT/DATABASE?sslmode=require`.
///
/// Source: PostgreSQL 15, 34.1.1.2 "Connection URIs"; libpq reads it.
package struct PostgresAddress: Sendable, Equatable {
  /// The schemes of such addresses.
  package static let schemes = ["postgres://", "postgresql://"]

  let url: String

  /// nil where the scheme is another one.
  init?(_ text: String) {
    guard Self.schemes.contains(where: text.hasPrefix) else { return nil }
    url = text
  }

  /// The address without a password, to be told to people.
  package var shown: String {
    guard let start = Self.schemes.first(where: url.hasPrefix) else { return url }
    var rest = String(url.dropFirst(start.count))
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
      rest.removeSubrange(colon..<at)
    }
    guard let mark = rest.firstIndex(of: "?") else { return start + rest }
    let pairs = rest[rest.index(after: mark)...].split(separator: "&")
    let kept = pairs.filter { !$0.hasPrefix("password=") && !$0.hasPrefix("sslpassword=") }
    return start + rest[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
  }
}
