package import MPaaSSupport
import MPaaSToolSupport
import Synchronization

/// The reason why no index came of a look-up.
package enum IndexBuildError: Error, Sendable, Equatable {
  case cancelled
  /// More than 4 GB of names or code, or more than a file of this size has a use for.
  case tooLarge
  /// Something that the debug information points to is not there; another time it may be.
  case incomplete
}

/// Makes index files: parts on as many threads as there are processors, joined in their order.
package struct IndexBuilder: Sendable {
  /// The size of an address in the index.
  package let addressSize: Int
  package let hasDebugInfo: Bool
  package let files: [IndexedFile]
  /// Told how much of the work is done, in bytes; false gives up.
  package let progress: @Sendable (_ done: Int, _ total: Int) -> Bool
  /// Bytes that an index may always take, however small its source.
  var allowance = 1 << 24

  package init(
    addressSize: Int, hasDebugInfo: Bool, files: [IndexedFile],
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
  ) {
    self.addressSize = addressSize
    self.hasDebugInfo = hasDebugInfo
    self.files = files
    self.progress = progress
  }

  /// The bytes of an index file; the same for the same source, however many threads made it.
  ///
  /// - Parameter evenIncomplete: Whether what a source calls incomplete is better than nothing.
  package func build(_ source: IndexSource, evenIncomplete: Bool = false) throws(IndexBuildError) -> Bytes {
    let parts = try parts(of: source)
    if !evenIncomplete, parts.contains(where: \.isIncomplete) { throw .incomplete }
    source.finish()
    var joined = JoinedIndex()
    for part in parts { try joined.add(part) }
    return try joined.file(self, blocks: try Self.sorted(parts), parts)
  }

  private final class Job: Sendable {
    struct State {
      var parts: [IndexPart?]
      var next = 0
      var done = 0
      var size = 0
      var failure: IndexBuildError?
    }

    let state: Mutex<State>

    init(count: Int) {
      state = Mutex(State(parts: [IndexPart?](repeating: nil, count: count)))
    }
  }

  private func parts(of source: IndexSource) throws(IndexBuildError) -> [IndexPart] {
    let job = Job(count: source.costs.count)
    let total = source.costs.reduce(0, +)
    // Real indexes are a fifth of what they are made of.
    let budget = allowance + 2 * source.size
    Workers.run(Workers.count(limit: source.costs.count)) { _ in
      while let number = Self.next(job) {
        let part = IndexPart(number: number, budget: budget)
        source.write(number, part)
        let done = Self.take(part, number, job, cost: source.costs[number], budget: budget)
        if let done, !progress(done, total) { job.state.withLock { $0.failure = .cancelled } }
      }
    }
    return try job.state.withLock { state throws(IndexBuildError) in
      if let failure = state.failure { throw failure }
      return state.parts.compactMap { $0 }
    }
  }

  private static func next(_ job: Job) -> Int? {
    job.state.withLock { state in
      guard state.failure == nil, state.next < state.parts.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  /// Keeps a part, and says how much is done then; nil where nothing can come of it any more.
  private static func take(_ part: IndexPart, _ number: Int, _ job: Job, cost: Int, budget: Int) -> Int? {
    part.shrink()
    return job.state.withLock { state in
      state.size += part.size
      if part.isTooLarge || state.size > budget { state.failure = state.failure ?? .tooLarge }
      guard state.failure == nil else { return nil }
      state.parts[number] = part
      state.done += cost
      return state.done
    }
  }

  /// A block of one of the parts.
  struct BlockPlace {
    let address: UInt64
    let part: UInt32
    let offset: UInt32
    let size: UInt32
  }

  private static func sorted(_ parts: [IndexPart]) throws(IndexBuildError) -> [BlockPlace] {
    var places: [BlockPlace] = []
    places.reserveCapacity(parts.reduce(0) { $0 + $1.blocks.count })
    for (number, part) in parts.enumerated() {
      for index in part.blocks.indices {
        let start = part.blocks[index].offset
        let end = index + 1 < part.blocks.count ? part.blocks[index + 1].offset : UInt32(clamping: part.rows.count)
        guard end > start else { throw .tooLarge }
        places.append(
          BlockPlace(
            address: part.blocks[index].address, part: UInt32(number), offset: start, size: end - start))
      }
    }
    places.sort { $0.address < $1.address }
    return places
  }
}
