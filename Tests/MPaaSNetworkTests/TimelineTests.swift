import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Timelines") struct TimelineTests {
  private func timeline(_ text: String) throws -> Timeline { try Timeline(text: text, file: "t.timeline") }

  @Test("statements are read as they are written")
  func statements() throws {
    let timeline = try timeline(
      """
      # A commute.
      name commute
      at 10s: flight mode for 5s
      at 1m30s: profile 3g for 20s
      from 20s to 40s: latency 300ms ± 50ms, loss 2%
      length 2m
      repeat
      """)
    #expect(timeline.name == "commute")
    #expect(timeline.length == .seconds(120))
    #expect(timeline.repeats)
    try #require(timeline.steps.count == 3)
    #expect(timeline.steps[0] == .init(at: .seconds(10), for: .seconds(5), [Toxic(.flightMode)], label: "flight mode"))
    #expect(timeline.steps[1].start == .seconds(20))
    #expect(timeline.steps[1].duration == .seconds(20))
    #expect(timeline.steps[1].toxics.count == 4)
    #expect(timeline.steps[2].toxics == (try NetworkProfile.named("3g")).toxics)
    #expect(timeline.steps[2].label == "profile 3g")
  }

  @Test("a condition of a link is for both directions unless it says which, one of requests for the replies")
  func directions() throws {
    #expect(try ConditionPhrase.toxics("loss 2%", file: "t").map(\.direction) == [.downstream, .upstream])
    #expect(try ConditionPhrase.toxics("up loss 2%", file: "t").map(\.direction) == [.upstream])
    #expect(try ConditionPhrase.toxics("http error 503", file: "t").map(\.direction) == [.downstream])
    #expect(try ConditionPhrase.toxics("both slow close 1s", file: "t").count == 2)
  }

  @Test(
    "a condition has the name of its toxic too",
    arguments: [
      ("dns_delay 3s name \"*.test\"", "dns delay 3s name \"*.test\""), ("dns_failure", "dns failure"),
      ("http_error 503 first 3", "http error 503 first 3"), ("http_slow_headers 1s", "http slow headers 1s"),
      ("http_truncated_body 1kB", "http truncated body 1kB"), ("limit_data 1kB", "limit data 1kB"),
      ("slow_close 1s", "slow close 1s"), ("reset_peer after 2s", "reset after 2s"),
      ("up flight_mode", "up flight mode"),
    ])
  func toxicNames(name: String, words: String) throws {
    #expect(try ConditionPhrase.toxics(name, file: "t") == ConditionPhrase.toxics(words, file: "t"))
  }

  @Test("every comes again until the end")
  func every() throws {
    let timeline = try timeline("every 30s: flight mode for 2s\nlength 2m\n")
    #expect(timeline.steps.map(\.start) == [.seconds(30), .seconds(60), .seconds(90)])
    #expect(try self.timeline("every 10s from 0s until 30s: loss 1% for 1s").steps.count == 3)
    let error = #expect(throws: NetworkError.self) { try self.timeline("every 30s: flight mode for 2s") }
    #expect(error?.code == .timelineEndless)
  }

  @Test("one profile holds at a time, and after one that ends the one before holds again")
  func profiles() throws {
    let timeline = try timeline("at 0s: profile lte\nat 10s: profile 3g for 20s\nat 60s: profile wifi\nat 90s: normal")
    #expect(timeline.steps.map(\.label) == ["profile lte", "profile 3g", "profile lte", "profile wifi"])
    #expect(timeline.steps.map(\.start) == [.zero, .seconds(10), .seconds(30), .seconds(60)])
    #expect(timeline.steps.map(\.duration) == [.seconds(10), .seconds(20), .seconds(30), .seconds(30)])
  }

  @Test(
    "what is wrong is told with line, column and word",
    arguments: [
      ("at 10s flight mode", 1, 8, "net-timeline-syntax"), ("\nat 10: loss 1%", 2, 4, "net-quantity-malformed"),
      ("at 1s: flight mod", 1, 8, "net-condition-misspelt"), ("at 1s: gravity 3%", 1, 8, "net-condition-unknown"),
      ("from 9s to 3s: loss 1%", 1, 12, "net-timeline-backwards"),
      ("at 1s: profile 3gg", 1, 16, "net-profile-misspelt"),
      ("at 1s: profile train-tunnel", 1, 16, "net-timeline-nested"),
      ("at 1s: loss 101%", 1, 13, "net-quantity-malformed"),
      ("at 1s: loss 1% for", 1, 19, "net-timeline-syntax"), ("later: loss 1%", 1, 1, "net-timeline-syntax"),
      ("at 1s: http error 700", 1, 19, "net-timeline-syntax"),
      ("at 1s: dns delay 1s name \"x", 1, 26, "net-timeline-syntax"),
      ("every 1ms until 1000h: loss 1%", 1, 1, "net-timeline-large"),
    ])
  func wrong(_ text: String, _ line: Int, _ column: Int, _ word: String) throws {
    let error = #expect(throws: NetworkError.self) { try timeline(text) }
    #expect(error?.code.word == word)
    #expect(error?.place == .text(file: "t.timeline", line: line, column: column))
  }

  @Test("what is written reads as the same again, as text, TOML and JSON")
  func roundTrips() throws {
    var random = SeededRandom(seed: 8)
    for round in 0..<SeededRandom.rounds(or: 200) {
      var timeline = Timeline(name: ["a", "Weg zur Arbeit", "\"x\\\u{301}\n#"][round % 3], steps: [])
      timeline.repeats = .random(using: &random)
      timeline.length = [nil, .seconds(90), .milliseconds(1)].randomElement(using: &random) ?? nil
      var start = Duration.zero
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        start += .microseconds(Int64.random(in: 1..<9_000_000, using: &random))
        let toxics = (0..<Int.random(in: 1..<4, using: &random)).map { _ in RandomToxic.next(&random) }
        let duration: Duration? =
          .random(using: &random) ? .milliseconds(Int64.random(in: 1..<99999, using: &random)) : nil
        timeline.steps.append(.init(at: start, for: duration, toxics, label: ConditionPhrase.text(of: toxics)))
      }
      #expect(try Timeline(text: timeline.text(), file: "t") == timeline)
      #expect(try Timeline(toml: timeline.toml(), file: "t") == timeline)
      #expect(try Timeline(json: timeline.json()) == timeline)
    }
    let walk = Timeline.random(seed: 3)
    #expect(try Timeline(text: walk.text(), file: "t") == walk)
  }

  @Test("mutated timelines are read or refused, in every form")
  func fuzz() {
    var random = SeededRandom(seed: 9)
    let source =
      "at 10s: flight mode for 5s\nfrom 20s to 40s: latency 300ms ± 50ms, loss 2%\nevery 30s: profile 3g\nlength 2m\n"
    let toml = "length = \"2m\"\n[[step]]\nat = \"10s\"\nfor = \"5s\"\ndo = [\"flight mode\", \"loss 2%\"]\n"
    for _ in 0..<SeededRandom.rounds(or: 400) {
      _ = try? timeline(Mutation.of(source, using: &random))
      _ = try? Timeline(toml: Mutation.of(toml, using: &random), file: "t")
    }
  }

  @Test("a seed gives the same walk each time, others another")
  func walks() throws {
    let walk = Timeline.random(seed: 42)
    #expect(walk == Timeline.random(seed: 42))
    #expect(walk.steps != Timeline.random(seed: 43).steps)
    #expect(walk.steps.first?.start == .zero)
    #expect(walk.span == .seconds(300))
    for (one, next) in zip(walk.steps, walk.steps.dropFirst()) {
      #expect(one.start + (one.duration ?? .zero) == next.start)
      #expect(one.label != next.label)
    }
    // A timeline that is told by its seed alone must not change with a version.
    #expect(
      Timeline.random(seed: 7, length: .seconds(60)).text()
        == "name random-7\nlength 1m\nat 0s: profile 3g for 500ms\nat 500ms: profile 2g-urban for 41s\n"
        + "at 41s500ms: profile 3g for 18s500ms\n")
  }

  @Test("the moments of a timeline are when something begins or ends")
  func moments() throws {
    let timeline = try timeline("at 10s: flight mode for 5s\nfrom 12s to 20s: loss 1%")
    #expect(timeline.moments == [0, 10, 12, 15, 20].map { .seconds($0) })
    #expect(timeline.active(at: .seconds(13)).count == 2)
    #expect(timeline.active(at: .seconds(15)).count == 1)
    #expect(timeline.toxics(at: .seconds(13)).map(\.name).count == 3)
  }
}

