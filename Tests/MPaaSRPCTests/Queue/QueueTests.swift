import MPaaSLock
import MPaaSTestSupport
import Testing

@testable import MPaaSRPC

@Suite("Calls that wait on the disk") struct QueueTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/q/calls.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  @Test("go out in their order, each once by its key, with all that belongs to them")
  func order() async throws {
    let server = ServerDouble { _, _ throws(RPCError) in .ok() }
    let queue = try RPCQueue(path, client: server.client(clock: .immediate))
    let method = RPCMethod<Int>("shop.order", checkLogin: false, signCheck: false)
    for number in [3, 1, 2] {
      var call = try method.call(number)
      call.headers["X-Number"] = String(number)
      call.gateway = "https://other.example.com/"
      call.timeout = .seconds(number)
      #expect(try queue.add(call, key: "k\(number)"))
      #expect(try !queue.add(call, key: "k\(number)"))
    }
    try queue.add(RPCCall("PUT", url: "https://api.example.com/a", body: [0, 255], contentType: "x/y"), key: "k4")
    #expect(try queue.waiting().map(\.key) == ["k3", "k1", "k2", "k4"])
    // Another owner of the file, as after a start.
    let again = try RPCQueue(path, client: server.client(clock: .immediate))
    let summary = try await again.run()
    #expect(summary.sent == 4 && summary.isEmpty)
    #expect(server.requests.map { $0.headers["Idempotency-Key"] } == ["\"k3\"", "\"k1\"", "\"k2\"", "\"k4\""])
    #expect(server.requests.first?.body == Array("[3]".utf8))
    #expect(server.requests.first?.headers["X-Number"] == "3")
    #expect(server.requests.first?.url == "https://other.example.com/")
    #expect(server.requests.last?.method == "PUT" && server.requests.last?.body == [0, 255])
    #expect(server.requests.last?.headers["Content-Type"] == "x/y")
    #expect(try !again.add(try method.call(3), key: "k3"))
    #expect(try again.waiting().isEmpty)
  }

  @Test("wait where the network is gone, and go on from there")
  func waiting() async throws {
    let isThere = Lock(false)
    let server = ServerDouble { _, _ throws(RPCError) in
      guard isThere.withLock({ $0 }) else { throw RPCErrorSample.unreachable }
      return .ok()
    }
    let queue = try RPCQueue(path, client: server.client(clock: .immediate) { $0.retry = .none })
    for number in 0..<3 { try queue.add(RPCCall("shop.order"), key: "k\(number)") }
    for run in 1...2 {
      let summary = try await queue.run()
      #expect(summary.error?.code == .unreachable && summary.sent == 0 && !summary.isEmpty)
      #expect(try queue.waiting().first?.failures == run)
      #expect(try queue.waiting().first?.lastError == "rpc-unreachable")
    }
    isThere.withLock { $0 = true }
    #expect(try await queue.run().sent == 3)
  }

  @Test("are given up where the server will refuse them again, and the next one goes out")
  func dropping() async throws {
    let server = ServerDouble { request, number throws(RPCError) in
      switch number {
      case 0: RPCTransport.Response(status: 400)
      case 1: .ok("", ["result-status": "3000"])
      case 2: .ok("", ["result-status": "2000"])
      default: .ok()
      }
    }
    let queue = try RPCQueue(path, client: server.client(clock: .immediate))
    for number in 0..<4 { try queue.add(RPCCall("shop.order"), key: "k\(number)") }
    let first = try await queue.run()
    #expect(first.dropped == 2 && first.sent == 0 && first.error?.resultCode == .sessionOver)
    let second = try await queue.run()
    #expect(second.sent == 2 && second.isEmpty)
  }

  @Test("are no more than the limit, and one run at a time sends them")
  func limits() async throws {
    let gate = ManualClock()
    let server = ServerDouble { _, _ throws(RPCError) in
      do { try await gate.clock.sleep(.seconds(1)) } catch { throw RPCError(.cancelled) }
      return .ok()
    }
    let queue = try RPCQueue(path, client: server.client(), limit: 2)
    for number in 0..<2 { try queue.add(RPCCall("shop.order"), key: "k\(number)") }
    #expect(throws: RPCError(.queueFull, ["limit": "2"])) { try queue.add(RPCCall("shop.order"), key: "k2") }
    #expect(try queue.remove(key: "k1"))
    #expect(try !queue.remove(key: "k1"))
    let run = Task { try await queue.run() }
    await eventually { gate.pauses.count == 1 }
    #expect(try await queue.run().isInHand)
    gate.advance(.seconds(1))
    #expect(try await run.value.sent == 1)
  }
}
