import MPaaSTestSupport
import Testing

@testable import MPaaSSampling

@Suite("Memory by kind") struct MemoryMapTests {
  static let text = """
    00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/app
    Size:                328 kB
    Rss:                 200 kB
    Pss:                 100 kB
    Private_Dirty:         0 kB
    Swap:                  0 kB
    VmFlags: rd ex mr mw me
    00e03000-00e24000 rw-p 00000000 00:00 0           [heap]
    Rss:                  80 kB
    Pss:                  80 kB
    Private_Dirty:        76 kB
    Swap:                  4 kB
    7f2000000000-7f2000001000 r-xp 00001000 08:02 99  /usr/lib/lib name.so
    Rss:                   4 kB
    7f2000001000-7f2000002000 rw-p 00002000 08:02 99  /usr/lib/lib name.so
    Rss:                   4 kB
    7f3000000000-7f3000001000 rw-p 00000000 00:00 0
    Rss:                   4 kB
    7f4000000000-7f4000001000 rw-s 00000000 00:05 7   /dev/shm/ring
    7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0   [stack]

    """

  @Test("is told of each range, by its file and its rights")
  func kinds() {
    let map = MemoryMap(Self.text, program: "/usr/bin/app")
    #expect(
      map.ranges.map(map.kind) == [.program, .heap, .libraries, .libraries, .anonymous, .shared, .stack])
    #expect(map.ranges[2].path == "/usr/lib/lib name.so")
    #expect(map.ranges[1].dirty == 76 * 1024 && map.ranges[1].swapped == 4096)
  }

  @Test("adds up")
  func sums() {
    let sums = MemoryMap(Self.text, program: "/usr/bin/app").sums
    #expect(sums.all.resident == (200 + 80 + 4 + 4 + 4) * 1024)
    #expect(sums.byKind[.libraries]?.count == 2 && sums.byKind[.program]?.proportional == 100 * 1024)
  }

  @Test("reads no range from lines that are none, whatever they hold")
  func malformed() {
    var random = SystemRandomNumberGenerator()
    let bytes = Array(Self.text.utf8)
    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<8 { damaged[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
      let map = MemoryMap(String(decoding: damaged, as: UTF8.self))
      #expect(map.ranges.count <= 8 && map.ranges.allSatisfy { $0.start <= $0.end })
    }
    #expect(MemoryMap("ffffffffffffffff0-1 rw-p 0 0 0\nRss: 99999999999999999999 kB\n").ranges.isEmpty)
  }

  @Test("grows by what a range has more, also where its end has moved")
  func growth() {
    func map(_ end: String, _ resident: Int) -> MemoryMap {
      MemoryMap("1000-\(end) rw-p 0 00:00 0 [heap]\nRss: \(resident) kB\n9000-a000 rw-p 0 00:00 0\nRss: 4 kB\n")
    }
    let growth = MemoryGrowth(from: map("3000", 8), to: map("5000", 16))
    #expect(growth.ranges.map(\.growth) == [8192])
    #expect(growth.byKind == [.heap: 8192])
    let gone = MemoryGrowth(from: map("3000", 8), to: MemoryMap("1000-3000 rw-p 0 00:00 0 [heap]\nRss: 8 kB\n"))
    #expect(gone.ranges.map(\.growth) == [-4096])
  }
}

@Suite("Trends") struct TrendTests {
  private static func series(_ count: Int, _ value: (Double) -> Double) -> [(time: Double, value: Double)] {
    (0..<count).map { (Double($0), value(Double($0))) }
  }

  @Test("of a line have its slope, and an interval that is no wider than rounding")
  func line() throws {
    let trend = try #require(Trend(Self.series(20) { 5 + 3 * $0 }))
    #expect(abs(trend.slope - 3) < 1e-9 && trend.grows && trend.high - trend.low < 1e-6)
  }

  @Test("of figures that go up and down alike are no growth")
  func noise() throws {
    let trend = try #require(Trend(Self.series(40) { $0.remainder(dividingBy: 2) == 0 ? 1 : -1 }))
    #expect(!trend.grows && trend.low < 0 && trend.high > 0)
  }

  @Test("of neighbors that are alike have a wider interval than the same figures in another order")
  func likeness() throws {
    let wave = (0..<60).map { $0 / 15 % 2 == 0 ? 1.0 : -1.0 }
    let alternating = (0..<60).map { $0 % 2 == 0 ? 1.0 : -1.0 }
    let slow = try #require(Trend(wave.enumerated().map { (time: Double($0.offset), value: $0.element) }))
    let fast = try #require(Trend(alternating.enumerated().map { (time: Double($0.offset), value: $0.element) }))
    #expect(slow.high - slow.low > 2 * (fast.high - fast.low))
  }

  @Test("of fewer than four figures, or of one moment, are not told")
  func few() {
    #expect(Trend([(0, 1), (1, 2), (2, 3)]) == nil)
    #expect(Trend([(1, 1), (1, 2), (1, 3), (1, 4)]) == nil)
  }

  @Test(
    "use Student's quantiles",
    arguments: [(1.0, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)])
  func quantiles(_ freedom: Double, _ expected: Double) {
    #expect(abs(Trend.quantile(freedom) - expected) < 0.01)
  }
}
