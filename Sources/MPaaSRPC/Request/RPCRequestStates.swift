import MPaaSLock

extension RPCClient {
  /// Sends a request, and tells its states as they come; the sequence ends with the last one.
  ///
  /// Leaving the loop, or the end of its task, cancels the request. States that are not read yet wait; none is left out.
  ///
  /// - Parameters:
  ///   - request: The request that is sent.
  ///   - requests: The group that `cancelRequests` can end; nil for none.
  public func states(of request: RPCRequest, in requests: RPCRequests? = nil) -> AsyncStream<RPCRequestState> {
    let (stream, continuation) = AsyncStream.makeStream(of: RPCRequestState.self)
    let progress = RequestProgress(continuation)
    let task = Task {
      progress.tell(.sending)
      do throws(RPCError) {
        var call = try request.call()
        call.sent = { progress.sent($0, $1) }
        call.received = { progress.received($0, $1) }
        progress.tell(.succeeded(try await self.send(call)))
      } catch {
        progress.tell(error.code == .cancelled ? .cancelled : .failed(error))
      }
      continuation.finish()
    }
    let number = requests?.add(task)
    continuation.onTermination = { _ in
      task.cancel()
      if let number { requests?.remove(number) }
    }
    return stream
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Throws: `RPCError`, of whatever kind.
  public func send(_ request: RPCRequest) async throws(RPCError) -> RPCResponse {
    try await send(try request.call())
  }
}

/// The requests of a page or a controller, which end together: Bee's `cancelRequests`.
public final class RPCRequests: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var lastNumber = 0
  }

  private let state = Lock(State())

  /// Makes a group without requests.
  public init() {}

  /// Cancels all requests of the group that are under way.
  public func cancelRequests() {
    let tasks = state.withLock { state in
      defer { state.tasks = [:] }
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  /// The number of requests that are under way.
  public var count: Int { state.withLock { $0.tasks.count } }

  func add(_ task: Task<Void, Never>) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.tasks[state.lastNumber] = task
      return state.lastNumber
    }
  }

  func remove(_ number: Int) { state.withLock { $0.tasks[number] = nil } }

  deinit { cancelRequests() }
}

/// The states of one request in an order that makes sense, whatever the transport tells.
private final class RequestProgress: Sendable {
  private struct State {
    var sent: UInt64 = 0
    var isReceiving = false
    var isOver = false
  }

  private let state = Lock(State())
  private let continuation: AsyncStream<RPCRequestState>.Continuation

  init(_ continuation: AsyncStream<RPCRequestState>.Continuation) { self.continuation = continuation }

  func tell(_ new: RPCRequestState) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = new.isFinal
      continuation.yield(new)
    }
  }

  func sent(_ bytes: UInt64, _ total: UInt64) {
    state.withLock { state in
      guard !state.isOver, !state.isReceiving, bytes > state.sent else { return }
      state.sent = bytes
      continuation.yield(.sendProgressed(RPCProgress(bytes: bytes, total: total)))
    }
  }

  func received(_ bytes: UInt64, _ total: UInt64?) {
    state.withLock { state in
      guard !state.isOver else { return }
      if !state.isReceiving { continuation.yield(.receiving) }
      state.isReceiving = true
      continuation.yield(.receiveProgressed(RPCProgress(bytes: bytes, total: total)))
    }
  }
}
