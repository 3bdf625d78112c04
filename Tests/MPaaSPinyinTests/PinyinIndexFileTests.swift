import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSPinyin

@Suite("The file of an index")
struct PinyinIndexFileTests {
  private static let texts = ["张三", "李小龙", "", "Tom张 ·(重庆)", "🙂西安", "e\u{301}一", "ａＢ"]

  private func opened(_ index: PinyinIndex) throws -> PinyinIndex { try PinyinIndex(file: index.fileBytes()) }

  @Test("an index comes back from its file with its texts, numbers, groups and hits")
  func roundTrip() throws {
    let index = PinyinIndex(Self.texts, groups: [0, 1, 0, 2, 0, 0, 3]).adding(["王五", "赵六"]).removing([1, 7])
    let back = try opened(index)
    #expect(back.count == 7)
    #expect(back.endNumber == 9)
    for number in -1...9 {
      #expect(back[number] == index[number])
      #expect(back.group(of: number) == index.group(of: number))
    }
    for text in ["z", "zhang", "重", "tomz", "yi", "w", "cq", "ab"] {
      let query = PinyinQuery(text)
      #expect(back.search(query).hits == index.search(query).hits, "\(text)")
    }
    let more = back.adding(["孙七"])
    #expect(more.search(PinyinQuery("sunq")).hits.map(\.text) == [9])
    #expect(try opened(PinyinIndex([])).adding(["一"]).search(PinyinQuery("yi")).hits.count == 1)
  }

  @Test("a file with other readings keeps them")
  func ownReadings() throws {
    let readings = try SearchReadings(table: "24352\tzhang foo\n")
    let back = try opened(PinyinIndex(["张三"], readings: readings))
    #expect(back.search(PinyinQuery("foo")).total == 1)
    #expect(back.adding(["张四"]).search(PinyinQuery("foo")).total == 2)
  }

  @Test("a file is written and mapped")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/index"
    try PinyinIndex(Self.texts).write(to: path)
    #expect(try PinyinIndex(mapping: path).search(PinyinQuery("lxl")).hits.map(\.text) == [1])
  }

  @Test("a file with changed bytes is refused and never brings a search down, its checksums repaired or not")
  func mutations() throws {
    var random = SeededRandom(seed: 11)
    let readings = try SearchReadings(table: "24352\tzhang\n19977\tsan\n37325\tzhong chong\n35199\txi\n23433\tan\n")
    let index = PinyinIndex(Self.texts, groups: [1, 0, 0, 0, 0, 0, 2], readings: readings, fewestIndexed: 0)
    let original = index.fileBytes().array
    for round in 0..<SeededRandom.rounds(or: 200) {
      var changed = original
      if round % 8 == 0 { changed.removeLast(Int.random(in: 1..<changed.count, using: &random)) }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let near = Bool.random(using: &random) ? changed.count : min(changed.count, 1500)
        changed[Int.random(in: 0..<near, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Bytes between the parts mean nothing.
      let opened = try? PinyinIndex(file: Bytes(changed))
      #expect(opened.map { $0.search(PinyinQuery("z")).hits == index.search(PinyinQuery("z")).hits } ?? true)
      guard round % 8 != 0, let index = try? PinyinIndex(file: Bytes(Self.repaired(changed))) else { continue }
      for text in ["z", "zhangsan", "xian", "重", "e", "()"] {
        for hit in index.search(PinyinQuery(text)).hits { _ = index.ranges(of: PinyinQuery(text), in: hit.text) }
      }
    }
  }

  /// The file with the checksums that its bytes ought to have.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    func put(_ value: UInt64, at offset: Int) {
      withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
    }
    func number(at offset: Int) -> Int {
      bytes.withUnsafeBytes { Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }
    let count = IndexSegment.Part.allCases.count + 2
    for entry in (0..<count).map({ 48 + $0 * 24 }) {
      let (start, size) = (number(at: entry), number(at: entry + 8))
      guard start >= 0, size >= 0, start <= bytes.count, size <= bytes.count - start else { continue }
      put(bytes[start..<start + size].withUnsafeBytes { PinyinIndex.digest($0) }, at: entry + 16)
    }
    let covered = bytes[0..<40] + bytes[48..<48 + count * 24]
    put(Array(covered).withUnsafeBytes { PinyinIndex.digest($0) }, at: 40)
    return bytes
  }
}
