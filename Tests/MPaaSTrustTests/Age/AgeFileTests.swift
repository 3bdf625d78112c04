import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("age, what it refuses") struct AgeFileTests {
  static func decrypt(_ file: some Collection<UInt8>, _ identities: [AgeIdentity], limit: Int = .max) throws -> [UInt8]
  {
    try Array(file).withUnsafeBytes { try Age.decrypt($0, with: identities, limit: limit) }
  }

  static func encrypt(_ plaintext: Data, _ recipients: [AgeRecipient], armored: Bool = false) throws -> [UInt8] {
    try plaintext.withUnsafeBytes { try Age.encrypt($0, to: recipients, armored: armored) }
  }

  static func error(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? TrustError)?.identifier ?? "\(error)"
    }
  }

  @Test("a passphrase opens what it closed, and stands alone")
  func passphrase() throws {
    let file = try Self.encrypt(Data("x".utf8), [.passphrase("geheim", workFactor: 10)])
    #expect(try Self.decrypt(file, [.passphrase("geheim")]) == Array("x".utf8))
    #expect(Self.error { _ = try Self.decrypt(file, [.passphrase("other")]) } == "age-no-identity")
    #expect(Self.error { _ = try Self.decrypt(file, [.generate()]) } == "age-scrypt-not-allowed")
    #expect(
      Self.error { _ = try Self.decrypt(file, [.passphrase("geheim", largestWorkFactor: 9)]) }
        == "age-scrypt-not-allowed")
    let key = try #require(AgeIdentity.generate().recipient)
    let two = [AgeRecipient.passphrase("geheim", workFactor: 10), key]
    #expect(Self.error { _ = try Self.encrypt(Data(), two) } == "age-recipients")
    #expect(Self.error { _ = try Self.encrypt(Data(), []) } == "age-recipients")
    #expect(Self.error { _ = try Self.encrypt(Data(), [.passphrase("")]) } == "age-passphrase-empty")
    #expect(
      Self.error { _ = try Self.encrypt(Data(), [.passphrase("a", workFactor: 23)]) } == "age-scrypt-not-allowed")
  }

  @Test("no bit of a file can be flipped, and no byte left out", arguments: [false, true])
  func flips(armored: Bool) throws {
    let identity = AgeIdentity.generate()
    let file = try Self.encrypt(Data("the fix".utf8), [try #require(identity.recipient)], armored: armored)
    for place in file.indices {
      for bit in Flips.bits(of: place) {
        var changed = file
        changed[place] ^= 1 << UInt8(bit)
        // A line feed behind the last line may as well be a tab or nothing.
        let isSpace = armored && place == file.count - 1 && [0x09, 0x0a, 0x0d, 0x20].contains(changed[place])
        #expect(isSpace || Self.error { _ = try Self.decrypt(changed, [identity]) } != nil, "\(place).\(bit)")
      }
      let isComplete = armored && place >= file.count - 1
      #expect(isComplete || Self.error { _ = try Self.decrypt(file[..<place], [identity]) } != nil, "\(place)")
    }
  }

  @Test("chunks that are left out, moved, doubled or added are found")
  func chunks() throws {
    let identity = AgeIdentity.generate()
    let recipient = try #require(identity.recipient)
    let file = try Self.encrypt(AgeTests.bytes(3 << 16), [recipient])
    let size = 1 << 16 + 16
    let head = Array(file.dropLast(3 * size))
    let parts = (0..<3).map { Array(file.dropFirst(head.count + $0 * size).prefix(size)) }
    #expect(try Self.decrypt(head + parts.joined(), [identity]).count == 3 << 16)
    for order in [
      [0, 1], [0, 2], [1, 2], [1, 0, 2], [0, 2, 1], [0, 0, 1, 2], [0, 1, 2, 2], [0, 1, 2, 0], [2], [],
    ] {
      let changed = head + order.flatMap { parts[$0] }
      #expect(Self.error { _ = try Self.decrypt(changed, [identity]) } == "age-payload-broken", "\(order)")
    }
    #expect(Self.error { _ = try Self.decrypt(file + [0], [identity]) } == "age-payload-broken")
  }

  @Test("more plaintext than the limit is refused")
  func limit() throws {
    let identity = AgeIdentity.generate()
    let file = try Self.encrypt(AgeTests.bytes(70_000), [try #require(identity.recipient)])
    #expect(try Self.decrypt(file, [identity], limit: 70_000).count == 70_000)
    #expect(Self.error { _ = try Self.decrypt(file, [identity], limit: 69_999) } == "age-plaintext-too-long")
  }

  @Test("a file appears only when all of it was authenticated, and the old one stays until then")
  func files() throws {
    let folder = try TemporaryFolder()
    let identity = AgeIdentity.generate()
    let plaintext = AgeTests.bytes(200_000)
    let encrypted = folder.url.appending(path: "f.age"), target = folder.url.appending(path: "f")
    try Age.encrypt(Bytes(plaintext), to: [try #require(identity.recipient)], into: encrypted.path)
    try Age.decrypt(Bytes.mapping(encrypted.path), with: [identity], into: target.path)
    #expect(try Data(contentsOf: target) == plaintext)
    let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    try Data("old".utf8).write(to: target)
    var broken = try Data(contentsOf: encrypted)
    broken[broken.count - 1] ^= 1
    #expect(throws: TrustError.self) { try Age.decrypt(Bytes(broken), with: [identity], into: target.path) }
    #expect(try Data(contentsOf: target) == Data("old".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["f", "f.age"])
  }

  @Test("an identity file has keys and comments, and nothing else")
  func identityFiles() throws {
    let keys = [AgeIdentity.generate(), .generate()]
    let text = try "# made today\n\(#require(keys[0].text))\n\n\(#require(keys[1].text))\n"
    #expect(try AgeIdentity.list(reading: text).map(\.text) == keys.map(\.text))
    #expect(Self.error { _ = try AgeIdentity.list(reading: "# nothing\n") } == "age-key-malformed")
    #expect(Self.error { _ = try AgeIdentity.list(reading: text + "x\n") } == "age-key-malformed")
  }

  @Test("mutated files are refused, or say the same")
  func fuzz() throws {
    var random = SeededRandom(seed: 45)
    let identity = AgeIdentity.generate()
    let recipient = try #require(identity.recipient)
    let plaintext = Data("the fix".utf8)
    let samples = try [false, true].map { armored in
      try Self.encrypt(plaintext, [#require(AgeIdentity.generate().recipient), recipient], armored: armored)
    }
    for round in 0..<SeededRandom.rounds(or: 1000) {
      var bytes = samples[round % 2]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
        case 2: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        default: bytes.insert(0x0a, at: place)
        }
        if bytes.isEmpty { bytes = [0x0a] }
      }
      if let read = try? Self.decrypt(bytes, [identity]) { #expect(Data(read) == plaintext) }
    }
  }
}
