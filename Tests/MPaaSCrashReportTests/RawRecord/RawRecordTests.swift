import Foundation
import MPaaSBase
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

/// Writes records as the crash handler does.
struct RecordWriter {
  var bytes: [UInt8] = Array("MPCRASH\n".utf8) + number(UInt32(1)) + number(UInt32(62))

  static func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func text(_ text: String) -> [UInt8] {
    number(UInt32(text.utf8.count)) + Array(text.utf8)
  }

  mutating func add(_ kind: UInt32, _ payload: [UInt8]) {
    let section = Self.number(kind) + Self.number(UInt32(payload.count)) + payload
    bytes += section + Self.number(Self.checksum(section))
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }
    return ~value
  }

  static func whole(and threads: [[UInt8]] = []) -> RecordWriter {
    var writer = RecordWriter()
    let process: [[UInt8]] = [
      number(UInt32(77)), number(UInt32(1)), number(UInt32(1000)), number(Int64(1_700_000_000)), number(UInt32(5)),
    ]
    let texts =
      ["shop", "/opt/shop", "Shop", "com.example.shop", "2.1", "", "key", ""] + ["Debian", "12", "", "Linux 6", ""]
    writer.add(1, process.joined() + texts.flatMap(text))
    var crash = number(Int32(11)) + number(Int32(1)) + number(Int32(0)) + number(UInt32(1)) + number(UInt64(0x10))
    crash += number(Int32(0)) + number(UInt32(0)) + number(UInt64(78)) + number(Int64(1_700_000_060))
    crash += number(UInt32(7)) + number(UInt64(60_000_000_000)) + number(UInt64(9_000_000_000))
    writer.add(2, crash)
    writer.add(3, thread(78, flags: 5))
    writer.add(
      4,
      number(UInt64(0x1000)) + number(UInt64(0x3000)) + number(UInt64(0x1000)) + number(UInt32(8)) + number(UInt32(62))
        + number(UInt32(2)) + [0xab, 0x01] + text("/opt/shop"))
    writer.add(6, text("libc.so.6") + text("assertion failed"))
    writer.add(7, number(UInt32(1)) + number(Int64(5)) + number(UInt32(6)) + text("opened the cart"))
    writer.add(3, thread(79, flags: 6))
    for thread in threads { writer.add(3, thread) }
    writer.add(99, [1, 2, 3])
    writer.add(9, number(UInt32(0)) + number(UInt64(1)))
    return writer
  }

  static func thread(_ id: UInt64, flags: UInt32, stop: UInt32 = 0) -> [UInt8] {
    var thread = number(id) + number(flags) + number(stop) + text("worker") + number(UInt32(17))
    for register in 0..<17 { thread += number(UInt64(register)) }
    thread += number(UInt64(0x202)) + number(UInt32(3))
    for (address, kind) in [(0x1100, 0), (0x2200, 2), (0x9900, 3)] {
      thread += number(UInt64(address)) + number(UInt32(kind))
    }
    return thread
  }
}

func read(_ bytes: [UInt8]) throws(RawRecordError) -> CrashReport {
  let bytes = Bytes(bytes)
  defer { withExtendedLifetime(bytes) {} }
  return try RawRecord.read(bytes.buffer)
}

@Suite("The reader of raw records") struct RawRecordTests {
  @Test("takes every section into the report")
  func whole() throws {
    let report = try read(RecordWriter.whole().bytes)
    #expect(!report.isPartial)
    #expect(report.notes.count == 1)
    #expect(report.process.pid == 77)
    #expect(report.process.parentPID == 1)
    #expect(report.process.userID == 1000)
    #expect(report.application.identifier == "com.example.shop")
    #expect(report.application.build == nil)
    #expect(report.exception?.codeName == "SEGV_MAPERR")
    #expect(report.exception?.address == 0x10)
    #expect(report.exception?.senderPID == nil)
    #expect(report.process.uptime == 60)
    #expect(report.captured.seconds == 1_700_000_060)
    #expect(report.threads.map(\.id) == [78, 79])
    #expect(report.faultingThread == 0)
    #expect(report.threads[0].frames.map(\.kind) == [.physical, .interrupted, .asynchronous])
    #expect(report.threads[0].frames.map(\.image) == [0, 0, nil])
    #expect(report.threads[0].registers?["rip"] == 16)
    #expect(report.threads[0].registers?["rdx"] == 1)
    #expect(
      report.images == [
        .init(base: 0x1000, size: 0x2000, buildID: "ab01", path: "/opt/shop", architecture: "x86_64", slide: 0x1000)
      ])
    #expect(report.lastWords == ["libc.so.6": ["assertion failed"]])
    #expect(report.breadcrumbs == [.init(time: .init(seconds: 5, nanoseconds: 6), name: "opened the cart")])
  }

  @Test("makes a partial report of every beginning that has the crashed thread, and refuses shorter ones")
  func beginnings() throws {
    let bytes = RecordWriter.whole().bytes
    var partial = 0
    for length in 0..<bytes.count {
      do {
        let report = try read(Array(bytes.prefix(length)))
        #expect(report.isPartial)
        #expect(report.faultingThread == 0)
        partial += 1
      } catch {
        #expect(partial == 0)
      }
    }
    #expect(partial > 300)
  }

  @Test("says of each thread why its stack was cut")
  func cut() throws {
    let threads = (UInt32(0)...7).map { RecordWriter.thread(UInt64(100 + $0), flags: 4, stop: $0) }
    let writer = RecordWriter.whole(and: threads)
    let cuts = try read(writer.bytes).threads.suffix(8).map(\.cut)
    #expect(cuts == [nil, .limit, .loop, .unreadable, .unknown, .late, .unsupported, nil])
  }

  @Test("stops at damage, and never takes a damaged section in")
  func damage() throws {
    let bytes = RecordWriter.whole().bytes
    var random = SeededRandom(seed: 2026)
    let rounds = SeededRandom.rounds(or: 500)
    for _ in 0..<rounds {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let report = try? read(damaged), damaged != bytes { #expect(report.exception?.signal == "SIGSEGV") }
    }
  }

  @Test("survives sections whose checksum is right and whose contents are not")
  func nonsense() throws {
    var random = SeededRandom(seed: 2026)
    let rounds = SeededRandom.rounds(or: 500)
    for _ in 0..<rounds {
      var writer = RecordWriter()
      for kind in 1...9 {
        var payload = RecordWriter.thread(78, flags: 5)
        for _ in 0..<6 {
          let index = Int.random(in: payload.indices, using: &random)
          payload[index] = .random(in: 0...255, using: &random)
        }
        writer.add(UInt32(kind), Array(payload.prefix(Int.random(in: 0...payload.count, using: &random))))
      }
      _ = try? read(writer.bytes)
    }
  }

  @Test("tells what is no record and what is a newer one")
  func others() throws {
    #expect(throws: RawRecordError(.badMagic, offset: 0)) { try read(Array("hello".utf8)) }
    #expect(throws: RawRecordError(.badMagic, offset: 0)) { try read([]) }
    var newer = RecordWriter.whole().bytes
    newer[8] = 2
    #expect(throws: RawRecordError(.newerVersion, offset: 8)) { try read(newer) }
    #expect(throws: RawRecordError(.incomplete, offset: 16)) { try read(RecordWriter().bytes) }
  }
}
