import MPaaSFlags
import MPaaSLock
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTime
import Testing

@testable import MPaaSAppServices

@Suite("The reports of a flags client") struct FlagReportTests {
  static let state =
    #"{"features":[{"name":"on","enabled":true},{"name":"child","enabled":true,"dependencies":[{"feature":"on"}]},"#
    + #"{"name":"off","enabled":false},{"name":"v","enabled":true,"variants":[{"name":"red","weight":1}]}]}"#

  /// One answer each of the first variants.
  static func variants(_ count: Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("v\($0)", 1) })
  }

  func json(_ request: FlagRequest?) throws -> JSONValue.Object {
    let value = try (request?.body ?? []).withUnsafeBytes { try JSONValue(reading: $0) }
    return try #require(value.object)
  }

  func samples() throws -> (FlagSamples, FlagClient) {
    let samples = try FlagSamples(FlagServerDouble(state: Self.state))
    return (samples, samples.client { $0.bootstrap = Array(Self.state.utf8) })
  }

  @Test("the client registers once, and reports the answers since the last report; parents do not count")
  func counts() async throws {
    let (samples, client) = try samples()
    for _ in 0..<3 { _ = client.isEnabled("child") }
    _ = client.isEnabled("off")
    _ = client.isEnabled("nowhere")
    for _ in 0..<2 { _ = client.variant("v") }
    // Without the client nothing is counted.
    _ = client.flags.isEnabled("on", for: FlagContext())
    samples.clock.advance(.seconds(60))
    await client.flush()
    let registration = try json(samples.server.requests("/client/register").first)
    #expect(registration["appName"] == "shop" && registration["interval"] == 60)
    #expect(registration["strategies"]?.array?.contains("flexibleRollout") == true)
    let report = try json(samples.server.requests("/client/metrics").first)
    #expect(report["instanceId"]?.string == client.sessionID && report["specVersion"] == "6.1.0")
    let bucket = try #require(report["bucket"]?.object)
    #expect(bucket["start"] == "2026-09-21T14:13:20Z" && bucket["stop"] == "2026-09-21T14:14:20Z")
    let none: JSONValue = [:]
    #expect(
      bucket["toggles"] == [
        "child": ["yes": 3, "no": 0, "variants": none], "off": ["yes": 0, "no": 1, "variants": none],
        "nowhere": ["yes": 0, "no": 1, "variants": none], "v": ["yes": 2, "no": 0, "variants": ["red": 2]],
      ])
    await client.flush()
    #expect(samples.server.requests.count == 2)
  }

  @Test("counts that the server did not take are kept with their times, and sent in their order")
  func kept() async throws {
    let (samples, client) = try samples()
    let refusing: FlagServerDouble.Answer = { _ in FlagResponse(status: 503) }
    for round in 0..<3 {
      samples.server.answer(refusing)
      for _ in 0...round { _ = client.isEnabled("on") }
      samples.clock.advance(.seconds(60))
      await client.flush()
    }
    samples.server.serve(Self.state)
    await client.flush()
    let reports = try samples.server.requests("/client/metrics").suffix(3).map { try json($0) }
    let counts = reports.map { $0["bucket"]?.object?["toggles"]?.object?["on"]?.object?["yes"] }
    #expect(counts == [1, 2, 3])
    #expect(Set(reports.compactMap { $0["bucket"]?.object?["start"]?.string }).count == 3)
    // Counts that a server can never take are not sent for ever.
    _ = client.isEnabled("on")
    samples.server.answer { _ in FlagResponse(status: 400) }
    await client.flush()
    samples.server.serve(Self.state)
    let before = samples.server.requests.count
    await client.flush()
    #expect(samples.server.requests.count == before)
  }

  @Test("buckets and names are bounded: the oldest buckets become one, and no count of a known name is lost")
  func bounds() {
    var buckets = FlagBuckets()
    for number in 0..<100 {
      buckets.append(
        FlagBucket(start: Double(number), stop: Double(number + 1), counts: ["a": FlagCount(yes: 1, no: 2)]))
    }
    #expect(buckets.waiting.count == FlagBuckets.most)
    #expect(buckets.waiting.reduce(0) { $0 + ($1.counts["a"]?.yes ?? 0) } == 100)
    #expect(buckets.first?.start == 0 && buckets.first?.stop == 77)
    let counter = FlagCounter()
    for number in 0..<50_000 { counter.count("flag-\(number)", isOn: true, variant: "v\(number)") }
    #expect(counter.take().count == FlagCounter.mostNames)
    for number in 0..<1000 { counter.count("a", isOn: false, variant: "v\(number)") }
    #expect(counter.take() == ["a": FlagCount(yes: 0, no: 1000, variants: Self.variants(100))])
  }

  @Test("answers are counted from many threads, none is lost")
  func threads() async throws {
    let (_, client) = try samples()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<2000 { _ = client.isEnabled("on"); _ = client.variant("v") } }
      }
    }
    let counts = client.counter.take()
    #expect(counts["on"]?.yes == 16_000 && counts["v"]?.variants["red"] == 16_000)
  }

  @Test("numbers of the app are sent with labels of flags, begin anew after that, and come back after a failure")
  func numbers() async throws {
    let (samples, client) = try samples()
    let impact = client.impact
    impact.defineCounter("paid", help: "h")
    impact.defineGauge("open", help: "h")
    impact.defineHistogram("time", help: "h", bounds: [1, 0.5])
    impact.increment("paid", by: 2, flags: ["v", "off", "on"])
    impact.increment("unknown")
    impact.set("open", to: 3.5)
    impact.add(-1, to: "open")
    impact.set("open", to: .nan)
    for value in [0.2, 0.7, 9, .infinity] { impact.observe("time", value) }
    samples.server.answer { _ in FlagResponse(status: 500) }
    await client.flush()
    impact.increment("paid", flags: ["v", "off", "on"])
    impact.observe("time", 0.5)
    samples.server.serve(Self.state)
    await client.flush()
    let report = try json(samples.server.requests("/client/metrics").last)
    #expect(report["bucket"] == .null)
    let labels: JSONValue = ["appName": "shop", "environment": "production"]
    let metrics = try #require(report["impactMetrics"]?.array)
    func values(_ name: String) -> JSONValue? {
      metrics.first { $0.object?["name"]?.string == name }?.object?["samples"]
    }
    #expect(
      values("paid") == [
        [
          "labels": ["appName": "shop", "environment": "production", "v": "red", "off": "disabled", "on": "enabled"],
          "value": 3,
        ]
      ])
    #expect(values("open") == [["labels": labels, "value": .number(2.5)]])
    #expect(
      values("time") == [
        [
          "labels": labels, "count": 4, "sum": .number(0.2 + 0.7 + 9 + 0.5),
          "buckets": [["le": .number(0.5), "count": 2], ["le": 1, "count": 3], ["le": "+Inf", "count": 4]],
        ]
      ])
    #expect(
      impact.take()?["paid"]?.value("paid").object?["samples"]
        == JSONValue.array([["labels": .object([:]), "value": 0]]))
  }

  @Test("reports go out in their time, and what is left when the client stops")
  func times() async throws {
    let (samples, client) = try samples()
    await client.start()
    _ = client.isEnabled("on")
    // Two pauses of a minute: the question's and the report's.
    await eventually { samples.clock.pauses.count == 2 }
    samples.clock.advance(.seconds(60))
    await eventually { samples.server.requests("/client/metrics").count == 1 }
    _ = client.isEnabled("off")
    await client.stop()
    let reports = samples.server.requests("/client/metrics")
    #expect(reports.count == 2 && reports.last?.text.contains("\"off\"") == true)
  }

  @Test("the version that servers see is that of the kit")
  func version() throws {
    let source = PackageSource.all.first { $0.file == "CommandKit/Program/KitVersion.swift" }
    let number = FlagReport.sdk.dropFirst("mpaaskit:".count)
    #expect(source?.has(["version: \"\(number)\""]) == true)
  }
}
