import MPaaSPushServing
import Synchronization

/// The outcomes that come for a campaign, from other threads.
final class CampaignInbox: Sendable {
  private struct State {
    var results: [PushResult] = []
    /// True once no connection takes any more.
    var isOver = false
  }

  private let state = Mutex(State())
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init() { (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  var isOver: Bool { state.withLock { $0.isOver } }

  @Sendable func put(_ result: PushResult) {
    state.withLock { $0.results.append(result) }
    wake.yield()
  }

  func end() {
    state.withLock { $0.isOver = true }
    wake.yield()
  }

  /// Has the one who waits look again.
  func look() { wake.yield() }

  /// Takes what has come.
  func take() -> [PushResult] {
    state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
  }

  /// Waits until something has come, at most for some seconds.
  func wait(_ seconds: Double) async {
    let (wakes, wake) = (wakes, wake)
    let timer = Task {
      do { try await Task.sleep(for: .seconds(max(0.001, seconds))) } catch { return }
      wake.yield()
    }
    for await _ in wakes { break }
    timer.cancel()
  }
}
