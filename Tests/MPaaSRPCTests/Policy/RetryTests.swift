import MPaaSLock
import MPaaSRPC
import MPaaSTestSupport
import Testing

@Suite("Further attempts") struct RetryTests {
  private let failing = ServerDouble { _, _ throws(RPCError) in RPCTransport.Response(status: 503) }

  /// Sends a call while the clock goes on with each pause, and returns the pauses.
  private func pauses(_ client: RPCClient, _ call: RPCCall, _ clock: ManualClock) async -> ([TimeSpan], RPCError?) {
    let end = Lock<Result<RPCResponse, RPCError>?>(nil)
    let task = Task {
      let result = await outcome { () throws(RPCError) in try await client.send(call) }
      end.withLock { $0 = result }
    }
    var pauses: [TimeSpan] = []
    while true {
      await eventually { end.withLock { $0 != nil } || !clock.pauses.isEmpty }
      guard let pause = clock.pauses.first else { break }
      pauses.append(pause)
      clock.advance(pause)
      await eventually { end.withLock { $0 != nil } || !clock.pauses.isEmpty }
      if end.withLock({ $0 != nil }) { break }
    }
    await task.value
    return (pauses, end.withLock { $0?.error })
  }

  @Test("come after pauses of any length up to a bound that doubles")
  func jitter() async {
    let clock = ManualClock()
    let draws = Lock([0.0, 0.999, 0.25, 0.5])
    let client = failing.client(clock: clock.clock(chance: { draws.withLock { $0.removeFirst() } })) {
      $0.retry = RPCRetryPolicy(attempts: 5, firstPause: .milliseconds(100), longestPause: .milliseconds(300))
    }
    let (pauses, error) = await pauses(client, .read(), clock)
    #expect(pauses == [.zero, .milliseconds(199.8), .milliseconds(75), .milliseconds(150)])
    #expect(error?.code == .failed)
    #expect(failing.requests.count == 5)
  }

  @Test("are made for calls that read, are idempotent or have a key, and no others")
  func repeatable() async {
    for (effect, key, attempts) in [
      (RPCEffect.reads, nil, 3), (.idempotent, nil, 3), (.changes, "k1", 3), (.changes, nil, 1),
    ] as [(RPCEffect, String?, Int)] {
      let server = ServerDouble { _, _ throws(RPCError) in throw RPCErrorSample.unreachable }
      let client = server.client(clock: .immediate)
      var call = RPCCall("shop.order")
      (call.effect, call.key) = (effect, key)
      _ = await outcome { () throws(RPCError) in try await client.send(call) }
      #expect(server.requests.count == attempts, "\(effect) \(key ?? "-")")
      if key != nil { #expect(server.requests.allSatisfy { $0.headers["Idempotency-Key"] == "\"k1\"" }) }
    }
  }

  @Test("follow no refusal", arguments: [400, 401, 404, 409, 501])
  func refusals(status: Int) async {
    let server = ServerDouble { _, _ throws(RPCError) in RPCTransport.Response(status: status) }
    let client = server.client(clock: .immediate)
    let result = await outcome { () throws(RPCError) in try await client.send(.read()) }
    #expect(server.requests.count == 1)
    #expect(result.error?.response?.status == status)
  }

  @Test("wait as long as Retry-After says, and are not made where that is after the deadline")
  func retryAfter() async {
    let server = ServerDouble { _, number throws(RPCError) in
      number == 0 ? RPCTransport.Response(status: 429, headers: ["retry-after": "2"]) : .ok()
    }
    let clock = ManualClock()
    let client = server.client(clock: clock.clock(chance: { 0 }))
    let (waits, error) = await pauses(client, .read(), clock)
    #expect(waits == [.seconds(2)] && error == nil)

    let late = ServerDouble { _, _ throws(RPCError) in
      RPCTransport.Response(status: 503, headers: ["retry-after": "60"])
    }
    let result = await outcome { () throws(RPCError) in
      try await late.client(clock: ManualClock().clock).send(.read())
    }
    #expect(late.requests.count == 1)
    #expect(result.error?.retryAfter == .seconds(60))
  }

  @Test("are at most one for ten calls, besides those that are saved up")
  func budget() async {
    let server = ServerDouble { _, _ throws(RPCError) in RPCTransport.Response(status: 503) }
    let client = server.client(clock: .immediate, budget: RPCRetryBudget(share: 0.1, reserve: 5)) {
      $0.sharesReads = false
    }
    for _ in 0..<1000 { _ = await outcome { () throws(RPCError) in try await client.send(.read()) } }
    let further = server.requests.count - 1000
    #expect((100...105).contains(further), "\(further)")
  }

  @Test("end with the deadline, which each attempt tells the server")
  func deadline() async {
    let clock = ManualClock()
    let server = ServerDouble { request, _ throws(RPCError) in
      clock.advance(.milliseconds(400))
      return RPCTransport.Response(status: 503)
    }
    let client = server.client(clock: clock.clock(chance: { 0 })) {
      $0.retry = RPCRetryPolicy(attempts: 9)
      $0.timeout = .seconds(1)
    }
    let (_, error) = await pauses(client, .read(), clock)
    #expect(server.requests.map { $0.headers["X-Request-Timeout-Ms"] } == ["1000", "600", "200"])
    #expect(server.requests.map(\.timeout) == [.seconds(1), .milliseconds(600), .milliseconds(200)])
    #expect(error?.code == .failed)
  }

  @Test("end with the task")
  func cancellation() async {
    let clock = ManualClock()
    let client = failing.client(clock: clock.clock)
    let task = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    await eventually { !clock.pauses.isEmpty }
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
  }
}

enum RPCErrorSample {
  /// The error of a server that is not there, as a transport gives it.
  static let unreachable = RPCError(.unreachable, ["reason": "no connection"])
}

extension RPCClock {
  /// A clock whose pauses take no time.
  static let immediate = RPCClock(
    now: RPCClock.system.now, uptime: RPCClock.system.uptime, sleep: { _ in try Task.checkCancellation() },
    chance: { 0.5 })
}
