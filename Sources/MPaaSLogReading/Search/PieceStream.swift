import Dispatch
import MPaaSLogs
import Synchronization

/// A part of a file that can be looked through by itself.
struct LogPiece: Sendable {
  /// Looks at each record that may be wanted and hands it to the sieve.
  let scan: @Sendable (RecordSieve) throws(LogError) -> Void
}

/// The pieces of a file, in its order.
enum LogPieces {
  /// Each can be asked for by its number.
  case indexed(Range<Int>, @Sendable (Int) -> LogPiece)
  /// Only one after another: nil at the end.
  case sequential(() throws -> LogPiece?)
}

/// A lock around what is not made for two threads.
final class SieveLock: Sendable {
  private let mutex = Mutex(())
  func with<Value>(_ body: () -> Value) -> Value {
    mutex.withLock { _ in body() }
  }
}

/// The results of the pieces of a file give, in order, while other threads look at the next ones.
final class PieceStream {
  private let pool: SievePool
  private var upcoming: () throws -> LogPiece?
  private var running: [PieceWork] = []
  private let lookahead: Int
  private var isAlone: Bool

  /// - Parameter threads: How many pieces are looked at while the caller waits; 0 has him look himself.
  init(_ pieces: LogPieces, pool: SievePool, threads: Int) {
    self.pool = pool
    lookahead = threads
    switch pieces {
    case .indexed(let range, let piece):
      var next = range.lowerBound
      upcoming = {
        guard next < range.upperBound else { return nil }
        defer { next += 1 }
        return piece(next)
      }
      isAlone = range.count <= 1 || threads == 0
    case .sequential(let next):
      upcoming = next
      isAlone = threads == 0
    }
  }

  /// The result of the next piece; nil behind the last.
  func next() throws -> SievedPiece? {
    if isAlone { return try upcoming().map(pool.sieve) }
    // A thread more than there are processors, so that none waits while the caller deals with what came.
    while running.count <= lookahead, let piece = try upcoming() {
      let work = PieceWork()
      let pool = pool
      PieceWork.queue.async { work.finish(pool.sieve(piece)) }
      running.append(work)
    }
    guard !running.isEmpty else { return nil }
    return running.removeFirst().wait()
  }

  deinit {
    // Work under way uses files that go with the stream's owner.
    for work in running { _ = work.wait() }
  }
}

/// A piece that another thread looks at.
private final class PieceWork: Sendable {
  // A thread that waits for pieces may be one of those for user-initiated work, of which Linux has one a processor.
  static let queue = DispatchQueue(label: "log.search", qos: .default, attributes: .concurrent)
  private let done = DispatchSemaphore(value: 0)
  private let result = Mutex<SievedPiece?>(nil)

  func finish(_ piece: SievedPiece) {
    result.withLock { $0 = piece }
    done.signal()
  }

  func wait() -> SievedPiece {
    done.wait()
    return result.withLock { $0 } ?? SievedPiece()
  }
}
