import Synchronization

/// Groups whose reports came without names of functions, and a crash of each.
final class UnnamedGroups: Sendable {
  private static let most = 100
  private let waiting = Mutex<[(group: Int64, crash: Int64)]>([])

  func add(_ group: Int64, crash: Int64) {
    waiting.withLock { if $0.count < Self.most { $0.append((group, crash)) } }
  }

  func take(_ count: Int) -> [(group: Int64, crash: Int64)] {
    waiting.withLock { waiting in
      defer { waiting.removeFirst(min(count, waiting.count)) }
      return Array(waiting.prefix(count))
    }
  }
}
