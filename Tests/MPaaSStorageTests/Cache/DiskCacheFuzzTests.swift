import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("The files of a disk cache") struct DiskCacheFuzzTests {
  private static let keys = (0..<20).map { "key \($0)" }

  private static func value(_ number: Int) -> [UInt8] { (0..<40 + number * 9).map { UInt8(($0 + number) & 255) } }

  private static func damage(_ path: String, _ random: inout SeededRandom) throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: bytes[place] ^= .random(in: 1...255, using: &random)
      case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...300, using: &random), bytes.count))
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(200), at: place)
      default: bytes = (0..<Int.random(in: 0...6000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      }
    }
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test("of any bytes give whole values or none, and the cache goes on", arguments: [nil, StoreForm.key])
  func anyBytes(_ key: StorageKey?) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/cache"
    func open() throws -> DiskCache {
      // A program that another test starts holds a copy of the lock's descriptor until it runs.
      try DiskCache(folder: path, capacity: 100_000, policy: .lru, key: key, lockDeadline: .seconds(30))
    }
    var random = SeededRandom(seed: 9)
    for round in 0..<SeededRandom.rounds(or: 60) {
      do {
        let cache = try open()
        for (number, key) in Self.keys.enumerated() { try cache.set(Self.value(number), forKey: key) }
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: path + "/files").sorted()
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let name = files.randomElement(using: &random).map { "/files/\($0)" } ?? "/index.mpkv"
        try Self.damage(path + (Bool.random(using: &random) ? "/index.mpkv" : name), &random)
      }
      do {
        let cache = try open()
        for (number, key) in Self.keys.enumerated() {
          let value = try cache.value(forKey: key)
          #expect(value == nil || value == Self.value(number), "round \(round)")
        }
      } catch let error as StorageError {
        #expect(error.identifier.hasPrefix("kv-"), "round \(round)")
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
