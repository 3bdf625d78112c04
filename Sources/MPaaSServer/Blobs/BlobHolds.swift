import Synchronization

/// Keeps blobs from being removed while rows that will name them are on their way into the database.
///
/// Whoever stores a blob holds its name from before until its row is there, or will not be; who removes one waits for
/// that, and then sees the row.
final class BlobHolds: Sendable {
  private struct Entry {
    var holders = 0
    var isRemoving = false
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Holds a name; waits while the blob is being removed.
  func hold(_ name: String) async -> BlobHold {
    await take(name) { entry in
      guard !entry.isRemoving else { return false }
      entry.holders += 1
      return true
    }
    return BlobHold(name: name) { [self] in give(name) { $0.holders -= 1 } }
  }

  /// Does `body` while the name is not held; who would hold it waits.
  func removing(_ name: String, _ body: () async throws -> Void) async throws {
    await take(name) { entry in
      guard entry.holders == 0, !entry.isRemoving else { return false }
      entry.isRemoving = true
      return true
    }
    defer { give(name) { $0.isRemoving = false } }
    try await body()
  }

  private func take(_ name: String, _ change: (inout Entry) -> Bool) async {
    var isTaken = false
    while !isTaken {
      isTaken = await withCheckedContinuation { continuation in
        let isFree = entries.withLock { entries in
          var entry = entries[name] ?? Entry()
          let isFree = change(&entry)
          if !isFree { entry.waiting.append(continuation) }
          entries[name] = entry
          return isFree
        }
        if isFree { continuation.resume(returning: true) }
      }
    }
  }

  private func give(_ name: String, _ change: (inout Entry) -> Void) {
    let waiting = entries.withLock { entries in
      guard var entry = entries[name] else { return [CheckedContinuation<Bool, Never>]() }
      change(&entry)
      let waiting = entry.waiting
      entry.waiting = []
      entries[name] = entry.holders == 0 && !entry.isRemoving ? nil : entry
      return waiting
    }
    // Each looks again.
    for continuation in waiting { continuation.resume(returning: false) }
  }
}

/// A blob that is not removed until this is released, at the latest when it goes.
final class BlobHold: Sendable {
  /// The blob's SHA-256 in hexadecimal.
  let name: String
  private let give: Mutex<(@Sendable () -> Void)?>

  init(name: String, _ give: @escaping @Sendable () -> Void) {
    self.name = name
    self.give = Mutex(give)
  }

  /// Says that the row is there, or will not be.
  func release() {
    let give = self.give.withLock { $0.take() }
    give?()
  }

  deinit { release() }
}
