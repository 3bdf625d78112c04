import Foundation
import MPaaSStorage
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A damaged key-value file") struct SalvageTests {
  /// A file of keys that were each set twice, and what they may have.
  static func sample(_ form: StoreForm) throws -> (StoreFolder, [String: [String]]) {
    let folder = try StoreFolder()
    let store = try folder.open(form.options)
    var values: [String: [String]] = [:]
    for round in 0..<2 {
      for number in 0..<100 {
        let value = "value \(round) of \(number) " + String(repeating: "x", count: number)
        try store.set(value, forKey: "key \(number)", business: "b")
        values["key \(number)", default: []].append(value)
      }
    }
    return (folder, values)
  }

  /// The number of keys whose newest value is lost; each that is left must have been stored once.
  static func lost(_ store: KeyValueStore, _ values: [String: [String]]) throws -> Int {
    var lost = 0
    for key in try store.allKeys(ofBusiness: "b") { #expect(values[key] != nil) }
    for (key, stored) in values {
      let value = try store.string(forKey: key, business: "b")
      #expect(value == nil || stored.contains(value ?? ""))
      if value != stored.last { lost += 1 }
    }
    return lost
  }

  @Test("loses no more records than bytes, and has no false value", arguments: [StoreForm.plain, .encrypted])
  func damage(_ form: StoreForm) throws {
    let (folder, values) = try Self.sample(form)
    let whole = try folder.bytes()
    var random = SeededRandom(seed: 1)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var bytes = whole
      let count = Int.random(in: 1...8, using: &random)
      for _ in 0..<count {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      try folder.put(bytes)
      let store = try KeyValueStore.reading(path: folder.path, key: form.options.key)
      #expect(try Self.lost(store, values) <= count)
    }
  }

  @Test("whose end is torn off loses only what was there, and takes new values")
  func torn() throws {
    let (folder, values) = try Self.sample(.plain)
    let whole = try folder.bytes()
    for cut in stride(from: 1, to: 200, by: 7) {
      try folder.put(Array(whole.dropLast(cut)))
      let store = try folder.open()
      #expect(try Self.lost(store, values) <= 2)
      try store.set("new", forKey: "key 0", business: "b")
      #expect(try folder.open().string(forKey: "key 0", business: "b") == "new")
      #expect(try folder.open().report.isWhole)
    }
  }

  @Test("whose header counts up to the greatest number is read, and takes new values", arguments: [72, 88])
  func lastNumbers(_ field: Int) throws {
    let (folder, values) = try Self.sample(.encrypted)
    var bytes = try folder.bytes()
    for copy in stride(from: 0, to: 4096, by: 1024) {
      bytes.replaceSubrange(copy + field..<copy + field + 8, with: repeatElement(0xff, count: 8))
      var check = CRC32C()
      bytes[copy..<copy + 124].withUnsafeBytes { check.update($0) }
      withUnsafeBytes(of: check.value.littleEndian) { bytes.replaceSubrange(copy + 124..<copy + 128, with: $0) }
    }
    try folder.put(bytes)
    let store = try folder.open(StoreForm.encrypted.options)
    try store.set("new", forKey: "key", business: "c")
    #expect(try store.string(forKey: "key", business: "c") == "new")
    #expect(try Self.lost(store, values) == 0)
  }

  @Test("of any bytes is refused or read, never trusted", arguments: [StoreForm.plain, .encrypted])
  func noise(_ form: StoreForm) throws {
    let (folder, _) = try Self.sample(form)
    let whole = try folder.bytes()
    var random = SeededRandom(seed: 2)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes = (0..<Int.random(in: 0..<9000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      case 1: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      case 2:
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[place...].prefix(500), at: place)
      default:
        let place = Int.random(in: 4096..<bytes.count, using: &random)
        bytes.removeSubrange(place..<min(place + 50, bytes.count))
      }
      try folder.put(bytes)
      do throws(StorageError) { _ = try KeyValueStore(path: folder.path, options: form.options).allKeys() } catch {
        #expect(["kv-malformed", "kv-key-wrong", "kv-key-missing"].contains(error.identifier))
      }
    }
  }

  @Test("is compacted without the value that was damaged on the disk, and with all others in their places")
  func compacted() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    let values = (0..<8).map { String(repeating: "value \($0) ", count: 4000) }
    for (number, value) in values.enumerated() { try store.set(value, forKey: "\(number)") }
    var bytes = try folder.bytes()
    bytes[4096 + 100] ^= 1
    try folder.put(bytes)
    try store.compact()
    for opened in [store, try folder.open()] {
      for (number, value) in values.enumerated() {
        #expect(try opened.string(forKey: "\(number)") == (number == 0 ? nil : value))
      }
    }
  }

  @Test("does not take the copy of a record inside a value for a record")
  func embedded() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    try store.set("old", forKey: "key")
    let record = Array(try folder.bytes()[4096...])
    try store.set("new", forKey: "key")
    try store.set(data: record + record, forKey: "holder")
    var bytes = try folder.bytes()
    let place = try #require(
      bytes.indices.dropFirst(4096 + 40).first { bytes[$0...].starts(with: Array("holder".utf8)) })
    bytes[place] ^= 1
    try folder.put(bytes)
    let damaged = try folder.open()
    #expect(try damaged.string(forKey: "key") == "new")
    #expect(damaged.report.damages == 0 || damaged.report.damages == 1)
    #expect(try damaged.data(forKey: "holder") == nil)
  }

  @Test("is refused with another key, and with none")
  func keys() throws {
    let (folder, values) = try Self.sample(.encrypted)
    let before = try folder.bytes()
    let wrong = #expect(throws: StorageError.self) { try folder.open(KeyValueOptions(key: StorageKey())) }
    #expect(wrong?.identifier == "kv-key-wrong")
    let missing = #expect(throws: StorageError.self) { try folder.open() }
    #expect(missing?.identifier == "kv-key-missing")
    #expect(try folder.bytes() == before)
    let new = StorageKey()
    try folder.open(StoreForm.encrypted.options).changeKey(to: new)
    #expect(try Self.lost(folder.open(KeyValueOptions(key: new)), values) == 0)
    #expect(throws: StorageError.self) { try folder.open(StoreForm.encrypted.options) }
  }

  @Test("that is encrypted shows nothing of what was stored")
  func ciphertext() throws {
    let (folder, _) = try Self.sample(.encrypted)
    let bytes = try Data(folder.bytes())
    #expect(bytes.range(of: Data("value 1 of 50".utf8)) == nil)
    #expect(bytes.range(of: Data("key 5".utf8)) == nil)
    #expect(bytes.range(of: Data("xxxxxxxx".utf8)) == nil)
  }
}
