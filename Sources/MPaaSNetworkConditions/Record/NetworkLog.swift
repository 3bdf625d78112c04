import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Network records in diagnostic logs: lines that hold a JSON object with `"type": "network"`.
///
/// Text in front of the object on its line is passed over, but its first word is the time where the object has none.
/// Lines without such an object are no network records. `Documentation/NetworkTimelines.md` has the fields.
package struct NetworkLog: Sendable {
  package private(set) var samples: [LinkSample] = []
  /// Lines that have no network record, and records without a time or with values that cannot be.
  package private(set) var otherLines = 0
  package private(set) var badRecords = 0

  package init() {}

  /// Reads the lines of a log.
  package mutating func add(_ text: String) {
    for line in text.utf8.split(separator: 0x0a) { add(line: line) }
  }

  private mutating func add(line: Substring.UTF8View) {
    guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return otherLines += 1 }
    let before = Substring(line[..<brace])
    guard let object = (try? JSONValue.reading(Substring(line[brace...]).trimmingSpace))?.object,
      object["type"]?.string == "network"
    else { return otherLines += 1 }
    guard let sample = Self.sample(object, before: before) else { return badRecords += 1 }
    samples.append(sample)
  }

  private static func sample(_ object: JSONValue.Object, before: Substring) -> LinkSample? {
    guard let time = time(object["time"]) ?? time(before.split(separator: " ").first.map { .string(String($0)) })
    else { return nil }
    var sample = LinkSample(time: time)
    if let value = object["rtt_ms"] ?? object["connect_ms"] {
      guard let trip = value.double, (0...1e7).contains(trip) else { return nil }
      sample.roundTrip = Duration(inMilliseconds: trip)
    }
    if let value = object["network"] {
      guard let name = value.string else { return nil }
      sample.network = name.lowercased()
    }
    sample.sent = max(0, min(object["packets_sent"]?.integer() ?? 0, 1_000_000_000))
    sample.lost = max(0, min(object["packets_lost"]?.integer() ?? 0, sample.sent))
    if object["ok"]?.bool == false, sample.sent == 0 { (sample.sent, sample.lost) = (1, 1) }
    if object["ok"]?.bool == true, sample.sent == 0 { sample.sent = 1 }
    sample.downRate = try? rate(object, "bytes_received", "bits_down").get()
    sample.upRate = try? rate(object, "bytes_sent", "bits_up").get()
    return sample
  }

  private struct NoRate: Error {}

  /// A rate that stands there, or that bytes and their time give; too few bytes tell none.
  private static func rate(_ object: JSONValue.Object, _ bytes: String, _ bits: String) -> Result<Double, NoRate> {
    if let rate = object[bits]?.double, rate > 0, rate < 1e14 { return .success(rate) }
    guard let count = object[bytes]?.double, count >= 4096, count < 1e15, let time = object["duration_ms"]?.double,
      time >= 1, time < 1e9
    else { return .failure(NoRate()) }
    return .success(count * 8000 / time)
  }

  /// Seconds since 1970, as a number or as ISO 8601 with a zone.
  private static func time(_ value: JSONValue?) -> Double? {
    if let seconds = value?.double, seconds.isFinite, abs(seconds) < 1e11 { return seconds }
    guard let text = value?.string else { return nil }
    let styles = [
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
    ]
    for style in styles {
      if let date = try? Date(text, strategy: style) { return date.timeIntervalSince1970 }
    }
    return nil
  }
}

extension Substring {
  fileprivate var trimmingSpace: Substring {
    var text = self
    while let last = text.unicodeScalars.last, last.properties.isWhitespace { text.unicodeScalars.removeLast() }
    return text
  }
}
