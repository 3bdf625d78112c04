import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProfile

@Suite("MetricKit's metrics") struct MetricPayloadTests {
  private static let day = """
    {"appVersion":"2.1","timeStampBegin":"2026-03-01 00:00:00","timeStampEnd":"2026-03-01 23:59:00",
    "metaData":{"appBuildVersion":"7","osVersion":"iPhone OS 17.4 (21E219)"},
    "memoryMetrics":{"peakMemoryUsage":"200,000 kB","averageSuspendedMemory":{"averageValue":"100,000 kB",
    "standardDeviation":0,"sampleCount":500}},
    "applicationExitMetrics":{"backgroundExitData":{"cumulativeNormalAppExitCount":12}},
    "animationMetrics":{"scrollHitchTimeRatio":"10 ms per s"},
    "cpuMetrics":{"cumulativeCPUTime":"1.5 min","cumulativeCPUInstructions":"100 kiloinstructions"},
    "applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":2,"histogramValue":{
    "1":{"bucketCount":1,"bucketStart":"2000 ms","bucketEnd":"2,010 ms"},
    "0":{"bucketCount":99,"bucketStart":"1000 ms","bucketEnd":"1010 ms"}}}},
    "signpostMetrics":[{"signpostIntervalData":{"signpostCumulativeCPUTime":"30,000 ms"},
    "signpostCategory":"Feed","signpostName":"Load","totalSignpostCount":30}]}
    """

  private func payload(_ text: String) throws(ProfileError) -> MetricPayload {
    let bytes = Bytes(Array(text.utf8))
    defer { withExtendedLifetime(bytes) {} }
    return try MetricPayload(reading: bytes.buffer, file: "day.json")
  }

  @Test("are sums, peaks, means and histograms by the names that the file gives them")
  func read() throws {
    let day = try payload(Self.day)
    #expect(day.version == "2.1" && day.build == "7" && day.end == "2026-03-01 23:59:00")
    #expect(day.metrics["memoryMetrics.peakMemoryUsage"] == .peak(Measure(2e8, "B")))
    #expect(day.metrics["memoryMetrics.averageSuspendedMemory"] == .mean(Measure(1e8, "B"), count: 500))
    #expect(day.metrics["animationMetrics.scrollHitchTimeRatio"] == .mean(Measure(10, "ms per s"), count: 1))
    #expect(day.metrics["cpuMetrics.cumulativeCPUTime"] == .sum(Measure(90, "s")))
    #expect(day.metrics["cpuMetrics.cumulativeCPUInstructions"] == .sum(Measure(100, "kiloinstructions")))
    let exits = "applicationExitMetrics.backgroundExitData.cumulativeNormalAppExitCount"
    #expect(day.metrics[exits] == .sum(Measure(12, "")))
    let signpost = "signpostMetrics.Feed.Load"
    #expect(day.metrics["\(signpost).signpostIntervalData.signpostCumulativeCPUTime"] == .sum(Measure(30, "s")))
    #expect(day.metrics["\(signpost).totalSignpostCount"] == .sum(Measure(30, "")))
    guard case .histogram(let launches) = day.metrics["applicationLaunchMetrics.histogrammedTimeToFirstDrawKey"] else {
      Issue.record("no histogram")
      return
    }
    #expect(launches.count == 100 && launches.bound(0.5) == 1.01 && launches.bound(1) == 2.01)
    #expect(day.metrics.count == 9)
  }

  @Test("of days of one version are put together")
  func groups() throws {
    var groups = MetricGroups()
    groups.add(try payload(Self.day))
    let next = Self.day.replacingFirst("200,000", "300,000").replacingFirst("\"10 ms per s\"", "\"30 ms per s\"")
    groups.add(try payload(next))
    groups.add(try payload(Self.day.replacingFirst("2.1", "2.2")))
    let all = groups.all
    #expect(all.map(\.title) == ["2.1 (7)", "2.2 (7)"] && all.map(\.payloads) == [2, 1])
    #expect(all[0].metrics["memoryMetrics.peakMemoryUsage"] == .peak(Measure(3e8, "B")))
    #expect(all[0].metrics["animationMetrics.scrollHitchTimeRatio"] == .mean(Measure(20, "ms per s"), count: 2))
    #expect(all[0].metrics["cpuMetrics.cumulativeCPUTime"] == .sum(Measure(180, "s")))
    let launch = "applicationLaunchMetrics.histogrammedTimeToFirstDrawKey"
    guard case .histogram(let launches) = all[0].metrics[launch] else {
      Issue.record("no histogram")
      return
    }
    #expect(launches.buckets.map(\.count) == [198, 2])
  }

  @Test("are refused with the place of what cannot be")
  func wrong() {
    func error(_ text: String) -> ProfileError? {
      do throws(ProfileError) {
        _ = try payload(text)
        return nil
      } catch {
        return error
      }
    }
    let bound = error("{\"xMetrics\":{\"h\":{\"histogramValue\":{\"0\":{\"bucketEnd\":\"soon\"}}}}}")
    #expect(bound?.code == .badMember)
    #expect(bound?.diagnostic.place == .text(file: "day.json", line: 1, column: 54))
    #expect(error("{\"xMetrics\":{\"h\":{\"histogramValue\":[]}}}")?.code == .badMember)
    #expect(error("{\"xMetrics\":")?.code == .notJSON)
    #expect(error("{\"xMetrics\":\(String(repeating: "[", count: 100_000))")?.code == .notJSON)
  }

  @Test("are read or refused, whatever bytes there are")
  func fuzz() {
    var random = SeededRandom(seed: 30)
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = Array(Self.day.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 32...126, using: &random)
        } else {
          bytes.insert(contentsOf: "9999999999".utf8, at: place)
        }
      }
      guard let day = try? payload(String(decoding: bytes, as: UTF8.self)) else { continue }
      var groups = MetricGroups()
      groups.add(day)
      groups.add(day)
      #expect(groups.all.count == 1)
    }
  }
}
