import MPaaSNetwork
import Synchronization

/// Times changes, and how soon they are in force, while data flows.
enum Churn {
  /// Prints the percentiles in ms of control calls from 8 clients, and of the time until a change shows in the data.
  static func run(seconds span: Int) async throws {
    let server = Socket.listening(on: 0)
    let upstream = "127.0.0.1:\(server.port)"
    detach { while let socket = server.accept() { detach { discard(socket) } } }
    let proxies = ProxyCollection(threads: 2)
    let proxy = try await proxies.add(ProxyDefinition(name: "churn", listen: "127.0.0.1:0", upstream: upstream))
    let isOver = Atomic(false)
    for _ in 0..<4 {
      detach {
        guard let socket = try? Socket(to: proxy.listen) else { return }
        let block = [UInt8](repeating: 1, count: 1 << 16)
        while !isOver.load(ordering: .relaxed), block.withUnsafeBytes({ socket.write($0) }) {}
        socket.end()
      }
    }
    let times = try await withThrowingTaskGroup(of: [Double].self) { group in
      for client in 0..<8 { group.addTask { try await calls(client, proxies, until: seconds() + Double(span)) } }
      var all: [Double] = []
      for try await part in group { all += part }
      return all.sorted()
    }
    isOver.store(true, ordering: .relaxed)
    let bytes = await proxies.statistics().reduce(0) { $0 + $1.upstream.sent }
    print(
      "\(times.count) calls, p50 \(fixed(times.percentile(0.5), 2)) ms, p99 \(fixed(times.percentile(0.99), 2)) ms,"
        + " max \(fixed(times.last ?? 0, 2)) ms, \(fixed(Double(bytes) / 1e9, 1)) GB passed")
    await proxies.shutdown()
  }

  private static func calls(_ client: Int, _ proxies: ProxyCollection, until end: Double) async throws -> [Double] {
    var times: [Double] = []
    func timed(_ body: () async throws -> Void) async rethrows {
      let start = seconds()
      try await body()
      times.append((seconds() - start) * 1000)
    }
    let name = "latency \(client)"
    while seconds() < end {
      try await timed { try await proxies.add(Toxic(name: name, .latency(Latency(.milliseconds(1)))), to: "churn") }
      try await timed {
        try await proxies.update(Toxic(name: name, .latency(Latency(.milliseconds(2)))), of: "churn")
      }
      await timed { _ = await proxies.statistics() }
      try await timed { try await proxies.removeToxic(name, of: "churn") }
    }
    return times
  }

  private static func discard(_ socket: Socket) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while socket.read(buffer) > 0 {}
    socket.end()
  }
}
