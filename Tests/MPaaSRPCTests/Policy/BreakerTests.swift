import MPaaSRPC
import Testing

@Suite("The circuit to a gateway") struct BreakerTests {
  @Test("opens after too many failures, lets one call try after a rest, and closes where that succeeds")
  func cycle() async {
    let clock = ManualClock()
    let server = ServerDouble { _, number throws(RPCError) in number < 6 ? RPCTransport.Response(status: 500) : .ok() }
    let client = server.client(clock: clock.clock) {
      $0.retry = .none
      $0.breaker = RPCBreakerPolicy(failureShare: 0.5, leastCalls: 4, rest: .seconds(5))
    }
    func send() async -> RPCError? {
      await outcome { () throws(RPCError) in try await client.send(RPCCall("shop.order")) }.error
    }
    for _ in 0..<4 { #expect(await send()?.code == .failed) }
    #expect(await send()?.code == .circuitOpen)
    #expect(await send()?.retryAfter == .seconds(5))
    #expect(server.requests.count == 4)
    for _ in 0..<2 {
      clock.advance(.seconds(5))
      #expect(await send()?.code == .failed)
      #expect(await send()?.code == .circuitOpen)
    }
    clock.advance(.seconds(5))
    for _ in 0..<3 { #expect(await send() == nil) }
    #expect(server.requests.count == 9)
  }

  @Test("stays closed for refusals, and is one for each host")
  func hosts() async {
    let server = ServerDouble { request, _ throws(RPCError) in
      RPCTransport.Response(status: request.url.contains("bad") ? 500 : 404)
    }
    let client = server.client { configuration in
      configuration.retry = .none
      configuration.breaker = RPCBreakerPolicy(leastCalls: 3)
    }
    for (host, code) in [("bad", RPCError.Code.circuitOpen), ("good", .refused)] {
      for _ in 0..<3 {
        _ = await outcome { () throws(RPCError) in try await client.send(RPCCall("GET", url: "https://\(host)/")) }
      }
      let last = await outcome { () throws(RPCError) in try await client.send(RPCCall("GET", url: "https://\(host)/")) }
      #expect(last.error?.code == code)
    }
  }
}
