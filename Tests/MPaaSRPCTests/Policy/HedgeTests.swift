import MPaaSLock
import MPaaSRPC
import Testing

@Suite("A second request beside a slow one") struct HedgeTests {
  private let policy = RPCHedgePolicy(percentile: 0.9, leastSamples: 10, leastDelay: .milliseconds(1))

  /// A client whose operation has been answered ten times, nine times after 10 ms and once after 50 ms.
  private func prepared(
    _ clock: ManualClock, budget: RPCRetryBudget = RPCRetryBudget(),
    _ answer: @escaping @Sendable (Int) async throws(RPCError) -> RPCTransport.Response
  ) async -> (RPCClient, ServerDouble) {
    let server = ServerDouble { _, number throws(RPCError) in
      guard number >= 10 else {
        clock.advance(.milliseconds(number == 3 ? 50 : 10))
        return .ok("\(number)")
      }
      return try await answer(number - 10)
    }
    let client = server.client(clock: clock.clock, budget: budget) {
      $0.hedge = policy
      $0.sharesReads = false
      $0.retry = .none
    }
    for _ in 0..<10 { _ = await outcome { () throws(RPCError) in try await client.send(.read()) } }
    return (client, server)
  }

  @Test("is sent after the percentile, and the first answer counts")
  func second() async {
    let clock = ManualClock()
    let (client, server) = await prepared(clock) { number throws(RPCError) in
      if number == 1 { return .ok("fast") }
      do { try await clock.clock.sleep(.seconds(100)) } catch { throw RPCError(.cancelled) }
      return .ok("slow")
    }
    let task = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    await eventually { clock.pauses.count == 2 }
    #expect(clock.pauses == [.milliseconds(10), .seconds(100)])
    clock.advance(.milliseconds(9))
    #expect(server.requests.count == 11)
    clock.advance(.milliseconds(1))
    #expect(await task.value.text == "fast")
    #expect(server.requests.count == 12)
  }

  @Test("is not sent for a call that may not be repeated, nor before enough is known, nor without budget")
  func none() async {
    let clock = ManualClock()
    let (client, server) = await prepared(clock, budget: RPCRetryBudget(share: 0, reserve: 0)) {
      number throws(RPCError) in
      do { try await clock.clock.sleep(.seconds(1)) } catch { throw RPCError(.cancelled) }
      return .ok("slow")
    }
    for call in [RPCCall("shop.read"), .read("shop.other"), .read()] {
      let before = server.requests.count
      let task = Task { await outcome { () throws(RPCError) in try await client.send(call) } }
      await eventually { !clock.pauses.isEmpty && server.requests.count > before }
      clock.advance(.milliseconds(500))
      clock.advance(.milliseconds(500))
      #expect(await task.value.text == "slow")
      #expect(server.requests.count == before + 1)
    }
  }

  @Test("decides nothing where it fails while the first is under way")
  func failure() async {
    let clock = ManualClock()
    let (client, server) = await prepared(clock) { number throws(RPCError) in
      if number == 1 { throw RPCErrorSample.unreachable }
      do { try await clock.clock.sleep(.milliseconds(30)) } catch { throw RPCError(.cancelled) }
      return .ok("first")
    }
    let task = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    await eventually { clock.pauses.count == 2 }
    clock.advance(.milliseconds(10))
    await eventually { server.requests.count == 12 }
    clock.advance(.milliseconds(20))
    #expect(await task.value.text == "first")
  }
}
