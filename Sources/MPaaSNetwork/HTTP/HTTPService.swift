import NIOCore
import NIOSSL
import Synchronization

/// The facts of a request when its reply has ended.
struct HTTPRequestRecord: Sendable {
  var method: String
  var target: String
  /// 0 where no reply came.
  var status: Int
  var duration: TimeAmount
  var toxics: [String]
  var isCut: Bool
  /// `1.1` or `2`.
  var version: String
  var connection: UInt64
}

/// The state that the connections of an HTTP proxy share: its conditions on requests, the way to the upstream, who is
/// told.
final class HTTPService: Sendable {
  let name: String
  let events: EventHub
  let holding: Int
  private let dialer: Dialer
  private let upstream: String
  private let tls: UpstreamTLS?
  private let conditions: Mutex<RequestConditions>
  private let hasConditions: Atomic<Bool>

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    let address = try NetworkAddress(definition.upstream)
    name = definition.name
    events = environment.events
    holding = environment.holding
    dialer = Dialer(address)
    upstream = definition.upstream
    tls = try definition.tls.flatMap { tls throws(NetworkError) in
      tls.toUpstream ? try UpstreamTLS(tls, host: address.host) : nil
    }
    let requests = RequestConditions(seed: conditions.seed, conditions.toxics)
    hasConditions = Atomic(!requests.isEmpty)
    self.conditions = Mutex(requests)
  }

  var hasSecureUpstream: Bool { tls != nil }

  func apply(_ new: ProxyConditions) {
    conditions.withLock { conditions in
      conditions.change(to: new.toxics)
      hasConditions.store(!conditions.isEmpty, ordering: .releasing)
    }
  }

  func plan(method: String, target: String, connection: UInt64) -> RequestPlan {
    guard hasConditions.load(ordering: .acquiring) else { return RequestPlan() }
    return conditions.withLock { $0.plan(method: method, target: target, connection: connection) }
  }

  // MARK: The upstream

  /// Connects to the upstream.
  ///
  /// - Parameters:
  ///   - protocols: What the connection may speak, the dearest first, for the greeting of TLS.
  ///   - initializer: Gets the channel, and the protocol that the upstream chose by TLS, before a byte is read.
  func connect(
    on loop: any EventLoop, protocols: [String],
    initializer: @escaping @Sendable (any Channel, _ chosen: String?) throws -> Void
  ) -> EventLoopFuture<any Channel> {
    guard let tls else {
      return dialer.dial(on: loop) { channel in
        channel.eventLoop.makeCompletedFuture { try initializer(channel, nil) }
      }
    }
    let isReady = loop.makePromise(of: Void.self)
    return dialer.dial(on: loop) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(tls.handler(protocols))
        try channel.pipeline.syncOperations.addHandler(
          HandshakeHandler(isReady) { chosen in try initializer(channel, chosen) })
      }
    }.flatMap { channel in isReady.futureResult.map { channel } }.flatMapErrorThrowing { error in
      // The promise must not be left, should there have been no channel at all.
      isReady.fail(error)
      throw error
    }
  }

  /// The answer to a client about an upstream that cannot be had.
  func refusal(of error: any Error) -> HTTPRefusal {
    let what = error is NIOSSLError || error is BoringSSLError ? "TLS failed: \(error)" : error.reason
    events.note(.connectionFailed, name, ["upstream": upstream, "reason": what])
    return HTTPRefusal(502, "The upstream \(upstream) cannot be reached: \(what).")
  }

  // MARK: Who is told

  func refused(_ refusal: HTTPRefusal) {
    events.note(.connectionFailed, name, ["status": "\(refusal.status)", "reason": refusal.reason])
  }

  func ended(_ record: HTTPRequestRecord) {
    events.note(.request, name, record.details)
  }
}

extension HTTPRequestRecord {
  var details: [String: String] {
    var details = [
      "method": method, "path": target, "status": "\(status)", "version": version, "connection": "\(connection)",
      "milliseconds": "\(Double(duration.nanoseconds / 1000) / 1000)",
    ]
    if !toxics.isEmpty { details["toxics"] = toxics.joined(separator: " ") }
    if isCut { details["cut"] = "true" }
    return details
  }
}
