import Synchronization

/// Keeps blobs from being removed while rows that will name them are on their way into the database.
///
/// The name of a blob is held from before it is stored until its row is there, or will not be.
final class BlobHolds: Sendable {
  private struct Entry {
    var holders = 0
    var isRemoving = false
    var waiting: [CheckedContinuation<Bool?, Never>] = []

    var isIdle: Bool { holders == 0 && !isRemoving && waiting.isEmpty }
  }

  private let entries = Mutex<[String: Entry]>([:])
  /// Names that were held and are not any more, for other servers to be told.
  private let released = Mutex<Set<String>>([])
  /// Blobs that servers which are gone were removing, and since when that is known.
  private let left = Mutex<[String: (remover: Int64, since: ContinuousClock.Instant)]>([:])

  /// Holds a name; waits while the blob is being removed.
  ///
  /// - Parameter isTold: Tells whether other servers are to learn of its release.
  func hold(_ name: String, isTold: Bool = false) async -> BlobHold {
    _ = await take(name) { entry in
      guard !entry.isRemoving else { return nil }
      entry.holders += 1
      return true
    }
    return BlobHold(name: name) { [self] in
      give(name) { $0.holders -= 1 }
      if isTold { released.withLock { _ = $0.insert(name) } }
    }
  }

  /// The names that were released since the last time.
  func takeReleased() -> Set<String> {
    released.withLock { names in
      defer { names = [] }
      return names
    }
  }

  /// Has names be told later.
  func giveBack(_ names: Set<String>) { released.withLock { $0.formUnion(names) } }

  /// Tells whether what a server was removing that is gone has been seen for a time.
  func isOld(_ name: String, _ remover: Int64, _ time: Duration) -> Bool {
    left.withLock { left in
      let seen = left[name].flatMap { $0.remover == remover ? $0.since : nil } ?? .now
      left[name] = (remover, seen)
      guard ContinuousClock.now - seen >= time else { return false }
      left[name] = nil
      return true
    }
  }

  func isHeld(_ name: String) -> Bool { entries.withLock { $0[name]?.holders ?? 0 > 0 } }

  /// Does `body` where the name is not held; a holder that comes meanwhile waits, and so does another removal.
  func removing(_ name: String, _ body: () async throws -> Void) async throws {
    let isFree = await take(name) { entry in
      if entry.holders > 0 { return false }
      guard !entry.isRemoving else { return nil }
      entry.isRemoving = true
      return true
    }
    guard isFree else { return }
    defer { give(name) { $0.isRemoving = false } }
    try await body()
  }

  /// Waits until `change` gives an answer, and gives it; nil waits for a change of the entry.
  private func take(_ name: String, _ change: (inout Entry) -> Bool?) async -> Bool {
    while true {
      let answer: Bool? = await withCheckedContinuation { continuation in
        let answer = entries.withLock { entries -> Bool? in
          var entry = entries[name] ?? Entry()
          let answer = change(&entry)
          if answer == nil { entry.waiting.append(continuation) }
          entries[name] = entry.isIdle ? nil : entry
          return answer
        }
        if let answer { continuation.resume(returning: answer) }
      }
      if let answer { return answer }
    }
  }

  private func give(_ name: String, _ change: (inout Entry) -> Void) {
    let waiting = entries.withLock { entries in
      guard var entry = entries[name] else { return [CheckedContinuation<Bool?, Never>]() }
      change(&entry)
      let waiting = entry.waiting
      entry.waiting = []
      entries[name] = entry.isIdle ? nil : entry
      return waiting
    }
    // Each looks again.
    for continuation in waiting { continuation.resume(returning: nil) }
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