/// Toxics of every kind.
enum RandomToxic {
  static func next(_ random: inout SeededRandom) -> Toxic {
    let share = Double.random(in: 0...1, using: &random)
    let time = Duration.microseconds(Int64.random(in: 0..<5_000_000, using: &random))
    let count = Int64.random(in: 1..<1_000_000, using: &random)
    let filter = RequestFilter(method: "POST", path: "/a b/*", first: 3, probability: share)
    let conditions: [Condition] = [
      .latency(Latency(time, jitter: time, distribution: .pareto, correlation: share)), .latency(Latency(time)),
      .bandwidth(Bandwidth(bitsPerSecond: count, burst: Int(count), isShared: false)),
      .bandwidth(Bandwidth(bitsPerSecond: count, isShared: true)), .loss(Loss(share, meanBurst: 2.5, stall: time)),
      .corruption(Corruption(share, inStreams: true)), .duplicate(Duplicate(share)),
      .reorder(Reorder(share, delay: time)),
      .slicer(Slicer(averageSize: 10, sizeVariation: 9, delay: time)), .limitData(LimitData(bytes: count)),
      .slowClose(SlowClose(time)), .timeout(Timeout(time)), .resetPeer(ResetPeer(time)), .blackout, .flightMode, .noop,
      .httpDelay(HTTPDelay(time, filter: filter)),
      .httpError(HTTPFailure(status: 503, body: "a \"b\"\n", headers: ["Retry-After": "1", "X": ""], filter: filter)),
      .httpSlowHeaders(HTTPSlowHeaders(time)), .httpTruncatedBody(HTTPTruncatedBody(bytes: count)),
      .dnsDelay(DNSDelay(time, name: "*.example.com")),
      .dnsFailure(DNSFailure(.silence, name: "a", probability: share)),
    ]
    let condition = conditions.randomElement(using: &random) ?? .noop
    return Toxic(
      name: Int.random(in: 0..<4, using: &random) == 0 ? "my toxic" : nil, condition,
      direction: .random(using: &random) ? .upstream : .downstream, toxicity: .random(using: &random) ? 1 : share)
  }
}
