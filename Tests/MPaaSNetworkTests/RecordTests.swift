import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Recording networks") struct RecordTests {
  @Test("samples become a step a window: delay, jitter, loss, rate; what is the same goes on")
  func windows() throws {
    var samples: [LinkSample] = []
    for second in 0..<40 {
      let trip = second < 20 ? 100 : 300
      samples.append(
        LinkSample(
          time: Double(second), roundTrip: .milliseconds(trip), sent: 1, lost: 0,
          downRate: second < 20 ? 1_234_567 : nil))
    }
    samples.append(LinkSample(time: 45, sent: 3, lost: 3))
    samples.append(LinkSample(time: 55, network: "none"))
    samples.append(LinkSample(time: 65, network: "3g"))
    let timeline = Timeline.recorded(samples, name: "r")
    #expect(
      timeline.steps.map(\.label) == [
        "down bandwidth 1200kbit/s, latency 50ms", "latency 150ms", "blackout", "flight mode", "profile 3g",
      ])
    #expect(timeline.steps.map(\.start) == [0, 20, 40, 50, 60].map { .seconds($0) })
    #expect(timeline.steps[0].duration == .seconds(20))
    #expect(timeline.length == .seconds(70))
    #expect(try Timeline(text: timeline.text(), file: "t") == timeline)
  }

  @Test("network records are found in logs, whatever stands before them")
  func logs() {
    var log = NetworkLog()
    log.add(
      """
      2026-01-01T00:00:00.015+08:00 INFO Net [7] {"type":"network","rtt_ms":80,"ok":true}
      {"type":"network","time":1767196801,"rtt_ms":120,"bytes_received":100000,"duration_ms":800,"network":"LTE"}
      {"type":"network","time":1767196802,"ok":false}
      {"type":"crash","time":1}
      nothing
      {"type":"network","rtt_ms":3}
      {"type":"network","time":5,"rtt_ms":-3}

      """)
    #expect(log.samples.count == 3)
    #expect(log.badRecords == 2)
    #expect(log.otherLines == 2)
    #expect(log.samples.first.map { abs($0.time - 1_767_196_800.015) < 0.001 } == true)
    #expect(log.samples[1].downRate == 1_000_000)
    #expect(log.samples[1].network == "lte")
    #expect(log.samples[2].sent == 1)
    #expect(log.samples[2].lost == 1)
  }

  @Test("mutated logs are read")
  func fuzz() {
    var random = SeededRandom(seed: 3)
    let text =
      "2026-01-01T00:00:00Z {\"type\":\"network\",\"rtt_ms\":80,\"packets_sent\":9,\"packets_lost\":2,\"network\":\"2g\"}\n"
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var log = NetworkLog()
      log.add(Mutation.of(text + text, using: &random))
      _ = Timeline.recorded(log.samples, name: "r")
    }
  }

  @Test(
    "targets are addresses or URLs",
    arguments: [
      ("example.com:443", "example.com", 443, nil), ("http://example.com", "example.com", 80, "/"),
      ("https://[::1]/a?b#c", "::1", 443, "/a?b"), ("http://127.0.0.1:8080/x", "127.0.0.1", 8080, "/x"),
    ] as [(String, String, Int, String?)])
  func targets(_ text: String, _ host: String, _ port: Int, _ path: String?) throws {
    let target = try ProbeTarget(text)
    #expect(target.host == host)
    #expect(target.port == port)
    #expect(target.path == path)
  }

  @Test(
    "what is no target is refused", arguments: ["", "example.com", "http://", "ftp://x", "a:b", "http://a b/", "x:0"])
  func wrongTargets(_ text: String) { #expect(throws: NetworkError.self) { try ProbeTarget(text) } }

  @Test("a connection through a proxy is measured, and one that is refused is an answer too")
  func measures() async throws {
    let collection = ProxyCollection(threads: 1)
    let proxy = try await collection.add(ProxyDefinition(name: "p", listen: "127.0.0.1:0", upstream: "127.0.0.1:9"))
    let probe = try await LinkProbe(try ProbeTarget(proxy.listen))
    let samples = await LinkRecorder(probe, every: .milliseconds(20)).samples(for: .milliseconds(100))
    #expect(samples.count == 5)
    #expect(samples.allSatisfy { $0.roundTrip != nil && $0.sent >= 1 })
    await collection.shutdown()
    let refused = await probe.look(at: 0)
    #expect(refused.roundTrip != nil)
  }
}
