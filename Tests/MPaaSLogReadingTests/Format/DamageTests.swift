import Foundation
import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("A damaged .mplog file") struct LogDamageTests {
  /// The readable blocks of a file, block by block; nil for one that is refused.
  static func read(_ bytes: [UInt8], _ keys: LogKeys, usesIndex: Bool = true) -> (records: [[LogRecord]], bad: Int) {
    guard let file = try? LogFile(Bytes(bytes), usesIndex: usesIndex) else { return ([], 1) }
    var records: [[LogRecord]] = []
    var bad = file.gaps.count
    for block in file.blocks {
      if let read = try? file.records(of: block, keys: keys) { records.append(read) } else { bad += 1 }
    }
    return (records, bad)
  }

  @Test("every flipped byte is detected and costs at most one block", arguments: [true, false], [true, false])
  func flipped(isEncrypted: Bool, hasIndex: Bool) throws {
    let identity = AgeIdentity.generate()
    var sample = try SampleLog(recipients: isEncrypted ? [try #require(identity.recipient)] : [])
    var blocks: [[LogRecord]] = []
    for number in 0..<3 {
      blocks.append(SampleLog.records(3, from: UInt64(number * 3 + 1)))
      try sample.add(blocks[number])
    }
    if hasIndex { try sample.end() }
    let keys = LogKeys([identity])
    var random = SeededRandom(seed: 3)
    for offset in sample.bytes.indices {
      var bytes = sample.bytes
      bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
      let (found, bad) = Self.read(bytes, keys, usesIndex: false)
      #expect(bad >= 1, "offset \(offset) is not detected")
      #expect(found.count >= 2, "offset \(offset) costs more than a block")
      #expect(found.allSatisfy(blocks.contains), "offset \(offset) changed what is read")
      let (quick, _) = Self.read(bytes, keys)
      #expect(quick.count >= 2, "offset \(offset) by the index")
      #expect(quick.allSatisfy(blocks.contains), "offset \(offset) by the index")
    }
  }

  @Test("a file that ends anywhere gives every whole block, and says from where to where nothing is")
  func truncated() throws {
    var sample = try SampleLog()
    var ends = [sample.bytes.count]
    for number in 0..<3 {
      try sample.add(SampleLog.records(3, from: UInt64(number * 3 + 1)))
      ends.append(sample.bytes.count)
    }
    for size in ends[0]..<sample.bytes.count {
      let file = try LogFile(Bytes(sample.bytes.prefix(size)))
      let whole = ends.lastIndex { $0 <= size } ?? 0
      #expect(file.blocks.count == whole)
      let gap = size == ends[whole] ? [] : [LogGap(range: ends[whole]..<size, reason: .torn)]
      #expect(file.gaps == gap)
    }
  }

  @Test("a block that was cut short before another part began costs nothing of that part")
  func tornBeforeNextPart() throws {
    var first = try SampleLog()
    try first.add(SampleLog.records(40))
    let whole = first.bytes.count
    try first.add(SampleLog.records(40, from: 41))
    var second = try SampleLog()
    try second.add(SampleLog.records(5, from: 41))
    try second.add(SampleLog.records(5, from: 46))
    for cut in stride(from: 1, to: first.bytes.count - whole, by: 7) {
      let file = try LogFile(Bytes(first.bytes.dropLast(cut) + second.bytes))
      let records = try file.blocks.flatMap { try file.records(of: $0, keys: LogKeys()) }
      #expect(records.map(\.sequence) == Array(1...50), "\(cut) bytes cut")
      let gap = whole..<first.bytes.count - cut
      #expect(file.gaps.map(\.range) == [gap])
    }
  }

  @Test("whatever bytes there are, reading ends without a crash")
  func mutations() throws {
    let identity = AgeIdentity.generate()
    var random = SeededRandom(seed: 11)
    for isEncrypted in [true, false] {
      var sample = try SampleLog(recipients: isEncrypted ? [try #require(identity.recipient)] : [])
      for number in 0..<4 { try sample.add(SampleLog.records(20, from: UInt64(number * 20 + 1))) }
      try sample.end()
      for _ in 0..<SeededRandom.rounds(or: 300) {
        var bytes = sample.bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = .random(in: 0...255, using: &random)
          case 1: bytes.removeSubrange(place..<min(place + Int.random(in: 1...300, using: &random), bytes.count))
          case 2: bytes.insert(contentsOf: bytes.prefix(place).suffix(200), at: place)
          default: for index in place..<min(place + 8, bytes.count) { bytes[index] = 0xff }
          }
        }
        _ = Self.read(bytes, LogKeys([identity]))
      }
    }
  }

  @Test("columns that contradict each other are refused, also where all checksums fit")
  func columns() throws {
    var random = SeededRandom(seed: 12)
    let segment = SampleLog.staged(SampleLog.records(30))
    let encoder = BlockEncoder(capacity: 1 << 17)
    var chunk = LogChunk(.records)
    let block = try segment.withUnsafeBytes { records in
      Array(try #require(encoder.encode(records, generation: 1, secret: nil, &chunk)))
    }
    let buffer = LogBlockBuffer()
    block.withUnsafeBytes { #expect(buffer.fill(UnsafeRawBufferPointer(rebasing: $0[96...]), chunk)) }
    let content = Array(buffer.bytes)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = content
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<200, using: &random)] = .random(in: 0...255, using: &random)
      }
      var changed = chunk
      changed.flags = []
      bytes.withUnsafeBytes { bytes in
        if buffer.fill(bytes, changed), buffer.openColumns(changed), (try? buffer.makeViews()) != nil {
          for view in buffer.views { _ = buffer.record(view) }
        }
      }
    }
  }
}
