import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSSymbols

@Suite("A damaged index") struct IndexDamageTests {
  private enum Damage: CaseIterable {
    case flippedBits, changedBytes, truncated, extended, zeroed, swapped, moved
  }

  private func damaged(_ bytes: [UInt8], _ damage: Damage, _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    func place(_ size: Int, _ random: inout SeededRandom) -> Range<Int> {
      let start = Int.random(in: 0..<max(bytes.count - size, 1), using: &random)
      return start..<min(start + size, bytes.count)
    }
    let size = [1, 16, 512, 4096, 16_384][Int.random(in: 0..<5, using: &random)]
    switch damage {
    case .flippedBits:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    case .changedBytes:
      for index in place(min(size, 64), &random) { bytes[index] = UInt8.random(in: 0...255, using: &random) }
    case .truncated: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case .extended: bytes += [UInt8](repeating: 0, count: size)
    case .zeroed: for index in place(size, &random) { bytes[index] = 0 }
    case .swapped:
      let first = place(size, &random), second = place(size, &random)
      let kept = Array(bytes[first])
      bytes.replaceSubrange(first.lowerBound..<first.lowerBound + first.count, with: bytes[second])
      if bytes.count >= second.lowerBound + kept.count {
        bytes.replaceSubrange(second.lowerBound..<second.lowerBound + kept.count, with: kept)
      }
    case .moved:
      let range = place(size, &random)
      bytes.insert(contentsOf: bytes[range], at: range.lowerBound)
      bytes.removeSubrange(range)
      bytes.rotate(by: 1, in: range)
    }
    return bytes
  }

  @Test("changes no answer: it is refused, or the debug information is asked instead", .fixtures)
  func answers() throws {
    let samples = try ["symbolic_crash.debug-zlib", "symbolic_crash", "matrix/swift-O", "matrix/stripped"].map { name in
      let lookup = try openLookup(Fixture.path("crash/elf/" + name))
      var random = SeededRandom(seed: 5)
      let all = IndexFixture.addresses(of: lookup, &random)
      let addresses = (0..<300).map { _ in all[Int.random(in: all.indices, using: &random)] }
      return (
        lookup: lookup, bytes: try IndexFixture.bytes(of: lookup).array, addresses: addresses,
        answers: addresses.map { lookup.frames(at: $0) }
      )
    }
    var random = SeededRandom(seed: 29)
    let replaced = Atomic(0)
    var refused = 0, changed = 0
    for round in 0..<SeededRandom.rounds(or: 280) {
      let sample = samples[round % samples.count]
      let damage = Damage.allCases[round / samples.count % Damage.allCases.count]
      let bytes = damaged(sample.bytes, damage, &random)
      guard bytes != sample.bytes else { continue }
      guard let file = try? IndexFile(Bytes(bytes)) else {
        refused += 1
        continue
      }
      let index = IndexedLookup(file) {
        replaced.add(1, ordering: .relaxed)
        return sample.lookup
      }
      for (address, answer) in zip(sample.addresses, sample.answers) where index.frames(at: address) != answer {
        changed += 1
        Issue.record("\(damage) in round \(round) changed the answer for 0x\(String(address, radix: 16))")
        break
      }
    }
    #expect(changed == 0)
    #expect(refused > 20)
    #expect(replaced.load(ordering: .relaxed) > 20)
  }

  @Test("whose texts alone are damaged gives no frame without its name", .fixtures)
  func texts() throws {
    let lookup = try openLookup(Fixture.path("crash/elf/symbolic_crash.debug-zlib"))
    let intact = try IndexFile(IndexFixture.bytes(of: lookup))
    var bytes = intact.bytes.array
    // The first chunk of the pool holds the ends of what stands before it.
    try #require(intact.pool.count > 2 * IndexFormat.chunkSize)
    for place in intact.pool.dropFirst(IndexFormat.chunkSize) { bytes[place] ^= 0x55 }
    let file = try IndexFile(Bytes(bytes))
    let index = IndexedLookup(file) { lookup }
    var random = SeededRandom(seed: 31)
    var noticed = 0
    for address in IndexFixture.addresses(of: lookup, &random).prefix(2000) {
      if !file.forEachFrame(at: address, { _ in }) { noticed += 1 }
      #expect(index.frames(at: address) == lookup.frames(at: address))
    }
    #expect(noticed > 100)
  }

  @Test("answers nothing where the debug information is gone that it was made of", .fixtures)
  func lost() throws {
    let lookup = try openLookup(Fixture.path("crash/elf/symbolic_crash.debug-zlib"))
    let intact = try IndexFile(IndexFixture.bytes(of: lookup))
    var bytes = intact.bytes.array
    for place in intact.blocks.dropFirst(IndexFormat.chunkSize) { bytes[place] ^= 0x55 }
    let index = IndexedLookup(try IndexFile(Bytes(bytes))) { nil }
    var random = SeededRandom(seed: 37)
    let addresses = IndexFixture.addresses(of: lookup, &random).filter { !lookup.frames(at: $0).isEmpty }
    let address = try #require(addresses.first { !index.file.forEachFrame(at: $0) { _ in } })
    #expect(index.frames(at: address) == [])
    #expect(index.isLost)
  }
}

extension [UInt8] {
  fileprivate mutating func rotate(by count: Int, in range: Range<Int>) {
    guard range.count > count else { return }
    let turned = self[range.lowerBound + count..<range.upperBound] + self[range.lowerBound..<range.lowerBound + count]
    replaceSubrange(range, with: turned)
  }
}
