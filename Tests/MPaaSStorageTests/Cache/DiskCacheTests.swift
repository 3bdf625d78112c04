import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("A disk cache") struct DiskCacheTests {
  private func open(
    _ folder: TemporaryFolder, _ policy: CachePolicy = .lru, capacity: Int = 100, key: StorageKey? = nil
  ) throws -> DiskCache {
    // A program that another test starts holds a copy of the lock's descriptor until it runs.
    try DiskCache(
      folder: folder.path + "/cache", capacity: capacity, policy: policy, key: key, lockDeadline: .seconds(30))
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    let path = folder.path + "/cache/files"
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { path + "/" + $0 }
  }

  private func bytes(_ count: Int, _ byte: UInt8 = 1) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  @Test("with LRU forgets what was used the longest ago, also across starts")
  func lru() throws {
    let folder = try TemporaryFolder()
    do {
      let cache = try open(folder)
      for (number, key) in ["a", "b", "c"].enumerated() { try cache.set(bytes(30, UInt8(number)), forKey: key) }
      #expect(try cache.value(forKey: "a") == bytes(30, 0))
      #expect(try cache.peek(forKey: "b") == bytes(30, 1))
      #expect(cache.peek(2) == [bytes(30, 0), bytes(30, 2)])
    }
    let cache = try open(folder)
    #expect(cache.count == 3 && cache.cost == 90)
    try cache.set(bytes(30, 3), forKey: "d")
    #expect(!cache.exists(forKey: "b"))
    #expect(cache.peek(9, fromNewest: false) == [2, 0, 3].map { bytes(30, $0) })
    try cache.resize(to: 30)
    #expect(cache.peek(9) == [bytes(30, 3)])
    #expect(try files(folder).count == 1)
    try cache.set(bytes(31), forKey: "d")
    #expect(!cache.exists(forKey: "d"))
    #expect(try files(folder).isEmpty)
  }

  @Test("holds no more bytes and files than it says, and the same after a start", arguments: CachePolicy.allCases)
  func policies(_ policy: CachePolicy) throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 5)
    for _ in 0..<5 {
      let cache = try open(folder, policy, capacity: 1000)
      let known = cache.peek(.max).count
      #expect(known == cache.count)
      for _ in 0..<300 {
        let key = "\(Int.random(in: 0..<60, using: &random))"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try cache.set(Array(key.utf8) + bytes(Int.random(in: 0...120, using: &random)), forKey: key)
        case 1: try cache.remove(forKey: key)
        default:
          let value = try cache.value(forKey: key)
          #expect(value?.starts(with: key.utf8) != false)
        }
        #expect(cache.cost <= 1000)
      }
      #expect(try files(folder).count == cache.count)
    }
  }

  @Test("forgets what has expired, and keys by their beginning, end, pattern and regular expression")
  func removal() throws {
    let folder = try TemporaryFolder()
    let cache = try open(folder)
    for key in ["ab", "ac", "bc", "cd", "xyz"] { try cache.set(bytes(1), forKey: key) }
    try cache.set(bytes(1), forKey: "old", expiry: Date(timeIntervalSince1970: 1))
    #expect(!cache.exists(forKey: "old"))
    #expect(try cache.value(forKey: "old") == nil)
    #expect(cache.count == 5)
    try cache.remove(prefix: "a")
    try cache.remove(suffix: "c")
    try cache.remove(like: "_D")
    try cache.remove(matching: /x.*/)
    #expect(cache.count == 0)
    try cache.set(["a": bytes(1), "b": bytes(2)])
    try cache.set(nil, forKey: "a")
    try cache.removeAll()
    #expect(try files(folder).isEmpty)
  }

  @Test("returns nothing where a file is missing, damaged, longer or a link, and keeps the others")
  func damage() throws {
    let folder = try TemporaryFolder()
    let cache = try open(folder)
    var paths: [String: String] = [:]
    for key in ["missing", "damaged", "longer", "link", "whole"] {
      let before = Set(try files(folder))
      try cache.set(bytes(10, 7), forKey: key)
      let added = Set(try files(folder)).subtracting(before)
      let path: String = try #require(added.first)
      paths[key] = path
    }
    try FileManager.default.removeItem(atPath: try #require(paths["missing"]))
    try Data(bytes(10, 6)).write(to: URL(filePath: try #require(paths["damaged"])))
    try Data(bytes(11, 7)).write(to: URL(filePath: try #require(paths["longer"])))
    let link = try #require(paths["link"])
    try FileManager.default.removeItem(atPath: link)
    let target = folder.path + "/elsewhere"
    try Data(bytes(10, 7)).write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    for key in ["missing", "damaged", "longer", "link"] {
      #expect(try cache.value(forKey: key) == nil)
      #expect(!cache.exists(forKey: key))
    }
    #expect(try cache.value(forKey: "whole") == bytes(10, 7))
    #expect(FileManager.default.fileExists(atPath: target))
  }

  @Test("begins anew where the index is destroyed, and removes files that no key has")
  func index() throws {
    let folder = try TemporaryFolder()
    do { try open(folder).set(bytes(10), forKey: "a") }
    try Data(bytes(5000, 0x55)).write(to: URL(filePath: folder.path + "/cache/index.mpkv"))
    let cache = try open(folder)
    #expect(cache.count == 0)
    #expect(try files(folder).isEmpty)
    try cache.set(bytes(10), forKey: "a")
    #expect(try cache.value(forKey: "a") == bytes(10))
  }

  @Test("forgets a value whose record in the index has an order after which no other can come")
  func lastOrder() throws {
    let folder = try TemporaryFolder()
    do { try open(folder).set(bytes(10), forKey: "a") }
    do {
      let index = try KeyValueStore(
        path: folder.path + "/cache/index.mpkv", options: KeyValueOptions(sharing: .exclusive))
      let item = try #require(try index.items().first)
      guard case .data(var record)? = item.value else {
        Issue.record("no record")
        return
      }
      record.replaceSubrange(15..<23, with: bytes(8, 0xff))
      try index.set(data: record, forKey: item.key)
    }
    let cache = try open(folder)
    #expect(try cache.value(forKey: "a") == nil)
    try cache.set(bytes(10, 2), forKey: "b")
    #expect(try cache.value(forKey: "b") == bytes(10, 2))
  }

  @Test("encrypts values and names where a key is given, and opens with no other")
  func encryption() throws {
    let folder = try TemporaryFolder()
    let text = Array("a value that is long enough to be found".utf8)
    do {
      let cache = try open(folder, capacity: 1000, key: StoreForm.key)
      try cache.set(text, forKey: "the name of the value")
      try cache.set(text, forKey: "b")
      let paths = try files(folder)
      for path in paths + [folder.path + "/cache/index.mpkv"] {
        let data = try Data(contentsOf: URL(filePath: path))
        #expect(data.range(of: Data("long enough".utf8)) == nil)
        #expect(data.range(of: Data("the name".utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
      #expect(Set(try paths.map { try Data(contentsOf: URL(filePath: $0)) }).count == 2)
    }
    let wrong = #expect(throws: StorageError.self) { try open(folder, capacity: 1000, key: StorageKey()) }
    #expect(wrong?.identifier == "kv-key-wrong")
    #expect(try open(folder, capacity: 1000, key: StoreForm.key).value(forKey: "b") == text)
  }

  @Test("returns a whole value of the key or none while threads use it at once")
  func threads() async throws {
    let folder = try TemporaryFolder()
    let cache = try open(folder, .s3fifo, capacity: 2000)
    try await withThrowingTaskGroup { group in
      for part in 0..<4 {
        group.addTask {
          for round in 0..<200 {
            let number = UInt8(round * (part + 1) % 37)
            if let value = try cache.value(forKey: "\(number)") {
              #expect(value.allSatisfy { $0 == number })
            }
            try cache.set([UInt8](repeating: number, count: 50 + part), forKey: "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(cache.cost <= 2000)
    #expect(try files(folder).count == cache.count)
  }
}
