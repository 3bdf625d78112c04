import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSStorage

@Suite("Records encrypted with a key that is kept") struct RecordCipherTests {
  private static let key = StorageKey(appKey: "a secret of the tests")

  /// A cipher that keeps its key, and one that has the platform's library expand it for each record.
  private static func ciphers(_ header: KeyValueHeader) -> (kept: RecordCipher, platform: RecordCipher) {
    (RecordCipher(key, header), RecordCipher(key, header, keepsKey: false))
  }

  #if os(Linux)
    @Test("find the functions of the library that swift-crypto brings along")
    func isThere() { #expect(RecordCipher(Self.key, .fresh(for: Self.key)).keepsKey) }
  #endif

  /// The bytes of a record's body with a value of so many bytes.
  private static func sealed(_ cipher: RecordCipher, value: [UInt8], sequence: UInt64, at offset: UInt64) throws
    -> [UInt8]
  {
    try Array("business".utf8).withUnsafeBytes { business in
      try Array("key".utf8).withUnsafeBytes { key in
        try value.withUnsafeBytes { value in
          let fields = RecordFields(
            flags: RecordFlags(bits: 0), sequence: sequence, expiry: 0, business: business, key: key, value: value)
          let size = 3 + business.count + key.count + value.count
          var body = [UInt8](repeating: 0, count: size + RecordCipher.overhead)
          let isSealed = body.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { cipher.seal(fields, size, to: $0, at: offset) }
          }
          try #require(isSealed == true)
          return body
        }
      }
    }
  }

  private static func opened(_ cipher: RecordCipher, _ body: [UInt8], at offset: UInt64) -> [UInt8]? {
    body.withUnsafeBytes { cipher.open($0, at: offset) { Array($0) } }
  }

  @Test("have the bytes that the platform's library writes, and each reads what the other wrote")
  func sameBytes() throws {
    let header = KeyValueHeader.fresh(for: Self.key)
    let (kept, platform) = Self.ciphers(header)
    var random = SeededRandom(seed: 24)
    for number in 1...400 {
      let value = (0..<Int.random(in: 0...2000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let offset = UInt64.random(in: 0...1 << 40, using: &random)
      let ours = try Self.sealed(kept, value: value, sequence: UInt64(number), at: offset)
      let theirs = try Self.sealed(platform, value: value, sequence: UInt64(number), at: offset)
      #expect(ours == theirs)
      #expect(Self.opened(kept, theirs, at: offset) == Self.opened(platform, ours, at: offset))
      #expect(Self.opened(kept, theirs, at: offset)?.suffix(value.count) == value[...])
    }
  }

  @Test("are refused where a bit, the place or the key is another")
  func refusals() throws {
    let header = KeyValueHeader.fresh(for: Self.key)
    let (kept, _) = Self.ciphers(header)
    let body = try Self.sealed(kept, value: Array("value".utf8), sequence: 7, at: 4096)
    for bit in 0..<body.count * 8 {
      var changed = body
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(Self.opened(kept, changed, at: 4096) == nil)
    }
    #expect(Self.opened(kept, body, at: 4097) == nil)
    #expect(Self.opened(RecordCipher(StorageKey(), header), body, at: 4096) == nil)
    for count in 0..<body.count { #expect(Self.opened(kept, Array(body.prefix(count)), at: 4096) == nil) }
    // What was refused leaves nothing behind for the next record.
    #expect(Self.opened(kept, body, at: 4096) != nil)
  }

  @Test(
    "are read again from a file",
    arguments: [
      StoreForm.encrypted, .encryptedExclusive,
    ])
  func store(form: StoreForm) throws {
    let folder = try StoreFolder()
    let count = 1500
    try {
      let store = try folder.open(form.options)
      for number in 0..<count { try store.set("value \(number)", forKey: "key \(number)", business: "b") }
    }()
    let store = try folder.open(form.options)
    #expect(store.report.isWhole)
    for number in 0..<count {
      #expect(try store.string(forKey: "key \(number)", business: "b") == "value \(number)")
    }
  }
}
