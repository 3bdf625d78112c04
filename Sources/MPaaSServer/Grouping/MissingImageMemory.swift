import Synchronization

/// The memory of what images issues are known to lack, so that most crashes write nothing of it again.
///
/// It keeps what issues lacked until symbols came, too: their next crash does not say so again.
final class MissingImageMemory: Sendable {
  private static let most = 100_000
  private let known = Mutex<Set<Int>>([])

  static func digest(_ app: String, _ group: String, _ build: String) -> Int {
    var hasher = Hasher()
    hasher.combine(app)
    hasher.combine(group)
    hasher.combine(build)
    return hasher.finalize()
  }

  func isKnown(_ digest: Int) -> Bool { known.withLock { $0.contains(digest) } }

  /// Remembers what is in the database now.
  func learn(_ digests: [Int]) {
    if digests.isEmpty { return }
    known.withLock { known in
      if known.count > Self.most { known = [] }
      known.formUnion(digests)
    }
  }

  /// Forgets all, where issues are removed.
  func forget() { known.withLock { $0 = [] } }
}
