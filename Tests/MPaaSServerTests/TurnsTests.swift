import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Turns") struct TurnsTests {
  private struct Failure: Error {}

  @Test("go to a few at once, to everybody in the end, and back where somebody fails", .timeLimit(.minutes(1)))
  func all() async throws {
    let turns = Turns(3)
    let state = Mutex((now: 0, most: 0, done: 0))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try? await turns {
            state.withLock { state in
              state.now += 1
              state.most = max(state.most, state.now)
            }
            await Task.yield()
            state.withLock { state in
              state.now -= 1
              state.done += 1
            }
            if number % 5 == 0 { throw Failure() }
          }
        }
      }
    }
    let (now, most, done) = state.withLock { $0 }
    #expect(now == 0 && done == 200 && (1...3).contains(most))
    #expect(turns.waiting == 0)
  }
}
