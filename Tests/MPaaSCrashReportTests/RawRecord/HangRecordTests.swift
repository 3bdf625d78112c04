import MPaaSBase
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("The record of a hang") struct HangRecordTests {
  private typealias Writer = RecordWriter

  private static func hang() -> [UInt8] {
    var bytes = Writer.text("main queue") + Writer.number(UInt64(78)) + Writer.number(Int64(1_700_000_060))
    bytes += Writer.number(UInt32(7)) + Writer.number(UInt64(60_000_000_000)) + Writer.number(UInt64(9_000_000_000))
    for limit in [100, 250, 500, 2000] { bytes += Writer.number(UInt64(limit) * 1_000_000) }
    return bytes + Writer.number(UInt64(20_000_000))
  }

  /// A look at a stack of frames `(address, bytes from the start of the function)`, innermost first.
  private static func sample(
    _ milliseconds: UInt64, _ frames: [(UInt64, UInt32)], processor: UInt64 = 0, state: Character = "S",
    owner: UInt64 = 0
  ) -> [UInt8] {
    var bytes = Writer.number(milliseconds * 1_000_000) + Writer.number(UInt64(78))
    bytes += Writer.number(UInt32(state.asciiValue ?? 0)) + Writer.number(Int32(202)) + Writer.number(UInt64(0x9000))
    bytes += Writer.number(owner) + Writer.number(processor * 1_000_000) + Writer.number(UInt64(0))
    bytes += Writer.number(UInt32(0)) + Writer.number(UInt32(frames.count))
    for (address, offset) in frames {
      bytes += Writer.number(address) + Writer.number(UInt32(1)) + Writer.number(offset)
    }
    return bytes
  }

  private static func record(ended: Bool = true, _ samples: [[UInt8]]) -> [UInt8] {
    var writer = RecordWriter()
    writer.add(12, hang())
    for sample in samples { writer.add(13, sample) }
    writer.add(
      4,
      Writer.number(UInt64(0x1000)) + Writer.number(UInt64(0x3000)) + Writer.number(UInt64(0x1000))
        + Writer.number(UInt32(8)) + Writer.number(UInt32(62)) + Writer.number(UInt32(2)) + [0xab, 0x01]
        + Writer.text("/opt/shop"))
    if ended {
      writer.add(14, Writer.number(UInt64(750_000_000)) + Writer.number(UInt32(5)))
      writer.add(9, Writer.number(UInt32(0)) + Writer.number(UInt64(1)))
    }
    return writer.bytes
  }

  private static let samples = [
    sample(100, [(0x1501, 1), (0x1410, 0x10), (0x1200, 0x100), (0x1100, 0x80)], processor: 70),
    sample(150, [(0x1604, 4), (0x1420, 0x20), (0x1200, 0x100), (0x1100, 0x80)], processor: 120),
    sample(200, [(0x1422, 0x22), (0x1200, 0x100), (0x1100, 0x80)], processor: 170, owner: 90),
  ]

  @Test("becomes a report with the stack that most samples agree in")
  func agreed() throws {
    let report = try read(Self.record(Self.samples))
    let hang = try #require(report.hang)
    #expect(report.kind == .hang && report.faultingThread == 0 && report.exception == nil)
    #expect(report.threads[0].frames.map(\.address).suffix(2) == [0x1200, 0x1100])
    #expect((0x1400..<0x1500).contains(report.threads[0].frames[0].address) && report.threads[0].frames.count == 3)
    #expect(report.threads[0].frames.allSatisfy { $0.image == 0 })
    #expect(hang.duration == 0.75 && hang.severity == .severe && hang.hasEnded && hang.isPartly)
    #expect(hang.activity == .busy && hang.agreeing == 3 && hang.samples.count == 3)
    #expect(hang.samples.map(\.thread) == [1, 2, 3] && hang.samples[2].owner == 90)
  }

  @Test("says that the program was ended while it hung, and how long it had hung by then")
  func killed() throws {
    let report = try read(Self.record(ended: false, Self.samples))
    // Its last look was at 0.2 s, but only one of 0.5 s gets a record.
    #expect(report.hang?.hasEnded == false && report.hang?.duration == 0.5)
    #expect(report.notes.contains("The program was ended while it hung."))
  }

  @Test("is of use to its last whole sample, and nothing without one")
  func cut() throws {
    let bytes = Self.record(Self.samples)
    for length in stride(from: 16, to: bytes.count, by: 3) {
      guard let report = try? read(Array(bytes.prefix(length))) else { continue }
      #expect(report.hang?.samples.isEmpty == false)
    }
    #expect(throws: RawRecordError.self) { try read(Self.record([])) }
  }

  @Test("is read or refused, whatever its sections hold")
  func fuzz() {
    var random = SeededRandom(seed: 29)
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      var writer = RecordWriter()
      for (kind, payload) in [(UInt32(12), Self.hang())] + Self.samples.map({ (UInt32(13), $0) }) {
        var payload = payload
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          payload[Int.random(in: 0..<payload.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        writer.add(kind, Array(payload.prefix(Int.random(in: 0...payload.count * 3, using: &random))))
      }
      writer.add(14, Writer.number(UInt64.random(in: 0...(.max), using: &random)) + Writer.number(UInt32(0)))
      guard let report = try? read(writer.bytes) else { continue }
      #expect(report.hang != nil && !IPSWriter.bytes(of: report).isEmpty)
    }
  }
}
