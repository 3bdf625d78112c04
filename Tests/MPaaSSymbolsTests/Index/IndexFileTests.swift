import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("An index file") struct IndexFileTests {
  private func sample(_ name: String = "gcc-dwarf5") throws -> (lookup: AddressLookup, bytes: [UInt8]) {
    let lookup = try openLookup(Fixture.path("crash/elf/matrix/" + name))
    return (lookup, try IndexFixture.bytes(of: lookup).array)
  }

  @Test("of another version is told apart from a damaged one and from other files", .fixtures)
  func versions() throws {
    var (_, bytes) = try sample()
    #expect(throws: Never.self) { try IndexFile(Bytes(bytes)) }
    bytes[8] = 99
    #expect(throws: IndexFileError.otherVersion(99)) { try IndexFile(Bytes(bytes)) }
    bytes[0] = 0
    #expect(throws: IndexFileError.notAnIndex) { try IndexFile(Bytes(bytes)) }
    #expect(throws: IndexFileError.notAnIndex) { try IndexFile(Bytes([UInt8]())) }
  }

  @Test("whose tables are damaged is refused, whichever byte it is", .fixtures)
  func damagedTables() throws {
    let (_, bytes) = try sample()
    let body = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 40, as: UInt64.self)) }
    for offset in stride(from: 12, to: body, by: 3) {
      var damaged = bytes
      damaged[offset] ^= 0x10
      #expect(throws: IndexFileError.damaged, "offset \(offset)") { try IndexFile(Bytes(damaged)) }
    }
    #expect(throws: IndexFileError.damaged) { try IndexFile(Bytes(bytes.dropLast())) }
  }

  @Test("that is damaged where a look-up reads hands over to the debug information", .fixtures)
  func damagedBody() throws {
    let (lookup, bytes) = try sample()
    var random = SeededRandom(seed: 3)
    let addresses = IndexFixture.addresses(of: lookup, &random)
    let body = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 40, as: UInt64.self)) }
    for _ in 0..<40 {
      var damaged = bytes
      damaged[Int.random(in: body..<bytes.count, using: &random)] ^= 1
      // The pages are looked at when the file is opened.
      guard let file = try? IndexFile(Bytes(damaged)) else { continue }
      let index = IndexedLookup(file) { lookup }
      for _ in 0..<20 {
        let address = try #require(addresses.randomElement(using: &random))
        #expect(index.frames(at: address) == lookup.frames(at: address))
      }
    }
  }

  @Test("made to do harm, its checksums right, never crashes, hangs or takes memory without end", .fixtures)
  func hostile() throws {
    let samples = try ["gcc-dwarf5", "swift-O", "stripped"].map { try sample($0) }
    var random = SeededRandom(seed: 11)
    for round in 0..<SeededRandom.rounds(or: 300) {
      let (lookup, bytes) = samples[round % samples.count]
      var mutant = bytes
      // Most in what the tables lead to: few damaged tables let a file through.
      let body = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 40, as: UInt64.self)) }
      let first = round % 8 == 0 ? 16 : body
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let offset = Int.random(in: first..<mutant.count, using: &random)
        mutant[offset] =
          [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)][Int.random(in: 0..<6, using: &random)]
      }
      IndexFixture.seal(&mutant)
      guard let file = try? IndexFile(Bytes(mutant)) else { continue }
      _ = file.files
      for range in lookup.code.ranges {
        for _ in 0..<8 {
          var count = 0
          let address = UInt64.random(in: range, using: &random)
          _ = file.forEachFrame(at: address) { frame in
            count += 1
            _ = file.text(frame.name)
            _ = file.digest(ofFile: frame.file)
          }
          #expect(count <= 1 << 14)
        }
      }
    }
  }

  @Test("keeps the digests of source files that the compiler wrote", .fixtures)
  func digests() throws {
    let lookup = try openLookup(Fixture.path("crash/elf/matrix/clang-dwarf5"))
    let index = try IndexFixture.index(of: lookup)
    let file = try #require(lookup.file)
    let unit = try #require(file.unit(0))
    let lines = try #require(unit.lines(code: lookup.code))
    let digest = lines.digest(of: 0)
    var found: Set<SourceDigest> = []
    for address in LineRuns(lines).starts {
      _ = index.file.forEachFrame(at: address) { frame in
        if let digest = index.file.digest(ofFile: frame.file) { found.insert(digest) }
      }
    }
    #expect((digest != nil) == !found.isEmpty)
    if let digest { #expect(found.contains(digest)) }
  }

  @Test("is not made where it would take more than the debug information has a use for")
  func bounded() {
    let source = IndexSource(costs: [1], size: 0) { _, part in
      part.begin()
      for address in 0..<UInt64(12_000_000) where !part.isTooLarge {
        part.row(address * 2, part.symbol(name: 0, start: .max), IndexPosition(file: 1, line: UInt32(address & 0xffff)))
      }
    }
    var builder = IndexBuilder(addressSize: 8, hasDebugInfo: true, files: [])
    builder.allowance = 1 << 16
    #expect(throws: IndexBuildError.tooLarge) { try builder.build(source) }
  }

  @Test("is given up when the one who asked for it does not want it any more")
  func cancelled() {
    let source = IndexSource(costs: [1, 1, 1], size: 100) { _, part in
      part.begin()
      part.row(1, .none, IndexPosition())
    }
    let builder = IndexBuilder(addressSize: 8, hasDebugInfo: true, files: []) { _, _ in false }
    #expect(throws: IndexBuildError.cancelled) { try builder.build(source) }
  }
}

extension IndexFixture {
  /// Makes the checksums right again after changes, as one who means harm would.
  static func seal(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
      let body = buffer.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
      let sums = buffer.loadUnaligned(fromByteOffset: IndexFormat.headerSize, as: UInt64.self)
      guard body <= UInt64(buffer.count), sums <= body else { return }
      var start = Int(body)
      var place = Int(sums)
      while start < buffer.count, place + 4 <= Int(body) {
        let end = min(start + IndexFormat.chunkSize, buffer.count)
        buffer.storeBytes(
          of: UnsafeRawBufferPointer(rebasing: buffer[start..<end]).crc32, toByteOffset: place, as: UInt32.self)
        start = end
        place += 4
      }
      guard body >= 16 else { return }
      buffer.storeBytes(
        of: UnsafeRawBufferPointer(rebasing: buffer[16..<Int(body)]).crc32, toByteOffset: 12, as: UInt32.self)
    }
  }
}
