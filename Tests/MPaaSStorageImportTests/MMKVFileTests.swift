import MPaaSStorage
import MPaaSStorageImport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Files of MMKV") struct MMKVFileTests {
  private static let secret = Array("sixteen byte key".utf8)

  private static func values(_ file: MMKVFile, kinds: ImportKinds = .none) throws -> [String: StoredValue] {
    let records = try file.records(business: "", kinds: kinds, now: 1_800_000_000).records
    return Dictionary(uniqueKeysWithValues: records.map { ($0.key, $0.value) })
  }

  @Test("that the library itself wrote are read, plain and encrypted")
  func real() throws {
    let wanted: [String: StoredValue] = [
      "yes": .integer(1), "no": .integer(0), "launches": .integer(4), "below": .integer(-5),
      "time": .integer(1_700_000_000_000), "half": .double(2.5), "float": .double(1.5), "name": .string("Ann é"),
      "empty": .integer(0), "bytes": .data([255, 0, 128]), "long": .string(String(repeating: "x", count: 300)),
    ]
    let plain = try MMKVFile(MMKVSamples.plain, meta: MMKVSamples.plainMeta, file: "plain")
    #expect(try Self.values(plain) == wanted)
    let guessed = try plain.records(business: "b", now: 0).records.filter(\.isGuess)
    // Three bytes behind their length are as long as a float.
    #expect(Set(guessed.map(\.key)) == ["no", "empty", "bytes"])
    #expect(guessed.allSatisfy { $0.business == "b" })
    let secret = try MMKVFile(
      MMKVSamples.secret, meta: MMKVSamples.secretMeta, key: Self.secret, file: "secret")
    #expect(try Self.values(secret) == wanted)
    let short = try MMKVFile(
      MMKVSamples.short, meta: MMKVSamples.shortMeta, key: Array("short".utf8), file: "short")
    #expect(try Self.values(short) == wanted)
  }

  @Test("give values the kinds that are said, and refuse those that they cannot be")
  func kinds() throws {
    let plain = try MMKVFile(MMKVSamples.plain, meta: MMKVSamples.plainMeta, file: "plain")
    func kinds(_ json: String) throws -> ImportKinds {
      try Array(json.utf8).withUnsafeBytes { try ImportKinds(reading: $0, file: "kinds") }
    }
    let values = try Self.values(
      plain, kinds: kinds(#"{"yes":"bool","n*":"bool","name":"string","empty":"string","lon*":"data"}"#))
    #expect(values["yes"] == .bool(true))
    #expect(values["no"] == .bool(false))
    #expect(values["name"] == .string("Ann é"))
    #expect(values["empty"] == .string(""))
    #expect(values["long"] == .data(Array(repeating: UInt8(ascii: "x"), count: 300)))
    let error = #expect(throws: StorageError.self) {
      try plain.records(business: "", kinds: kinds(#"{"half":"string"}"#), now: 0)
    }
    #expect(error?.identifier == "kv-import-kind")
    #expect(error?.place == .bytes(file: "plain", offset: 0x41))
    #expect(throws: StorageError.self) { try kinds(#"{"a":"nosuch"}"#) }
    #expect(throws: StorageError.self) { try kinds("[]") }
    #expect(throws: StorageError.self) { try kinds("{") }
  }

  @Test("leave out what has expired, and keep the time of what will")
  func expiry() throws {
    let file = try MMKVFile(MMKVSamples.expiring, meta: MMKVSamples.expiringMeta, file: "e")
    #expect(try Self.values(file) == ["kept": .integer(9)])
    let before = try file.records(business: "", now: 0).records
    #expect(before.map(\.key) == ["kept", "old"])
    #expect(before.map { $0.expiry > 0 } == [false, true])
  }

  @Test("are refused with a wrong key or none, and without their file of checksums")
  func keys() throws {
    for key in [nil, Array("another".utf8), Array("sixteen byte keY".utf8)] as [[UInt8]?] {
      let error = #expect(throws: StorageError.self) {
        try MMKVFile(MMKVSamples.secret, meta: MMKVSamples.secretMeta, key: key, file: "s")
      }
      #expect(error?.identifier == "mmkv-key-wrong")
    }
    for meta in [nil, [], [1, 2, 3]] as [[UInt8]?] {
      let error = #expect(throws: StorageError.self) { try MMKVFile(MMKVSamples.plain, meta: meta, file: "p") }
      #expect(error?.identifier == "mmkv-meta-missing")
      #expect(error?.place == .file("p.crc"))
    }
  }

  @Test("that are damaged are refused with the place, each byte of the content and of the checksum")
  func damage() throws {
    for place in MMKVSamples.plain.indices.dropFirst(4) {
      var bytes = MMKVSamples.plain
      bytes[place] ^= 1
      let error = #expect(throws: StorageError.self) {
        try MMKVFile(bytes, meta: MMKVSamples.plainMeta, file: "p")
      }
      #expect(error?.identifier == "mmkv-checksum")
    }
    var empty = MMKVSamples.plainMeta
    empty.replaceSubrange(0..<4, with: [0, 0, 0, 0])
    #expect(throws: StorageError.self) { try MMKVFile(MMKVSamples.plain, meta: empty, file: "p") }
    for place in [0, 28, 29, 30, 31] {
      var meta = MMKVSamples.plainMeta
      meta[place] ^= 1
      #expect(throws: StorageError.self) { try MMKVFile(MMKVSamples.plain, meta: meta, file: "p") }
    }
  }

  @Test("may be read unchecked as far as their lengths lead, which never lead outside")
  func fuzz() throws {
    var random = SeededRandom(seed: 24)
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = MMKVSamples.plain, meta = MMKVSamples.plainMeta
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        meta[Int.random(in: meta.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      do throws(StorageError) {
        let file = try MMKVFile(bytes, meta: meta, file: "p", isChecked: false)
        _ = try file.records(business: "", now: 0)
      } catch {
        #expect(["mmkv-malformed", "mmkv-key-wrong", "mmkv-meta-missing", "mmkv-checksum"].contains(error.identifier))
        if error.identifier == "mmkv-malformed", case .bytes(_, let offset)? = error.place {
          #expect(offset <= UInt64(bytes.count))
        }
      }
    }
  }

  @Test("of any bytes are refused or read, never a trap")
  func noise() throws {
    var random = SeededRandom(seed: 25)
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let meta = (0..<Int.random(in: 0...120, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? MMKVFile(bytes, meta: meta, file: "n", isChecked: false).records(business: "", now: 0)
      _ = try? MMKVFile(bytes, meta: meta, key: Self.secret, file: "n", isChecked: false)
      _ = try? MMKVFile(bytes, meta: nil, file: "n", isChecked: false)
    }
  }
}
