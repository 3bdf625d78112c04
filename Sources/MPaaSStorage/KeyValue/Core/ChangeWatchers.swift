/// A change of a key, by this store or by another process.
public struct KeyValueChange: Sendable, Equatable {
  /// The business that the key belongs to.
  public let business: String
  /// The key.
  public let key: String
  /// True where the key has no value any more.
  public let isRemoval: Bool
}

/// Those who wait for changes.
struct ChangeWatchers {
  private struct Watcher {
    let business: String?
    let key: String?
    let continuation: AsyncStream<KeyValueChange>.Continuation
  }

  private var all: [Int: Watcher] = [:]
  private var next = 0

  var isEmpty: Bool { all.isEmpty }

  mutating func add(
    _ business: String?, _ key: String?, _ continuation: AsyncStream<KeyValueChange>.Continuation
  ) -> Int {
    next += 1
    all[next] = Watcher(business: business, key: key, continuation: continuation)
    return next
  }

  mutating func remove(_ number: Int) { all[number] = nil }

  /// Tells of a record; it only puts it into queues.
  func tell(_ fields: RecordFields) {
    let change = KeyValueChange(
      business: String(decoding: fields.business, as: UTF8.self), key: String(decoding: fields.key, as: UTF8.self),
      isRemoval: fields.flags.isDeletion)
    for watcher in all.values
    where watcher.business ?? change.business == change.business && watcher.key ?? change.key == change.key {
      watcher.continuation.yield(change)
    }
  }

  func finish() { for watcher in all.values { watcher.continuation.finish() } }
}
