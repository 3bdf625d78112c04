import MPaaSTransfer
import Synchronization

/// The progress of each archive, and of all of them.
final class ArchiveMeter: Sendable {
  private struct State {
    var received: [UInt64]
    var owners: [Int32?]
    var total: UInt64 = 0
    /// The times when bytes came, and their counts; of the last seconds.
    var samples: [(time: ContinuousClock.Instant, bytes: UInt64)] = []
    var fetched: UInt64 = 0
  }

  private let blobs: [ModuleBlob]
  private let size: UInt64
  private let tell: @Sendable (ArchiveProgress) -> Void
  private let state: Mutex<State>

  init(_ blobs: [ModuleBlob], _ tell: @escaping @Sendable (ArchiveProgress) -> Void) {
    self.blobs = blobs
    self.tell = tell
    size = blobs.reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
    state = Mutex(
      State(received: Array(repeating: 0, count: blobs.count), owners: Array(repeating: -1, count: blobs.count)))
  }

  /// Says who is waited for, once for each owner.
  func waiting(_ index: Int, owner: Int32?) {
    let isNew = state.withLock { state in
      defer { state.owners[index] = owner }
      return state.owners[index] != owner
    }
    if isNew { report(index, .waiting(owner: owner)) }
  }

  /// Bytes of the archive that are here; `counts` where they came just now.
  func received(_ index: Int, _ bytes: UInt64, counts: Bool) {
    note(index, bytes, counts: counts)
    report(index, .receiving)
  }

  func retrying(_ index: Int, _ error: ModuleError, after pause: TimeSpan) {
    report(index, .retrying(error, after: pause))
  }

  func failed(_ index: Int) { report(index, .failed) }

  func finished(_ index: Int, isNew: Bool) {
    for same in blobs.indices where blobs[same].sha256 == blobs[index].sha256 {
      note(same, blobs[same].size, counts: isNew && same == index)
      report(same, .done(isNew: isNew))
    }
  }

  private func note(_ index: Int, _ bytes: UInt64, counts: Bool) {
    state.withLock { state in
      let before = state.received[index]
      state.received[index] = bytes
      state.total = state.total &- before &+ bytes
      if counts, bytes > before { state.fetched &+= bytes - before }
    }
  }

  private func report(_ index: Int, _ step: ArchiveProgress.Step) {
    let now = ContinuousClock.now
    let (received, total, rate) = state.withLock { state in
      state.samples.removeAll { now - $0.time > .seconds(5) }
      if state.samples.count < 64 { state.samples.append((now, state.fetched)) }
      return (state.received[index], state.total, Self.rate(state.samples, now, state.fetched))
    }
    tell(
      ArchiveProgress(
        index: index, name: blobs[index].name, step: step, received: received, size: blobs[index].size,
        totalReceived: total, totalSize: size, rate: rate))
  }

  private static func rate(
    _ samples: [(time: ContinuousClock.Instant, bytes: UInt64)], _ now: ContinuousClock.Instant, _ bytes: UInt64
  ) -> UInt64 {
    guard let first = samples.first, bytes > first.bytes else { return 0 }
    let elapsed = (now - first.time).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    return seconds > 0.001 ? UInt64(Double(bytes - first.bytes) / seconds) : 0
  }
}
