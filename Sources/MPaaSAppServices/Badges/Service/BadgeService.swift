import MPaaSProtocol
import MPaaSSupport

/// A tree whose badges come from the operator's server (`mpaas serve`), and whose taps are told to it.
///
/// ```swift
/// let badges = BadgeService(
///   server, cacheFolder: caches + "/badges", encrypt: crypt.encrypt, decrypt: crypt.decrypt)
/// users.observe(.badges, by: badges.tree)
/// await badges.tree.refreshAfterLogin("2088001")
/// try await badges.refresh()
/// ```
@MainActor
public final class BadgeService {
  /// The tree that widgets register with.
  public let tree: BadgeTree
  /// The segments that the app says its user is in, at most 50: `vip`, `city-310000`.
  public var segments: [String] = []
  private let server: AppServer

  /// Creates a service whose tree has no badges yet.
  ///
  /// - Parameters:
  ///   - server: The server that is asked and told.
  ///   - cacheFolder: The folder for one file for each user; nil keeps nothing.
  ///   - encrypt: Encrypts what is kept on the device.
  ///   - decrypt: Decrypts what `encrypt` made.
  ///   - report: Hears of a cache that could not be read or written.
  public init(
    _ server: AppServer, cacheFolder: String? = nil, encrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    decrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    report: @escaping @Sendable (AppServiceError) -> Void = { _ in }
  ) {
    self.server = server
    var configuration = BadgeServiceConfiguration(encrypt: encrypt, decrypt: decrypt, report: report) { _ in false }
    configuration.acknowledgeTaps = { taps in await Self.acknowledge(taps, at: server) }
    tree = BadgeTree(configuration, cacheFolder: cacheFolder)
  }

  /// Asks the server for the badges of the present user: for what changed since the last time, or for all.
  ///
  /// Taps that the server does not know of are told first.
  ///
  /// - Returns: Whether badges were taken; they are not where no user is signed in, or another one meanwhile.
  /// - Throws: `AppServiceError` where the server cannot be asked; the tree stays as it is.
  @discardableResult
  public func refresh() async throws(AppServiceError) -> Bool {
    let ticket = tree.ticket
    guard let user = ticket.userID else { return false }
    tree.deliver()
    await tree.settle()
    guard ticket == tree.ticket else { return false }
    let update: BadgeUpdate = try await server.ask("GET", path(user, since: tree.remoteVersion))
    return tree.take(update, for: ticket)
  }

  private func path(_ user: String, since version: String?) -> String {
    let words: [(String, String)] =
      [("user", user)] + (version.map { [("since", $0)] } ?? [])
      + (segments.isEmpty ? [] : [("segments", segments.joined(separator: ","))])
    return ServerPaths.badges + "?" + words.map { $0 + "=" + PercentEncoding.encode($1) }.joined(separator: "&")
  }

  private nonisolated static func acknowledge(_ taps: BadgeTaps, at server: AppServer) async -> Bool {
    guard let user = taps.userID else { return true }
    let told = BadgeAcknowledgement(user: user, widgets: taps.widgetIDs, version: taps.version)
    let answer: [String: Int]? = try? await server.ask("POST", ServerPaths.badges + "/ack", json: told)
    return answer != nil
  }
}
