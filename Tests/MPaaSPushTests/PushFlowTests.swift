import Foundation
import MPaaSPush
import MPaaSPushServing
import MPaaSSupport
import Testing

extension DoubleBench {
  /// A flow that leaves refusals, and the outcomes that it tells.
  fileprivate func flow(url: String? = nil) throws -> (PushFlow, Outcomes) {
    let now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    let provider = try APNsProvider([notification], tokens: ProviderTokens(key, now: now), now: now)
    var options = Self.options
    options.leavesRefusals = true
    let sender = PushSender(provider, to: try PushAddress(url ?? double.url), trust: try trust, options: options)
    let outcomes = Outcomes()
    return (sender.flow { outcomes.add($0) }, outcomes)
  }

  fileprivate static func jobs(_ numbers: Range<Int>) -> [PushJob] {
    numbers.map { PushJob(number: $0, token: token($0)) }
  }
}

@Suite("A flow of notifications") struct PushFlowTests {
  @Test("sends what is added while it is connected, over one connection, and ends when it is closed")
  func added() async throws {
    let bench = try await DoubleBench(tokens: 300)
    let (flow, outcomes) = try bench.flow()
    async let running = flow.run()
    for start in stride(from: 0, to: 300, by: 100) {
      flow.add(DoubleBench.jobs(start..<(start + 100)))
      while outcomes.all.count < start + 100 { try await Task.sleep(for: .milliseconds(1)) }
    }
    flow.close()
    #expect(await running == nil)
    #expect(outcomes.accepted == 300)
    #expect(Set(bench.double.records.map(\.connection)) == [1])
    await bench.double.close()
  }

  @Test("gives back what a busy provider has not taken, with the pause that it wants, and all that was not sent")
  func busy() async throws {
    let bench = try await DoubleBench(tokens: 50) {
      $0.behavior.answers = [DoubleBench.token(10): [.serviceUnavailable]]
      ($0.behavior.retryAfter, $0.behavior.streams) = (7, 1)
    }
    let (flow, outcomes) = try bench.flow()
    flow.add(DoubleBench.jobs(0..<50))
    async let running = flow.run()
    while outcomes.all.count < 50 { try await Task.sleep(for: .milliseconds(1)) }
    flow.close()
    _ = await running
    #expect(outcomes.accepted == 10)
    #expect(outcomes.failures.map(\.status) == [503] && outcomes.failures.first?.retryAfter == 7)
    #expect(outcomes.count { $0 == .unsent("Paused") } == 39)
    #expect(outcomes.all.values.allSatisfy { $0.count == 1 })
    await bench.double.close()
  }

  @Test("ends as unsent what it cannot send, also what is added later")
  func unreachable() async throws {
    let bench = try await DoubleBench(tokens: 1)
    let (flow, outcomes) = try bench.flow(url: "https://127.0.0.1:1")
    flow.add(DoubleBench.jobs(0..<5))
    #expect(await flow.run()?.code.id.name == "push-unreachable")
    flow.add(DoubleBench.jobs(5..<9))
    flow.close()
    #expect(outcomes.count { $0 == .unsent("Unreachable") } == 9)
    await bench.double.close()
  }
}
