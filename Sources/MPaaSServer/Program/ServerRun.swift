import Dispatch
import HTTPTypes
import Hummingbird
import Logging
package import MPaaSProtocol
import MPaaSSupport
import NIOCore
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server that runs: made, it listens; `end` closes it.
package final class ServerRun: Sendable {
  package let services: ServerServices
  package let ready: ServerReady
  let routes: [any ServerRoutes]
  private let running: Task<Void, any Error>
  private let tidying: Task<Void, Never>

  /// The name of the server in its answers.
  static let name = "mpaas"

  /// The life of the token that the first start makes, in seconds.
  private static let tokenLifetime = 365.0 * 86_400

  /// Opens the data folder and listens.
  ///
  /// - Parameters:
  ///   - pause: The time between two rounds of tidying; nil where the caller tidies.
  ///   - environment: Has the key of a bucket of blobs.
  ///   - patience: Seconds for which a bucket that is away is waited for.
  ///   - over: Called where another server of the console took this one for dead: it stores nothing any more.
  /// - Throws: `ServerError`, `SQLError`, `FileError`.
  package init(
    _ configuration: ServerConfiguration, now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
    uptime: @escaping @Sendable () -> Double = ServerServices.uptime(), tidyingEvery pause: Duration? = .seconds(5),
    environment: [String: String] = ProcessInfo.processInfo.environment, patience: Double = 30,
    over: @escaping @Sendable () -> Void = {}
  ) async throws {
    let services = try ServerServices(
      configuration, now: now, uptime: uptime, environment: environment, patience: patience)
    self.services = services
    let (routes, router) = RouteList.open(services)
    self.routes = routes
    services.session?.begin(
      follow: { editions in for group in routes { try await group.follow(editions) } }, over: over)
    try await services.access.begin()
    try await services.counts.begin(from: services.store)
    for group in routes { try await StartStep.unlessFull { try await group.begin() } }
    let (host, port) = try Self.address(configuration.listen)
    let (listening, listens) = AsyncStream.makeStream(of: Int?.self)
    let application = Application(
      router: router, server: try ServerChannel.builder(configuration, services.connections, now: now),
      configuration: .init(
        address: .hostname(host, port: port), serverName: Self.name,
        backlog: 1024),
      onServerRunning: { channel in
        let gate = AcceptGate(services.connections, services.counts)
        try? await channel.pipeline.addHandler(gate, position: .first).get()
        listens.yield(channel.localAddress?.port)
        listens.finish()
      }, logger: Logger(label: "mpaas", factory: { _ in SwiftLogNoOpLogHandler() }))
    // Connections are accepted above the priority at which their requests are worked on (`YieldingChannel`).
    let running = Task(priority: .high) {
      defer { listens.finish() }
      try await application.run()
    }
    self.running = running
    var bound: Int?
    for await port in listening { bound = port }
    guard let bound else {
      let reason: String
      if case .failure(let error) = await running.result { reason = "\(error)" } else { reason = "closed" }
      throw ServerError(.cannotListen, ["address": configuration.listen, "reason": reason])
    }
    services.address.listens(host: host, port: bound, isSecure: configuration.certificate != nil)
    for group in routes { group.work() }
    let token = try await Self.firstToken(configuration, services.access)
    let key = try await services.access.allApps().first?.key ?? ""
    ready = Self.ready(services.address.url, key, token)
    tidying = Task {
      while let pause, !Task.isCancelled {
        try? await Task.sleep(for: pause)
        for group in routes { await group.tidy() }
        // A removal that fails now is tried again in the next round.
        try? await services.removals.run()
        await services.removals.tellReleased()
        await services.counts.keep(in: services.store, isShared: services.session != nil)
        services.reserve.keep()
      }
    }
  }

  /// Stops listening, and returns when what was accepted is on the disk.
  package func end() async {
    tidying.cancel()
    running.cancel()
    _ = await running.result
    for group in routes { await group.end() }
    await services.counts.keep(in: services.store)
    await services.removals.tellReleased()
    await services.session?.end()
    await services.store.settle()
  }

  /// Returns when the server has ended by itself.
  package func wait() async throws { try await running.value }

  /// The token that may do everything: made by the first start, and by one that is asked to; nil otherwise.
  private static func firstToken(_ configuration: ServerConfiguration, _ access: Access) async throws -> String? {
    let isFirst = try await access.isFirstStart()
    guard isFirst || configuration.makesToken else { return nil }
    return try await access.issue("start", Set(Scope.allCases), lifetime: tokenLifetime, mayStayInMemory: true).token
  }

  private static func ready(_ url: String, _ key: String, _ token: String?) -> ServerReady {
    let parts = url.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
    let scheme = parts.first.map(String.init) ?? "http:"
    let rest = url.dropFirst(scheme.count + 2)
    return ServerReady(
      url: url, uploads: url + ServerPaths.uploads, crashes: url + ServerPaths.crashes, appKey: key, token: token,
      dsn: "\(scheme)//\(key)@\(rest)/1")
  }

  static func address(_ listen: String) throws -> (host: String, port: Int) {
    guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
      (0...65535).contains(port)
    else { throw ServerError(.configuration, ["reason": "\(listen): HOST:PORT"]) }
    var host = String(listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return (host.isEmpty ? "127.0.0.1" : host, port)
  }
}
