import MPaaSLogTestSupport
import MPaaSSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogs

@Suite("A .mplog file") struct LogFileTests {
  static func read(_ bytes: [UInt8], _ keys: LogKeys = LogKeys(), usesIndex: Bool = true) throws -> [LogRecord] {
    let file = try LogFile(Bytes(bytes), usesIndex: usesIndex)
    return try file.blocks.flatMap { try file.records(of: $0, keys: keys) }
  }

  @Test("gives back the records that were put into it, plain and encrypted, with an index and without")
  func roundTrip() throws {
    let identity = AgeIdentity.generate()
    let recipient = try #require(identity.recipient)
    for recipients in [[], [recipient, try #require(AgeIdentity.generate().recipient)]] {
      var sample = try SampleLog(recipients: recipients)
      try sample.add(SampleLog.records(100))
      try sample.add(SampleLog.records(1, from: 101))
      let open = sample.bytes
      try sample.end()
      for bytes in [open, sample.bytes, sample.bytes + sample.bytes.suffix(0)] {
        #expect(try Self.read(bytes, LogKeys([identity])) == sample.records)
        #expect(try Self.read(bytes, LogKeys([identity]), usesIndex: false) == sample.records)
      }
    }
  }

  @Test("tells of a block without decoding it: numbers, times, levels, tags")
  func headers() throws {
    var sample = try SampleLog(recipients: [try #require(AgeIdentity.generate().recipient)])
    try sample.add(SampleLog.records(60))
    let file = try LogFile(Bytes(sample.bytes))
    let chunk = try #require(file.blocks.first).chunk
    #expect(chunk.sequences == 1..<61)
    #expect(chunk.recordCount == 60)
    #expect(chunk.levels == 0x3f)
    #expect(chunk.leastTime == sample.records.compactMap(\.time).min())
    #expect(chunk.greatestTime == sample.records.compactMap(\.time).max())
    #expect(chunk.flags.contains([.encrypted, .compressed, .clockJump]))
    #expect(file.parts.first?.type == .diagnostic)
    #expect(file.gaps.isEmpty)
  }

  @Test("an encrypted block is refused without its key, and with somebody else's")
  func keys() throws {
    var sample = try SampleLog(recipients: [try #require(AgeIdentity.generate().recipient)])
    try sample.add(SampleLog.records(3))
    let file = try LogFile(Bytes(sample.bytes), path: "a.mplog")
    for keys in [LogKeys(), LogKeys([.generate()])] {
      let error = #expect(throws: LogError.self) { try file.records(of: file.blocks[0], keys: keys) }
      #expect(error?.code == .keyMissing)
    }
  }
}
