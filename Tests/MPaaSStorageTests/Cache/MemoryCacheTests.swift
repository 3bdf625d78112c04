import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("A memory cache") struct MemoryCacheTests {
  struct Expected: Decodable {
    let file: String
    let policy: String
    let capacity: Int
    let requests: Int
    let hits: Int
  }

  @Test("has the hits of two independent simulators on every trace, to the last one", .fixtures)
  func traces() throws {
    let lines = String(decoding: try Fixture.data("storage/cache/expected.jsonl"), as: UTF8.self)
    var traces: [String: [String]] = [:]
    for line in lines.split(separator: "\n") {
      let expected = try JSONDecoder().decode(Expected.self, from: Data(line.utf8))
      if traces[expected.file] == nil {
        let text = String(decoding: try Fixture.data("storage/cache/\(expected.file)"), as: UTF8.self)
        traces[expected.file] = text.split(separator: "\n").filter { $0 != "*" }.map(String.init)
      }
      let policy = try #require(CachePolicy(rawValue: expected.policy))
      let replay = CacheReplay(traces[expected.file] ?? [], policy, capacity: expected.capacity)
      #expect(replay.requests == expected.requests)
      #expect(replay.hits == expected.hits, "\(line)")
    }
  }

  @Test("with LRU forgets what was used the longest ago")
  func lru() {
    let cache = MemoryCache<Int>(capacity: 3, policy: .lru)
    cache.set(["a": 1])
    cache.set(2, forKey: "b")
    cache.set(3, forKey: "c")
    #expect(cache.value(forKey: "a") == 1)
    #expect(cache.exists(forKey: "b"))
    cache.set(4, forKey: "d")
    #expect(!cache.exists(forKey: "b"))
    #expect(cache.peek(2) == [4, 1])
    #expect(cache.peek(1, fromNewest: false) == [3])
    cache.resize(to: 1)
    #expect(cache.peek(9) == [4])
  }

  @Test("never holds more than its capacity, whatever values cost", arguments: CachePolicy.allCases)
  func costs(_ policy: CachePolicy) {
    let cache = MemoryCache<Int>(capacity: 100, policy: policy)
    var random = SeededRandom(seed: 3)
    for round in 0..<5000 {
      let key = "\(Int.random(in: 0..<60, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0: cache.set(round, forKey: key, cost: Int.random(in: 0...120, using: &random))
      case 1: cache.remove(forKey: key)
      default: _ = cache.value(forKey: key)
      }
      #expect(cache.cost <= 100)
      #expect(cache.peek(.max).count == cache.count)
    }
    cache.removeAll()
    #expect(cache.count == 0 && cache.cost == 0)
  }

  @Test("has room for values whose costs together are more than the greatest number", arguments: CachePolicy.allCases)
  func greatCosts(_ policy: CachePolicy) {
    let cache = MemoryCache<Int>(capacity: .max, policy: policy)
    for round in 0..<20 { cache.set(round, forKey: "\(round % 7)", cost: .max / 2 + round) }
    #expect(cache.count == 1 && cache.cost > .max / 2)
  }

  @Test("keeps no more of the keys of what went than it has room for, though the same ones come again and again")
  func formerKeys() {
    let replay = CacheReplay((0..<20_000).lazy.map { "\($0 % 105)" }, .s3fifo, capacity: 100)
    #expect(replay.ghostPlaces <= 200)
  }

  @Test("finds a value by each text that is equal to its key, whatever its code points are")
  func equalKeys() {
    let cache = MemoryCache<Int>(capacity: 10)
    for (key, other) in [("K", "\u{212a}"), (";a", "\u{37e}a"), ("`", "\u{1fef}"), ("\u{e9}", "e\u{301}")] {
      #expect(key == other)
      cache.set(1, forKey: key)
      #expect(cache.value(forKey: other) == 1)
      cache.set(2, forKey: other)
      #expect(cache.value(forKey: key) == 2)
    }
    #expect(cache.count == 4)
  }

  @Test("forgets what has expired, and keys by their beginning, end, pattern and regular expression")
  func removal() {
    let cache = MemoryCache<Int>(capacity: 100)
    for key in ["ab", "ac", "bc", "cd", "xyz"] { cache.set(1, forKey: key) }
    cache.set(1, forKey: "old", expiry: Date(timeIntervalSince1970: 1))
    #expect(!cache.exists(forKey: "old"))
    #expect(cache.value(forKey: "old") == nil)
    cache.remove(prefix: "a")
    cache.remove(suffix: "c")
    cache.remove(like: "_D")
    cache.remove(matching: /x.*/)
    #expect(cache.count == 0)
    cache.set(1, forKey: "a")
    cache.set(nil, forKey: "a")
    cache.remove(forKeys: ["b"])
    #expect(cache.count == 0)
  }

  @Test("forgets everything when memory is short, where it heeds that")
  func memoryWarning() {
    let (heeding, other) = (MemoryCache<Int>(capacity: 3), MemoryCache<Int>(capacity: 3))
    heeding.heedsMemoryWarnings = true
    func fill() { for cache in [heeding, other] { cache.set(1, forKey: "a") } }
    fill()
    MemoryWarning.tell()
    #expect(heeding.count == 0 && other.count == 1)
    heeding.heedsMemoryWarnings = false
    fill()
    MemoryWarning.tell()
    #expect(heeding.count == 1 && !heeding.heedsMemoryWarnings)
  }

  @Test("keeps its order while threads use it at once")
  func threads() async {
    let cache = MemoryCache<Int>(capacity: 50)
    await withTaskGroup { group in
      for part in 0..<4 {
        group.addTask {
          for round in 0..<5000 {
            if cache.value(forKey: "\(round * (part + 1) % 97)") == nil {
              cache.set(round, forKey: "\(round * (part + 1) % 97)")
            }
          }
        }
      }
    }
    #expect(cache.count <= 50 && cache.peek(.max).count == cache.count)
  }
}
