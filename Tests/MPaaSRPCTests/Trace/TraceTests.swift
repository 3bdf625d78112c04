import MPaaSLock
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSRPC

@Suite("Traces and numbers") struct TraceTests {
  @Test(
    "traceparent is read as W3C Trace Context says",
    arguments: [
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
      ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes", true),
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
      ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
      ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
      ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
      ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
      ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", false), ("", false), ("00---", false),
    ])
  func traceparent(text: String, isRight: Bool) {
    let context = RPCTraceContext(traceparent: text)
    #expect((context != nil) == isRight)
    if let context, text.hasPrefix("00") { #expect(context.traceparent == text) }
  }

  @Test("each attempt is a span of its own in the trace of the task")
  func propagation() async throws {
    let server = ServerDouble { _, number throws(RPCError) in
      number == 0 ? RPCTransport.Response(status: 503) : .ok()
    }
    let client = server.client(clock: .immediate)
    let parent = try #require(
      RPCTraceContext(
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "vendor=1"))
    _ = try await RPCTraceContext.$current.withValue(parent) { try await client.send(.read()) }
    let fields = server.requests.compactMap { $0.headers["traceparent"] }
    let spans = fields.compactMap { RPCTraceContext(traceparent: $0) }
    #expect(spans.map(\.traceID) == [parent.traceID, parent.traceID])
    #expect(Set(spans.map(\.spanID) + [parent.spanID]).count == 3)
    #expect(server.requests.first?.headers["tracestate"] == "vendor=1")
  }

  @Test("the numbers of an operation tell calls, errors, attempts and percentiles")
  func metrics() async throws {
    let metrics = RPCMetrics()
    for number in 1...100 {
      metrics.observe(
        RPCSpan(
          operation: "shop.order", host: "a", start: 0, duration: .milliseconds(number), status: 200,
          resultCode: number > 95 ? 1002 : 1000, error: number > 95 ? "rpc-result" : nil,
          attempts: number > 90 ? 2 : 1, isHedged: false, source: .network, sentBytes: 10, receivedBytes: 20, trace: nil
        ))
    }
    let numbers = try #require(metrics.snapshot["shop.order"])
    #expect(numbers.calls == 100 && numbers.failures == 5 && numbers.errors == ["rpc-result:1002": 5])
    #expect(numbers.retries == 10 && numbers.sentBytes == 1000 && numbers.receivedBytes == 2000)
    for (share, milliseconds) in [(0.5, 50.0), (0.95, 95), (0.99, 99), (1, 100)] {
      let value = numbers.latency.percentile(share) / .milliseconds(1)
      #expect(abs(value - milliseconds) / milliseconds < 0.07, "\(share): \(value)")
    }
    #expect(metrics.reset().count == 1 && metrics.snapshot.isEmpty)
  }

  @Test("a file of spans is read as it was written, and stays within its limit")
  func file() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/spans.jsonl"
    let file = try RPCSpanFile(path, limit: 4000)
    let server = ServerDouble { _, number throws(RPCError) in
      number % 3 == 0 ? .ok("", ["result-status": "4002"]) : .ok("1")
    }
    let spans = Lock<[RPCSpan]>([])
    var parts = RPCClient.Parts(transport: server.transport)
    parts.observers = [file.observe, { span in spans.withLock { $0.append(span) } }]
    var configuration = RPCConfiguration(gateway: "https://gw.example.com")
    configuration.signs = false
    let client = RPCClient(configuration, parts: parts)
    for number in 0..<40 {
      _ = await outcome { () throws(RPCError) in try await client.send(RPCCall("shop.\"\(number)\"")) }
    }
    let lines = try [path + ".1", path].flatMap { try Bytes.reading($0, limit: 1 << 20).array.split(separator: 10) }
    let read = lines.compactMap { RPCSpan(line: $0) }
    #expect(read.count == lines.count && read.count > 10)
    let written = spans.withLock { $0 }.suffix(read.count)
    #expect(read.map(\.operation) == written.map(\.operation))
    #expect(read.map(\.error) == written.map(\.error))
    #expect(read.map(\.duration) == written.map(\.duration))
    #expect(try Bytes.reading(path, limit: 1 << 20).count <= 4000)
  }

  @Test("a changed line of a file is read or passed over")
  func fuzz() {
    let span = RPCSpan(
      operation: "shop.order", host: "a", start: 1.5, duration: .milliseconds(3), status: 200, resultCode: 1000,
      error: nil, attempts: 2, isHedged: true, source: .network, sentBytes: 10, receivedBytes: 20,
      trace: RPCTraceContext())
    let line = Array(span.line.utf8)
    #expect(RPCSpan(line: line)?.operation == span.operation && RPCSpan(line: line)?.isHedged == true)
    var random = SeededRandom(seed: 26)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var changed = line
      for _ in 0..<3 {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let read = RPCSpan(line: changed) {
        let metrics = RPCMetrics()
        metrics.observe(read)
        #expect(metrics.snapshot.count == 1)
      }
    }
  }
}
