import MPaaSLock
import MPaaSRPC
import Testing

@Suite("Equal reads under way") struct SharedReadTests {
  /// A server that answers when a test says so.
  private func held(_ gate: ManualClock) -> ServerDouble {
    ServerDouble { _, number throws(RPCError) in
      do { try await gate.clock.sleep(.seconds(1)) } catch { throw RPCError(.cancelled) }
      return .ok("\(number)")
    }
  }

  @Test("are one, and others are not")
  func one() async {
    let gate = ManualClock()
    let server = held(gate)
    let client = server.client()
    let equal = (0..<5).map { _ in Task { try await client.send(RPCCall.read()) } }
    var differing = RPCCall.read()
    differing.headers["X"] = "1"
    let calls = [RPCCall.read("shop.other"), RPCCall("shop.read"), differing]
    let others = calls.map { call in Task { try await client.send(call) } }
    await eventually { gate.pauses.count == 4 }
    for _ in 0..<200 { await Task.yield() }
    gate.advance(.seconds(1))
    var sources: [String: Int] = [:]
    for task in equal {
      if let response = try? await task.value { sources[response.source.rawValue, default: 0] += 1 }
    }
    for task in others { #expect((try? await task.value)?.source == .network) }
    #expect(server.requests.count == 4)
    #expect(sources == ["network": 1, "shared": 4])
  }

  @Test("go on while one caller still waits, and end with the last")
  func cancellation() async {
    let gate = ManualClock()
    let server = held(gate)
    let client = server.client()
    let first = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    await eventually { gate.pauses.count == 1 }
    let second = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    for _ in 0..<500 { await Task.yield() }
    first.cancel()
    #expect(await first.value.error?.code == .cancelled)
    #expect(gate.pauses.count == 1)
    gate.advance(.seconds(1))
    #expect(await second.value.text == "0")

    let last = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    await eventually { gate.pauses.count == 1 }
    last.cancel()
    #expect(await last.value.error?.code == .cancelled)
    await eventually { gate.pauses.isEmpty }
    #expect(gate.pauses.isEmpty)
  }

  @Test("do not take another's time-out for their own")
  func timeout() async {
    let gate = ManualClock()
    let server = ServerDouble { request, number throws(RPCError) in
      do { try await gate.clock.sleep(.seconds(1)) } catch { throw RPCError(.cancelled) }
      guard number > 0 else { throw RPCError(.timedOut) }
      return .ok("\(number)")
    }
    let client = server.client { $0.retry = .none }
    var hasty = RPCCall.read()
    hasty.timeout = .seconds(5)
    let call = hasty
    let first = Task { await outcome { () throws(RPCError) in try await client.send(call) } }
    await eventually { gate.pauses.count == 1 }
    let second = Task { await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) } }
    for _ in 0..<500 { await Task.yield() }
    gate.advance(.seconds(1))
    #expect(await first.value.error?.code == .timedOut)
    await eventually { gate.pauses.count == 1 }
    gate.advance(.seconds(1))
    #expect(await second.value.text == "1")
  }

  @Test("a batch keeps the order of its calls, and one that fails takes no other along")
  func batch() async throws {
    let most = Lock((now: 0, most: 0))
    let server = ServerDouble { request, _ throws(RPCError) in
      most.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      for _ in 0..<20 { await Task.yield() }
      most.withLock { $0.now -= 1 }
      if request.body == Array("[7]".utf8) { return RPCTransport.Response(status: 400) }
      return RPCTransport.Response(status: 200, body: request.body ?? [])
    }
    let client = server.client()
    let method = RPCMethod<[Int]>("shop.order")
    var calls: [RPCCall] = []
    for number in 0..<30 { calls.append(try method.call(number)) }
    let outcomes = await client.sendAll(calls, width: 4)
    #expect(outcomes.map(\.text) == (0..<30).map { $0 == 7 ? nil : "[\($0)]" })
    #expect(most.withLock { $0.most } <= 4)
    #expect(try await client.callAll(method, [[1], [2]]) == [[1], [2]])
  }
}
