import MPaaSAppServices
import MPaaSLock
import MPaaSTime
import Testing

@Suite("A flags client on a stream") struct FlagStreamTests {
  let samples: FlagSamples

  init() throws { samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["polled": true]))) }

  func client() -> FlagClient {
    samples.client { configuration in
      configuration.updates = .streaming
      configuration.pace.metrics = .zero
    }
  }

  static func event(_ type: String, _ data: String, id: Int? = nil) -> String {
    (id.map { "id: \($0)\n" } ?? "") + "event: \(type)\ndata: \(data)\n\n"
  }

  static let connected = event("unleash-connected", FlagSamples.hydration(["a": false, "b": true]), id: 1)

  @Test("takes a whole state and then changes; other events and heartbeats change nothing")
  func follows() async throws {
    let client = client()
    await client.start()
    let stream = try #require(await samples.server.stream(0))
    #expect(stream.request.url == "http://flags.test/api/client/streaming")
    #expect(stream.request["Accept"] == "text/event-stream" && stream.request["Last-Event-ID"] == nil)
    // A change without a state that it is of.
    stream.send(Self.event("unleash-updated", FlagSamples.update("early", true)))
    let text = Self.connected
    stream.send(String(text.prefix(70)))
    stream.send(String(text.dropFirst(70)))
    await eventually { client.isEnabled("b") }
    #expect(client.isEnabled("b") && !client.isEnabled("a") && !client.contains("early"))
    stream.send(": heartbeat\n\n" + Self.event("unleash-ended", FlagSamples.update("b", false)))
    stream.send(Self.event("unleash-updated", FlagSamples.update("a", true), id: 2))
    await eventually { client.isEnabled("a") }
    #expect(client.isEnabled("a") && client.isEnabled("b") && samples.server.requests.isEmpty)
    // The whole state is kept.
    let next = samples.client()
    #expect(next.isEnabled("a") && next.isEnabled("b") && next.source == .cache)
    await client.stop()
  }

  @Test("waits no longer than an hour, whatever time between attempts the server asks for")
  func longestRetry() async throws {
    let client = client()
    await client.start()
    let stream = try #require(await samples.server.stream(0))
    stream.send("retry: 9000000000000000000\n\n")
    stream.close()
    await samples.clock.pass(.seconds(3600) ... .seconds(3600))
    #expect(await samples.server.stream(1) != nil)
    await client.stop()
  }

  @Test("passes over the answer to a question that a change of the stream has overtaken, and asks again")
  func overtaken() async throws {
    let client = client()
    await client.start()
    let stream = try #require(await samples.server.stream(0))
    stream.send(Self.connected)
    await eventually { client.isEnabled("b") }
    let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
    samples.server.answer { _ in
      await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
      return FlagResponse(status: 200, body: Array(FlagSamples.state(["a": false]).utf8))
    }
    async let asked: Void = client.refresh()
    await eventually { gate.withLock { $0 != nil } }
    stream.send(Self.event("unleash-updated", FlagSamples.update("a", true), id: 2))
    await eventually { client.isEnabled("a") }
    samples.server.serve(FlagSamples.state(["a": true, "c": true]))
    gate.withLock { $0 }?.resume()
    try await asked
    #expect(client.isEnabled("a") && client.isEnabled("c") && samples.server.requests.count == 2)
    await client.stop()
  }

  @Test("opens a stream that was closed again, and says which event it has; an event that is refused begins anew")
  func resumes() async throws {
    let client = client()
    let news = FlagNews(client)
    await client.start()
    let first = try #require(await samples.server.stream(0))
    first.send(Self.connected)
    first.close()
    await samples.clock.pass(.seconds(1)...(.seconds(1)))
    let second = try #require(await samples.server.stream(1))
    #expect(second.request["Last-Event-ID"] == "1" && news.failures.isEmpty)
    second.send(Self.event("unleash-updated", FlagSamples.update("a", true), id: 2))
    await eventually { client.isEnabled("a") }
    #expect(client.isEnabled("a"))
    samples.clock.advance(.seconds(61))
    second.send(Self.event("unleash-updated", "{\"events\":[{", id: 3))
    await news.waitForFailures(1)
    #expect(news.failures == ["flags-malformed"] && client.isEnabled("a"))
    await samples.clock.pass(.seconds(1)...(.seconds(1)))
    let third = try #require(await samples.server.stream(2))
    #expect(third.request["Last-Event-ID"] == nil)
    await client.stop()
  }

  @Test("ends a stream that is silent for too long")
  func silence() async throws {
    let client = client()
    let news = FlagNews(client)
    await client.start()
    let stream = try #require(await samples.server.stream(0))
    stream.send(Self.connected)
    await eventually { client.isEnabled("b") && !self.samples.clock.pauses.isEmpty }
    samples.clock.advance(.seconds(60))
    stream.send(":\n")
    await samples.clock.pass(.seconds(30)...(.seconds(30)))
    await samples.clock.pass(.seconds(60)...(.seconds(60)))
    await news.waitForFailures(1)
    #expect(news.failures == ["server-timed-out"] && client.isEnabled("b"))
    await client.stop()
  }

  @Test("goes over to questions where there is no stream or it fails again and again, and tries it again later")
  func fallsBack() async throws {
    samples.server.refuseStreams(404)
    let client = client()
    let news = FlagNews(client)
    await client.start()
    await samples.clock.pass(.zero...(.zero))
    await eventually { client.isEnabled("polled") }
    #expect(client.isEnabled("polled") && news.failures == ["server-refused"])
    samples.server.refuseStreams(200)
    for _ in 0..<4 { await samples.clock.pass(.seconds(60)...(.seconds(60))) }
    await samples.clock.pass(.seconds(60)...(.seconds(60)))
    let stream = try #require(await samples.server.stream(0))
    #expect(stream.request["Last-Event-ID"] == nil)
    stream.send(Self.connected)
    await eventually { client.isEnabled("b") }
    #expect(client.isEnabled("b") && !client.contains("polled"))
    // Streams that break off one after the other.
    for number in 0..<3 {
      try #require(await samples.server.stream(number)).close(number == 1 ? 503 : 200)
      if number < 2 { await samples.clock.pass(.seconds(1 << number)...(.seconds(1 << number))) }
    }
    await samples.clock.pass(.zero...(.zero))
    await eventually { client.isEnabled("polled") }
    #expect(client.isEnabled("polled"))
    await client.stop()
  }
}
