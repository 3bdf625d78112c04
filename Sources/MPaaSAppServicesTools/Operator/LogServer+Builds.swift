package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogServer {
  private static func path(_ id: String, _ rest: String = "") -> String {
    "\(ConsolePaths.builds)/\(PercentEncoding.encode(id))\(rest)"
  }

  /// Adds a build, which is read from its file while it is sent.
  ///
  /// - Parameters:
  ///   - size: Bytes of the file.
  ///   - app: The key or the name of the app; nil for the one that the token is for, or the only one.
  ///   - sent: Told often of the bytes that went out.
  package func addBuild(
    _ file: String, size: UInt64, app: String?, sent: (@Sendable (UInt64) -> Void)? = nil
  ) async throws(LogError) -> BuildEntry {
    let query = app.map { "?app=\(PercentEncoding.encode($0))" } ?? ""
    let address = url + ConsolePaths.builds + query
    let name = PercentEncoding.encode(FileSystem.name(of: file))
    var call = HTTPCall(
      "POST", address,
      headers: headers + [
        ("Content-Type", "application/octet-stream"), ("Content-Disposition", "attachment; filename*=UTF-8''\(name)"),
      ],
      body: [.file(path: file, offset: 0, size: size)])
    call.sent = sent
    // The server reads all of it, and stores it, before it answers.
    call.limits.stall = .seconds(600)
    call.limits.slowBytes = 1
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try await client.answer(to: call)
    } catch {
      throw LogError(error)
    }
    guard reply.isSuccess else { throw LogError(refusal: reply, address) }
    guard let build = try? JSONDecoder().decode(BuildEntry.self, from: Data(reply.body)) else {
      throw LogError(.answerMalformed, ["url": address, "reason": reply.reason])
    }
    return build
  }

  /// Builds, the newest first.
  package func builds(app: String?) async throws(LogError) -> [BuildEntry] {
    let query = app.map { "?app=\(PercentEncoding.encode($0))" } ?? ""
    let page: BuildPage = try await ask("GET", ConsolePaths.builds + query)
    return page.builds
  }

  package func build(_ id: String) async throws(LogError) -> BuildEntry { try await ask("GET", Self.path(id)) }

  package func removeBuild(_ id: String) async throws(LogError) { _ = try await ask("DELETE", Self.path(id)) }

  /// Makes a link to install a build by; its address is told this once.
  package func linkBuild(_ id: String, _ wish: BuildLinkWish) async throws(LogError) -> BuildLink {
    try await ask("POST", Self.path(id, "/links"), json: wish)
  }

  package func revokeLink(_ link: String, ofBuild id: String) async throws(LogError) {
    _ = try await ask("DELETE", Self.path(id, "/links/\(PercentEncoding.encode(link))"))
  }
}
