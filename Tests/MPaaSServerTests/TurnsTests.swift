import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Turns") struct TurnsTests {
  private struct Failure: Error {}

  private actor Tally {
    private(set) var now = 0
    private(set) var most = 0
    private(set) var done = 0

    func enter() {
      now += 1
      most = max(most, now)
    }

    func leave() {
      now -= 1
      done += 1
    }
  }

  @Test("go to a few at once, to everybody in the end, and back where somebody fails", .timeLimit(.minutes(10)))
  func all() async throws {
    let turns = Turns(3)
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try? await turns {
            await tally.enter()
            await Task.yield()
            await tally.leave()
            if number % 5 == 0 { throw Failure() }
          }
        }
      }
    }
    #expect(await tally.now == 0)
    #expect(await tally.done == 200)
    #expect((1...3).contains(await tally.most))
    #expect(turns.waiting == 0)
  }
}
