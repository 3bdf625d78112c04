import Synchronization

/// Look-ups in debug information that change over to an index when so many addresses come that making one is worth it.
package final class AdaptiveLookup: FrameLookup {
  private let direct: any FrameLookup
  private let make: @Sendable () -> IndexedLookup?

  private struct State {
    var count = 0
    var index: IndexedLookup?
  }

  private let state = Mutex(State())

  /// As many addresses cost about as much as making the index: measured with programs of 10 to 400 MB.
  static let worthwhile = 100_000

  /// - Parameter make: Makes the index; called once.
  init(_ direct: any FrameLookup, make: @escaping @Sendable () -> IndexedLookup?) {
    self.direct = direct
    self.make = make
  }

  package var hasDebugInfo: Bool { direct.hasDebugInfo }

  package var index: IndexedLookup? { state.withLock { $0.index } }

  package func frames(at address: UInt64) -> [SourceFrame] {
    let index = state.withLock { state in
      state.count += 1
      // Others wait for it.
      if state.count == Self.worthwhile { state.index = make() }
      return state.index
    }
    return index?.frames(at: address) ?? direct.frames(at: address)
  }
}
