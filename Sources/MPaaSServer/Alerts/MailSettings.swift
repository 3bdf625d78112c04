import MPaaSProtocol
import MPaaSSupport
import MPaaSTransferTools

/// The server that mail goes out by, read from a file at the start: `url`, `from`, `user`, `password_file`, `ca`,
/// `plain`.
struct MailSettings: Sendable {
  let server: MailServer
  /// The address of the sender.
  let from: String

  /// - Throws: `server-mail` with the member that cannot be used.
  init(_ file: String) throws(ServerError) {
    func wrong(_ reason: String) -> ServerError { ServerError(.mailSettings, ["path": file, "reason": reason]) }
    let members: JSONValue.Object
    do {
      let bytes = try Bytes.reading(file, limit: 64 << 10)
      members = try withExtendedLifetime(bytes) { try JSONValue(reading: bytes.buffer, by: .exact) }.object ?? [:]
    } catch {
      throw wrong((error as? any DiagnosticConvertible)?.diagnostic.id.name ?? "JSON")
    }
    let known: Set<String> = ["url", "from", "user", "password_file", "ca", "plain"]
    if let other = members.first(where: { !known.contains($0.key) }) { throw wrong(other.key) }
    guard let url = members["url"]?.string, url.hasPrefix("smtp://") || url.hasPrefix("smtps://") else {
      throw wrong("url")
    }
    guard let from = members["from"]?.string, MailAddress.isOne(from) else { throw wrong("from") }
    var server = MailServer(url)
    server.user = members["user"]?.string
    server.allowsPlain = members["plain"]?.bool ?? false
    let folder = FileSystem.folder(of: file)
    func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    server.certificates = members["ca"]?.string.map(path)
    if let name = members["password_file"]?.string {
      guard let bytes = try? Bytes.reading(path(name), limit: 4096) else { throw wrong("password_file") }
      server.password = String(bytes.text.prefix { !$0.isNewline })
    }
    (self.server, self.from) = (server, from)
  }
}
