import MPaaSLock
import MPaaSSQLite
import MPaaSSupport

/// Calls that wait on the disk until the network is there, and go out in their order, each once by its key.
///
/// ```swift
/// let queue = try RPCQueue(folder + "/calls.sqlite", client: client)
/// try queue.add(try order.call(cart), key: cart.id)
/// try await queue.run()
/// ```
/// A call is in the file before `add` returns, and leaves it with its answer in one step. Where the program is killed
/// between the server's answer and that step, the call goes out again with the same key, by which the server knows it.
public final class RPCQueue: Sendable {
  /// The most calls that wait.
  public let limit: Int
  /// The file of the queue.
  public let path: String
  let client: RPCClient
  private let table: Lock<Holder>

  private struct Holder: @unchecked Sendable {
    // `@unchecked Sendable`: it is used under the lock alone.
    let table: QueueTable
  }

  /// Opens a queue, or makes it.
  ///
  /// - Parameters:
  ///   - path: The file; its folder is made where it is missing.
  ///   - client: The client that sends the calls.
  ///   - limit: The most calls that wait.
  /// - Throws: `RPCError` `rpc-storage`.
  public init(_ path: String, client: RPCClient, limit: Int = 10_000) throws(RPCError) {
    self.path = path
    self.client = client
    self.limit = limit
    do {
      table = Lock(Holder(table: try QueueTable(path)))
    } catch {
      throw RPCError(storage: error, path)
    }
  }

  /// Puts a call behind all others; one whose key was added before is not added again.
  ///
  /// - Parameters:
  ///   - call: The call; progress of it is not told.
  ///   - key: The key by which the server knows it again.
  /// - Returns: False where the key is known: the call waits, or was answered.
  /// - Throws: `RPCError` `rpc-queue-full`, `rpc-storage`.
  @discardableResult
  public func add(_ call: RPCCall, key: String) throws(RPCError) -> Bool {
    let limit = limit
    let now = client.parts.clock.now()
    let outcome = try inTable { try $0.add(call, key: key, at: now, limit: limit) }
    guard let outcome else { throw RPCError(.queueFull, ["limit": String(limit)]) }
    return outcome
  }

  /// The calls that wait, in their order.
  public func waiting() throws(RPCError) -> [RPCQueuedCall] { try inTable { try $0.waiting() } }

  /// Takes a call out that waits; false where none has the key.
  @discardableResult
  public func remove(key: String) throws(RPCError) -> Bool { try inTable { try $0.remove(key: key) } }

  func next() throws(RPCError) -> RPCQueuedCall? { try inTable { try $0.next() } }

  func finish(_ call: RPCQueuedCall) throws(RPCError) {
    let now = client.parts.clock.now()
    try inTable { try $0.finish(call.number, key: call.key, at: now) }
  }

  func noteFailure(_ call: RPCQueuedCall, _ error: RPCError) throws(RPCError) {
    try inTable { try $0.noteFailure(call.number, error.code.id) }
  }

  private func inTable<Value: Sendable>(_ body: (QueueTable) throws -> Value) throws(RPCError) -> Value {
    let result = table.withLock { holder -> Result<Value, any Error> in
      do { return .success(try body(holder.table)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw RPCError(storage: error, path)
    }
  }
}

/// A call that waits in a queue.
public struct RPCQueuedCall: Sendable {
  /// The place in the order: later ones have greater numbers.
  public let number: Int64
  /// The key by which the server knows the call again.
  public let key: String
  /// The call.
  public let call: RPCCall
  /// Seconds since 1970 as it was added.
  public let added: Double
  /// The number of runs in which it failed.
  public let failures: Int
  /// The word of the last error; nil for none.
  public let lastError: String?
}
