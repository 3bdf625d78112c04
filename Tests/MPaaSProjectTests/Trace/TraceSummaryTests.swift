import MPaaSProject
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@Suite("Sums of traces") struct TraceSummaryTests {
  static func trace(_ durations: [String: Int], launch: Int = 100) throws -> TraceFile {
    let events = durations.sorted { $0.key < $1.key }.map {
      #"{"ph":"X","name":"\#($0.key)","cat":"module","ts":1,"dur":\#($0.value),"tid":1,"args":{"subject":"\#($0.key)","id":9,"parent":1,"phase":"init"}}"#
    }
    let launch =
      #"{"ph":"X","name":"launch","cat":"framework","ts":0,"dur":\#(launch),"tid":1,"args":{"subject":"launch","id":1}}"#
    return try TraceFileTests.read("[\(([launch] + events).joined(separator: ","))]")
  }

  @Test("tell own time without what is within on the same thread")
  func own() throws {
    let summary = TraceSummary([try TraceFileTests.read(TraceFileTests.usual)])
    let own = Dictionary(uniqueKeysWithValues: summary.entries.map { ($0.key.subject, $0.own) })
    #expect(own == ["launch": 39_500, "set-up": 10_250, "Cart": 20_000, "Pay": 30_250, "Slow": 200_000])
    #expect(summary.total == 100_000)
    #expect(summary.entries.map(\.start) == [0, 2000, 3000, 23_000, 80_000])
  }

  @Test("of times that no clock gives stay within what a number holds")
  func excessive() throws {
    let long = "4503599627370"
    let span = #"{"ph":"X","name":"A","cat":"module","ts":1,"dur":\#(long),"tid":1}"#
    let launch = #"{"ph":"X","name":"launch","cat":"framework","ts":0,"dur":0.001,"tid":1}"#
    let all = Array(repeating: span, count: 2100).joined(separator: ",")
    let summary = TraceSummary([try TraceFileTests.read("[\(launch),\(all)]")])
    let entry = try #require(summary.entries.first { $0.key.subject == "A" })
    #expect(entry.duration == .max)
    #expect(entry.count == 2100)
    #expect(summary.total == 1)
    #expect(TraceTime.share(entry.duration, of: summary.total) == "100000000000000.0 %")
  }

  @Test("of several runs are the middle ones")
  func medians() throws {
    let summary = TraceSummary(
      try [(30, 100), (10, 300), (20, 120)].map { try Self.trace(["Cart": $0.0], launch: $0.1) })
    #expect(summary.entries.first { $0.key.subject == "Cart" }?.duration == 20_000)
    #expect(summary.total == 120_000)
  }

  @Test("compared say what became slower first, and what came and went")
  func compared() throws {
    let before = TraceSummary([try Self.trace(["A": 10, "B": 20, "C": 5])])
    let after = TraceSummary([try Self.trace(["A": 40, "B": 15, "D": 7], launch: 150)])
    let comparison = TraceComparison(before: before, after: after)
    #expect(comparison.changes.map(\.key.subject) == ["launch", "A", "D", "B", "C"])
    #expect(comparison.changes.map(\.difference) == [50_000, 30_000, 7000, -5000, -5000])
    #expect(comparison.growth == 50)
  }

  @Test(
    "say times with three digits",
    arguments: zip(
      [0, 999, 1000, 1234, 12_345, 123_456, 999_950, 999_999, 2_000_000_000, 123_000_000_000, -45_600_000],
      [
        "0 ns", "999 ns", "1.00 µs", "1.23 µs", "12.3 µs", "123 µs", "1.00 ms", "1.00 ms", "2.00 s", "123 s",
        "-45.6 ms",
      ]))
  func times(_ nanoseconds: Int64, _ text: String) {
    #expect(TraceTime.text(nanoseconds) == text)
  }
}
