import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("Contents decompressed as they are read") struct LazyContentsTests {
  /// Numbers that tell where they stand, and the same in a zlib stream.
  private func sample() throws -> (plain: [UInt8], packed: [UInt8]) {
    var plain: [UInt8] = []
    for number in 0..<UInt32(3_000_000) { withUnsafeBytes(of: number &* 2_654_435_761 >> 12) { plain += $0 } }
    let folder = try TemporaryFolder()
    try Bytes(plain).write(to: folder.path + "/plain")
    let script = """
      import sys, zlib
      open(sys.argv[2], "wb").write(zlib.compress(open(sys.argv[1], "rb").read(), 1))
      """
    let outcome = try Command.run("python3", ["-c", script, folder.path + "/plain", folder.path + "/packed"])
    try #require(outcome.status == 0)
    return (plain, try Bytes.mapping(folder.path + "/packed").array)
  }

  @Test("are the same from whichever side they are asked for", .tool("python3"))
  func anyOrder() throws {
    let (plain, packed) = try sample()
    let ranges = [7_000_000..<7_000_100, 9_000_000..<9_000_001, 10..<20, 6_999_990..<7_000_000, 0..<plain.count]
    for first in ranges.indices {
      let contents = try #require(LazyContents(Bytes(packed), size: plain.count))
      for range in ranges[first...] + ranges[..<first] {
        contents.require(range.lowerBound, range.upperBound)
        let part = UnsafeRawBufferPointer(rebasing: contents.bytes.buffer[range])
        #expect(part.elementsEqual(plain[range]))
      }
      #expect(contents.isWhole)
    }
  }

  @Test("of a damaged stream are zero where it ends", .tool("python3"))
  func damaged() throws {
    let (plain, packed) = try sample()
    let contents = try #require(LazyContents(Bytes(packed.prefix(packed.count / 2)), size: plain.count))
    contents.require(plain.count - 10, plain.count)
    contents.require(0, plain.count)
    #expect(contents.isWhole)
    #expect(contents.bytes.buffer.suffix(10).allSatisfy { $0 == 0 })
    #expect(contents.bytes.buffer.prefix(1000).elementsEqual(plain.prefix(1000)))
    #expect(LazyContents(Bytes([1, 2, 3]), size: 100) == nil)
  }
}
