import MPaaSLock
import MPaaSSupport
package import MPaaSTransfer

extension RPCTransport {
  /// The transport of the kit's transfers: libcurl, loaded at the first call, with connections that stay open, and HTTP/2
  /// where the server speaks it.
  ///
  /// - Parameters:
  ///   - userAgent: The name of the app for servers.
  ///   - certificates: A file of certificates to trust instead of the system's.
  public static func http(userAgent: String, certificates: String? = nil) -> RPCTransport {
    let clients = PinnedClients(userAgent, certificates)
    return RPCTransport { request throws(RPCError) in
      try await send(request, through: clients.client(request.pins))
    }
  }

  /// A transport over an HTTP client, each call on a thread of its own.
  package static func over(_ client: HTTPClient) -> RPCTransport {
    RPCTransport { request throws(RPCError) in try await send(request, through: client) }
  }

  private static func send(_ request: Request, through client: HTTPClient) async throws(RPCError) -> Response {
    let sink = request.received.map { AnswerSink(limit: request.answerLimit, told: $0) }
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try await PendingReply.answer(to: HTTPCall(request, sink), through: client)
    } catch {
      throw RPCError(error, isTooLarge: sink?.isTooLarge == true, limit: request.answerLimit)
    }
    return Response(status: reply.status, headers: reply.headers, body: sink?.taken ?? reply.body)
  }
}

/// A call on a thread of its own, whose caller does not wait for the thread where its task ends: libcurl looks only once a
/// second whether it should stop.
private final class PendingReply: Sendable {
  typealias Outcome = Result<HTTPReply, HTTPError>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?
  }

  private let state = Lock(State())

  private var isOver: Bool { state.withLock { $0.outcome != nil } }

  static func answer(to call: HTTPCall, through client: HTTPClient) async throws(HTTPError) -> HTTPReply {
    let pending = PendingReply()
    var mine = call
    mine.isCancelled = { pending.isOver }
    let plan = mine
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard pending.wait(continuation) else { return }
        DetachedThread.run {
          do throws(HTTPError) { pending.end(.success(try client.exchange(plan))) } catch {
            pending.end(.failure(error))
          }
        }
      }
    } onCancel: {
      pending.end(.failure(HTTPError(.cancelled, url: call.url)))
    }
    return try outcome.get()
  }

  /// Keeps who waits; false where the call is over already.
  private func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let outcome = state.withLock { state -> Outcome? in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
    return outcome == nil
  }

  /// Ends the call; only the first end counts.
  private func end(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }
}

/// A client for each set of pins, since libcurl's connections belong to one.
private final class PinnedClients: Sendable {
  private let clients = Lock<[[String]: HTTPClient]>([:])
  private let userAgent: String
  private let certificates: String?

  init(_ userAgent: String, _ certificates: String?) {
    self.userAgent = userAgent
    self.certificates = certificates
  }

  func client(_ pins: [String]) -> HTTPClient {
    clients.withLock { clients in
      if let client = clients[pins] { return client }
      var settings = HTTPSettings(certificates: certificates)
      settings.pinned = pins
      let client = HTTPClient.live(userAgent: userAgent, settings: settings)
      clients[pins] = client
      return client
    }
  }
}

/// The content of an answer whose progress is told.
private final class AnswerSink: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isUsed = false
    var isTooLarge = false
  }

  private let state = Lock(State())
  private let limit: Int
  private let told: @Sendable (UInt64, UInt64?) -> Void

  init(limit: Int, told: @escaping @Sendable (UInt64, UInt64?) -> Void) {
    self.limit = limit
    self.told = told
  }

  /// The content; nil where it went past here, as that of a refusal does.
  var taken: [UInt8]? { state.withLock { $0.isUsed ? $0.bytes : nil } }
  var isTooLarge: Bool { state.withLock { $0.isTooLarge } }

  func take(_ headers: [String: String], _ part: UnsafeRawBufferPointer) -> Bool {
    let bytes = [UInt8](part)
    let limit = limit
    let count = state.withLock { state -> Int? in
      state.isUsed = true
      guard state.bytes.count + bytes.count <= limit else {
        state.isTooLarge = true
        return nil
      }
      state.bytes += bytes
      return state.bytes.count
    }
    guard let count else { return false }
    told(UInt64(count), headers["content-length"].flatMap { UInt64($0) })
    return true
  }
}

extension HTTPCall {
  fileprivate init(_ request: RPCTransport.Request, _ sink: AnswerSink?) {
    var limits = HTTPRequest.Limits()
    limits.total = request.timeout
    limits.connect = min(limits.connect, request.timeout)
    limits.stall = nil
    // Where a call ends up is part of what is signed.
    limits.redirects = 0
    let headers = request.headers.map { (name: $0.key, value: $0.value) }
    self.init(
      request.method, request.url, headers: headers, body: request.body.map { [.bytes(Bytes($0))] }, limits: limits)
    answerLimit = request.answerLimit
    // Time is short: even a long body does not wait for a server to say that it may be sent.
    expectation = .milliseconds(1)
    // Calls are sent again by the client, which knows those that may be.
    isSentOnce = true
    if let sent = request.sent {
      let size = UInt64(request.body?.count ?? 0)
      self.sent = { sent(min($0, size), size) }
    }
    if let sink { receive = { _, headers, bytes in sink.take(headers, bytes) } }
  }
}

extension RPCError {
  fileprivate init(_ error: HTTPError, isTooLarge: Bool, limit: Int) {
    let reason = error.reason.isEmpty ? "\(error.code)" : error.reason
    switch error.code {
    case _ where isTooLarge: self.init(.tooLarge, ["limit": String(limit)])
    case .tooLarge(let limit): self.init(.tooLarge, ["limit": String(limit)])
    // libcurl says the same of a server that does not answer as HTTP.
    case .badURL where reason.firstPlace(of: "HTTP/0.9") == nil: self.init(.addressMalformed, ["address": error.url])
    case .notTrusted: self.init(.notTrusted, ["reason": reason])
    case .timedOut: self.init(.timedOut)
    case .cancelled: self.init(.cancelled)
    default: self.init(.unreachable, ["reason": reason])
    }
  }
}
