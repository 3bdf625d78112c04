import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The number of different users") struct HyperLogLogTests {
  /// Evenly spread values, as keyed digests are.
  private static func members(_ count: Int, seed: UInt64) -> [UInt64] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt64.random(in: .min ... .max, using: &random) }
  }

  @Test(
    "is off by less than four standard errors, from none to a million", arguments: [0, 1, 10, 1_001, 20_000, 1_000_000])
  func bounds(count: Int) {
    var sketch = HyperLogLog()
    for member in Self.members(count, seed: UInt64(count) + 7) { sketch.insert(member) }
    #expect(abs(Double(sketch.estimate) - Double(count)) <= 4 * 0.0081 * Double(count) + 0.5)
  }

  @Test("has a standard error of 0.81 % over many sets")
  func standardError() {
    let (sets, count) = (60, 30_000)
    let errors = (0..<sets).map { seed -> Double in
      var sketch = HyperLogLog()
      for member in Self.members(count, seed: UInt64(seed) * 977 + 1) { sketch.insert(member) }
      return Double(sketch.estimate) / Double(count) - 1
    }
    let spread = (errors.reduce(0) { $0 + $1 * $1 } / Double(sets)).squareRoot()
    #expect(spread < 0.0081 * 1.3)
    #expect(abs(errors.reduce(0, +) / Double(sets)) < 0.004)
  }

  @Test("stays the same whatever comes twice, in any order, in one set or united from two, and in a row")
  func unions() throws {
    let members = Self.members(30_000, seed: 5)
    var (all, left, right) = (HyperLogLog(), HyperLogLog(), HyperLogLog())
    for member in members { all.insert(member) }
    for member in members.prefix(20_000).reversed() { left.insert(member) }
    for member in members.suffix(20_000) { right.insert(member) }
    left.formUnion(right)
    #expect(left == all)
    let isNew = left.insert(members[7])
    #expect(!isNew)
    #expect(try #require(HyperLogLog(all.bytes)) == all)
    #expect(all.bytes.count == 12_288)
    #expect(HyperLogLog([UInt8](repeating: 0xff, count: HyperLogLog.size)) == nil)
    #expect(HyperLogLog([UInt8](repeating: 0, count: 8)) == nil)
  }

  @Test("is exact up to 1,000 a day, and an estimate beyond")
  func sets() {
    let members = Self.members(1_001, seed: 3)
    var set = MemberSet()
    var changes = members.prefix(1_000).map { set.insert($0) }
    #expect(!changes.contains(false))
    changes = [set.insert(members[0])]
    #expect(changes == [false])
    #expect(set.isExact && set.count == 1_000)
    #expect(MemberSet(set.bytes) == set)
    set.insert(members[1_000])
    #expect(!set.isExact)
    #expect(abs(set.count - 1_001) < 33)
    #expect(MemberSet(set.bytes) == set)
    #expect(MemberSet([1, 2, 3]).count == 0)
  }

  @Test("of several days counts each user once, exactly where each day is exact")
  func days() {
    let members = Self.members(3_000, seed: 4)
    var all = MemberUnion()
    for start in stride(from: 0, to: 2_500, by: 500) {
      var day = MemberSet()
      for member in members[start..<start + 1_000 - start % 2] { day.insert(member) }
      all.add(day)
    }
    #expect(all.isExact && all.count == 3_000)
    var day = MemberSet()
    for member in members { day.insert(member) }
    all.add(day)
    #expect(!all.isExact)
    #expect(abs(all.count - 3_000) < 100)
  }
}
