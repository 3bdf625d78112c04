import MPaaSLock
import MPaaSSQLite
import MPaaSSupport

/// Answers that are kept on the disk, for each user apart, bounded in number and size.
///
/// The file may be removed at any time; one that is damaged is made anew.
public final class RPCCache: Sendable {
  /// The bounds of a cache.
  public struct Limits: Sendable, Hashable {
    /// The most bytes of all contents together.
    public var bytes: Int
    /// The most bytes of one content.
    public var answer: Int
    /// The most answers.
    public var count: Int

    /// Creates bounds.
    public init(bytes: Int = 32 << 20, answer: Int = 2 << 20, count: Int = 10_000) {
      self.bytes = bytes
      self.answer = answer
      self.count = count
    }
  }

  /// The file of the cache.
  public let path: String
  /// The bounds of the cache.
  public let limits: Limits
  // SQLite's connection is for one thread at a time.
  private let table: Lock<Holder>

  private struct Holder: @unchecked Sendable {
    // `@unchecked Sendable`: it is used under the lock alone.
    let table: CacheTable
  }

  /// Opens a cache, or makes it.
  ///
  /// - Parameters:
  ///   - path: The file; its folder is made where it is missing. `:memory:` keeps nothing beyond the process.
  ///   - limits: The bounds of the cache.
  /// - Throws: `RPCError` `rpc-storage`.
  public init(_ path: String, limits: Limits = Limits()) throws(RPCError) {
    self.path = path
    self.limits = limits
    do {
      table = Lock(Holder(table: try CacheTable.open(path)))
    } catch {
      throw RPCError(storage: error, path)
    }
  }

  /// Removes all answers of a user; nil for those that belong to none.
  public func remove(user: String?) {
    table.withLock { try? $0.table.remove(user: user ?? "") }
  }

  /// Removes all answers.
  public func removeAll() {
    table.withLock { try? $0.table.removeAll() }
  }

  /// The number of answers and of the bytes of their contents.
  public var size: (answers: Int, bytes: Int) {
    table.withLock { (try? $0.table.size()) ?? (0, 0) }
  }

  // A cache that cannot be read or written is no reason to fail: the server is asked.

  func answer(_ key: CacheKey, _ headers: [String: String]) -> KeptAnswer? {
    table.withLock { try? $0.table.find(key, headers) }
  }

  func keep(_ answer: KeptAnswer, _ key: CacheKey, _ headers: [String: String], at now: Double) {
    guard answer.body.count <= limits.answer else { return remove(key) }
    let limits = limits
    table.withLock { try? $0.table.put(answer, key, headers, at: now, limits) }
  }

  func remove(_ key: CacheKey) {
    table.withLock { try? $0.table.remove(key) }
  }

  /// Forgets what a change at an address has made old (RFC 9111, 4.4).
  func invalidate(url: String, user: String?) {
    table.withLock { try? $0.table.invalidate(url: url, user: user ?? "") }
  }
}

/// The name of an answer in the cache: who asked where for what.
struct CacheKey: Sendable, Hashable {
  let user: String
  /// The address, and the operation with its arguments where there is one.
  let url: String
  let operation: String
  let data: [UInt8]

  init(_ call: RPCCall, url: String, user: String?) {
    self.user = user ?? ""
    self.url = url
    if case .http(let method, _) = call.form { operation = method } else { operation = call.operationType }
    data = call.data
  }
}

extension RPCError {
  init(storage error: any Error, _ path: String) {
    let values = (error as? any DiagnosticConvertible)?.diagnostic.values
    let reason = values?["reason"] ?? values?["system"] ?? "\(error)"
    self.init(.storage, ["file": path, "reason": reason])
  }
}
