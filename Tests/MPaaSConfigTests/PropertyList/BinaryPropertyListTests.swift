import Foundation
import MPaaSConfig
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Binary property lists") struct BinaryPropertyListTests {
  static func read(_ bytes: [UInt8]) throws(ConfigError) -> PropertyListValue {
    try PropertyListFile(bytes, file: "a", format: .binary).root
  }

  /// A file of objects as they are, the first of them the top one.
  static func file(_ objects: [[UInt8]], offsetSize: Int = 1, referenceSize: Int = 1) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    func big(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { index in
        let shift = 8 * (size - 1 - index)
        return shift > 56 ? 0 : UInt8(truncatingIfNeeded: number >> shift)
      }
    }
    for offset in offsets { bytes += big(offset, offsetSize) }
    return bytes + [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)] + big(objects.count, 8) + big(0, 8)
      + big(table, 8)
  }

  @Test(
    "reads the files of libplist as plistlib does, references and offsets of all sizes among them", .fixtures,
    .tool("python3"))
  func fixtures() throws {
    let files = try PropertyListFileTests.fixtures()
    let peer = try PropertyListFixtures.peer(files)
    var count = 0
    for path in files {
      let bytes = try PropertyListFileTests.bytes(path)
      guard bytes.starts(with: "bplist".utf8), let expected = peer[path] else { continue }
      let value = try? Self.read(bytes)
      #expect(value.map { PropertyListFixtures.dump($0) } == expected, "\(path)")
      count += 1
    }
    #expect(count > 30)
  }

  @Test("refuses damaged and recursive files with an offset, the crashers of libplist among them", .fixtures)
  func malformed() throws {
    let folder = try Fixture.path("project/plist/libplist")
    let paths =
      try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasPrefix("fuzz/bplist") }
      .map { "\(folder)/\($0)" } + ["\(folder)/data/recursion.bplist"]
    var count = 0
    for path in paths {
      guard let bytes = try? PropertyListFileTests.bytes(path) else { continue }
      do {
        _ = try Self.read(bytes)
      } catch {
        guard case .bytes = error.place else {
          Issue.record("\(path): \(error)")
          continue
        }
        count += 1
      }
    }
    #expect(count >= 7)
    let recursion = #expect(throws: ConfigError.self) {
      try Self.read(try PropertyListFileTests.bytes("\(folder)/data/recursion.bplist"))
    }
    #expect(recursion?.code == .plistBinaryCycle)
  }

  static let numbers: [([UInt8], PropertyListValue)] = [
    ([0x10, 0xff], .integer(255)), ([0x11, 0xff, 0xff], .integer(65535)),
    ([0x12, 0xff, 0xff, 0xff, 0xff], .integer(4_294_967_295)),
    ([0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], .integer(-2)),
    (
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8),
      PropertyListValue(.integer(PropertyListInteger(UInt64.max)))
    ),
    ([0x14] + [UInt8](repeating: 0xff, count: 16), .integer(-1)),
    ([0x22, 0x3f, 0xc0, 0, 0], .real(1.5)), ([0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], .real(1.5)),
    ([0x80, 7], PropertyListValue(.uid(7))), ([0x83, 0, 1, 0, 0], PropertyListValue(.uid(65536))),
    ([0x8f] + [UInt8](repeating: 0, count: 15) + [9], PropertyListValue(.uid(9))),
    ([0x62, 0xd8, 0x3d, 0xde, 0], .string("😀")), ([0x52, 0x61, 0x62], .string("ab")),
    ([0x72, 0xc3, 0xa9], .string("é")), ([0x5f, 0x10, 2, 0x61, 0x62], .string("ab")), ([0x42, 1, 2], .data([1, 2])),
    ([0xc0], .array([])), ([0xb0], .array([])), ([0xd0], .dictionary([])),
  ]

  @Test("knows every kind of object", arguments: numbers)
  func objects(bytes: [UInt8], value: PropertyListValue) throws {
    for (offsetSize, referenceSize) in [(1, 1), (2, 8), (3, 4), (8, 3)] {
      #expect(try Self.read(Self.file([bytes], offsetSize: offsetSize, referenceSize: referenceSize)) == value)
    }
    let array = Self.file([[0xa2, 0, 1, 0, 1], bytes], referenceSize: 2)
    #expect(try Self.read(array) == .array([value, value]))
  }

  static let refused: [([[UInt8]], ConfigError.Code, UInt64)] = [
    ([[0x00]], .plistBinaryObject, 8), ([[0x0f]], .plistBinaryObject, 8),
    ([[0x15] + [UInt8](repeating: 0, count: 32)], .plistBinaryObject, 8),
    ([[0xe0]], .plistBinaryObject, 8), ([[0xa1, 1]], .plistBinaryReference, 9), ([[0xa1, 0]], .plistBinaryCycle, 8),
    ([[0xa1, 1], [0xa1, 0]], .plistBinaryCycle, 8), ([[0xd1, 1, 1], [0x10, 0]], .plistBinaryKey, 11),
    ([[0x51, 0x80]], .plistBinaryText, 8), ([[0x61, 0xd8, 0]], .plistBinaryText, 8),
    ([[0x71, 0xff]], .plistBinaryText, 8),
    ([[0x5f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], .plistBinaryTruncated, 8),
    ([[0x33, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0]], .plistBinaryObject, 8), ([[0x5f, 0x50]], .plistBinaryObject, 8),
  ]

  @Test("names the offset of what cannot be", arguments: refused)
  func places(objects: [[UInt8]], code: ConfigError.Code, offset: UInt64) {
    let error = #expect(throws: ConfigError.self) { try Self.read(Self.file(objects)) }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.place == .bytes(file: "a", offset: offset), "\(String(describing: error))")
  }

  @Test("a small file that would be without end is refused in time")
  func bomb() {
    // Each array holds the next one twelve times.
    var objects = (1...40).map { [0xac] + [UInt8](repeating: UInt8($0), count: 12) }
    objects.append([0x51, 0x61])
    let error = #expect(throws: ConfigError.self) { try Self.read(Self.file(objects, offsetSize: 2)) }
    #expect(error?.code == .plistTooLarge)
    let deep = (1...600).map { [0xa1, UInt8($0 >> 8), UInt8($0 & 255)] } + [[0x09]]
    let tooDeep = #expect(throws: ConfigError.self) { try Self.read(Self.file(deep, offsetSize: 2, referenceSize: 2)) }
    #expect(tooDeep?.code == .plistTooDeep)
  }

  @Test("equal leaves are written once, and keys that look the same are not the same")
  func unique() throws {
    let long = String(repeating: "a long string ", count: 30)
    let value = PropertyListValue.array(
      (0..<500).map {
        .dictionary([("name", .string(long)), ("e\u{301}", .integer($0 % 3)), ("é", .data([1, 2, 3]))])
      })
    let bytes = try PropertyListFile.bytes(of: value, as: .binary, file: "a")
    #expect(bytes.count < 10_000)
    #expect(try Self.read(bytes) == value)
    #expect(value.values?.first?.members?.count == 3)
  }

  @Test("dates keep their parts of a second, and lie in the years 0 to 9999")
  func dates() throws {
    for text in ["0001-01-01T00:00:00Z", "1600-02-29T12:34:56Z", "2000-12-31T23:59:59Z", "9999-12-31T23:59:59Z"] {
      let date = try #require(PropertyListDate(text))
      let bytes = try PropertyListFile.bytes(of: PropertyListValue(.date(date)), as: .binary, file: "a")
      #expect(try Self.read(bytes) == PropertyListValue(.date(date)), "\(text)")
    }
    let half: [UInt8] = [0x33] + (0..<8).map { UInt8(truncatingIfNeeded: (0.5).bitPattern >> (56 - 8 * UInt64($0))) }
    let value = try Self.read(Self.file([half]))
    #expect(value.plainText == "2001-01-01T00:00:00Z")
    let again = try PropertyListFile.bytes(of: value, as: .binary, file: "a")
    #expect(try Self.read(again) == value)
    #expect(again.contains(0xe0))
  }

  @Test("never crashes or hangs on damaged files", .fixtures)
  func fuzz() throws {
    var random = SeededRandom(seed: 8)
    let seeds = try PropertyListFileTests.fixtures().compactMap { try? PropertyListFileTests.bytes($0) }
      .filter { $0.starts(with: "bplist".utf8) && $0.count < 6000 }
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        // The trailer and the table are small and rarely met by chance.
        let isEnd = Bool.random(using: &random)
        let place =
          isEnd
          ? bytes.count - Int.random(in: 1...min(60, bytes.count), using: &random)
          : Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default:
          bytes[place] =
            [0, 1, 0x7f, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
      }
      guard let file = try? PropertyListFile(bytes, file: "a", format: .binary) else { continue }
      let written = try PropertyListFile.bytes(of: file.root, as: .binary, file: "a")
      #expect(try Self.read(written) == file.root || file.root.holdsOtherForms)
    }
  }
}
