import NIOCore
import Testing

@testable import MPaaSNetwork

@Suite("Memory that many proxies want to give back") struct MemoryReturnTests {
  @Test("goes back once a second at most, and once more after the last wish")
  func pace() {
    var pace = MemoryReturn()
    let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
    var done: [Int64] = []
    var due: NIODeadline?
    // A wish every 10 ms for ten seconds, and none after them.
    for time in stride(from: Int64(0), to: 20_000, by: 10) {
      let now = start + .milliseconds(time)
      if let planned = due, planned <= now {
        pace.begin(at: now)
        done.append(time)
        due = nil
      }
      guard time <= 10_000 else { continue }
      switch pace.ask(at: now) {
      case .now: done.append(time)
      case .later(let deadline): due = deadline
      case .planned: #expect(due != nil)
      }
    }
    #expect(zip(done, done.dropFirst()).allSatisfy { $1 - $0 >= 1000 })
    #expect((10...12).contains(done.count))
    #expect((done.last ?? 0) >= 10_000)
  }

  @Test("is not kept for ever where the loop that planned it has ended")
  func ended() {
    var pace = MemoryReturn()
    let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
    var answers: [MemoryReturn.Answer] = []
    for time: Int64 in [0, 1, 1500, 2001] { answers.append(pace.ask(at: start + .milliseconds(time))) }
    #expect(answers == [.now, .later(start + .seconds(1)), .planned, .now])
  }
}
