import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Files changed at random, as damaged and hostile ones are.
enum Mutation {
  private static let pieces: [[UInt8]] = [
    "9", "-1", "null", "[", "}", "\"", "18446744073709551615", "1e400", "\\u", "{}", ",", "\u{0}", "0x", "\n", " + ",
    "(",
    "0xffffffffffffffff", "Thread 0:", ": ", "\t", "[inlined]", "{\"a\":[", "Binary Images:\n",
  ].map { Array($0.utf8) }

  /// `bytes` cut off, or with some places changed.
  static func of(_ bytes: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    if Int.random(in: 0..<4, using: &generator) == 0 {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
      return bytes
    }
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
      case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...40, using: &generator), bytes.count))
      default:
        let part = bytes[place..<min(place + 200, bytes.count)]
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &generator))
      }
    }
    return bytes
  }

  /// The same JSON with at most three elements in each array, so that many rounds take little time.
  static func small(_ bytes: [UInt8]) -> [UInt8] {
    func small(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): .array(elements.prefix(3).map(small))
      case .object(let members): .object(members.mapValues(small))
      default: value
      }
    }
    let lines = bytes.split(separator: 10).map { line in
      guard let value = try? Array(line).withUnsafeBytes({ try JSONValue(reading: $0) }) else { return Array(line) }
      return Array(small(value).line.utf8)
    }
    if lines.count > 1, let value = try? bytes.withUnsafeBytes({ try JSONValue(reading: $0) }) {
      return Array(small(value).line.utf8)
    }
    return Array(lines.joined(separator: [10]))
  }

  /// Reads mutations of `seeds`; each must be refused or give a report that survives being written, within a second.
  static func check(_ seeds: [[UInt8]], rounds: Int, read: ([UInt8]) throws -> CrashReport) {
    var generator = SeededRandom(seed: 4711)
    for round in 0..<rounds {
      let bytes = of(seeds[round % seeds.count], &generator)
      let start = ProcessorTime()
      if let report = try? read(bytes) {
        let written = IPSWriter.bytes(of: report)
        #expect((try? ReportFile.read(Bytes(written))) != nil, "round \(round)")
        // The size of a report is bounded by that of the file it was read from.
        #expect(written.count < bytes.count * 40 + 100_000, "round \(round)")
      }
      #expect(start.elapsed < .seconds(1), "round \(round)")
    }
  }
}
