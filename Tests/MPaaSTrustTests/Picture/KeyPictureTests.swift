import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The key picture") struct KeyPictureTests {
  static let bundle = "com.example.shop"

  /// A gray JPEG of 8 × 8 pixels: tables with a single code each, and one block of nothing but zeros.
  static let jpeg: [UInt8] = {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xff, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xff)] + body
    }
    let counts: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
    return [0xff, 0xd8] + segment(0xe0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
      + segment(0xdb, [0] + [UInt8](repeating: 16, count: 64)) + segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
      + segment(0xc4, [0x00] + counts + [0]) + segment(0xc4, [0x10] + counts + [0])
      + segment(0xda, [1, 1, 0, 0, 63, 0]) + [0x3f, 0xff, 0xd9]
  }()

  static func pairs(_ values: [String: String] = ["app key": "4b1d-2c", "gateway": "s3cr3t=", "支付": "密钥"]) throws
    -> KeyPairs
  {
    var pairs = KeyPairs()
    for (name, value) in values { try pairs.set(name, value) }
    return pairs
  }

  static func encoded(_ carrier: [UInt8]?, _ pairs: KeyPairs? = nil, passphrase: String? = nil) throws -> [UInt8] {
    try KeyPicture.encode(
      pairs ?? Self.pairs(), in: carrier.map { Bytes($0) }, bundleIdentifier: bundle,
      passphrase: passphrase.map { SecretBytes(copying: $0) })
  }

  static let carriers: [[UInt8]?] = [nil, jpeg]

  @Test("what was put in comes out for the app that it was made for", arguments: carriers)
  func roundTrip(carrier: [UInt8]?) throws {
    let picture = try KeyPicture(Data(Self.encoded(carrier)), bundleIdentifier: Self.bundle)
    #expect(picture.names == ["app key", "gateway", "支付"])
    #expect(picture["gateway"] == "s3cr3t=")
    #expect(picture["支付"] == "密钥")
    #expect(picture["other"] == nil)
    #expect(picture.withValue(of: "app key") { $0.count } == 7)
  }

  @Test(
    "it opens for no other bundle identifier", arguments: ["com.example.shop2", "com.example.Shop", "com.example", ""])
  func otherApp(bundle: String) throws {
    let bytes = Data(try Self.encoded(nil))
    let found = refusal { try KeyPicture(bytes, bundleIdentifier: bundle) }
    #expect(found == (bundle.isEmpty ? "key-picture-bundle" : "key-picture-closed"))
  }

  @Test("one with a passphrase opens with it only")
  func passphrase() throws {
    let bytes = Data(try Self.encoded(nil, passphrase: "pw"))
    #expect(try KeyPicture(bytes, bundleIdentifier: Self.bundle, passphrase: "pw")["gateway"] == "s3cr3t=")
    #expect(refusal { try KeyPicture(bytes, bundleIdentifier: Self.bundle, passphrase: "pv") } == "key-picture-closed")
    #expect(refusal { try KeyPicture(bytes, bundleIdentifier: Self.bundle) } == "key-picture-passphrase")
  }

  @Test("every other byte of the carrier stays, also when pairs are exchanged", arguments: carriers)
  func carrier(carrier: [UInt8]?) throws {
    let first = try Self.encoded(carrier)
    let second = try Self.encoded(first, Self.pairs(["a": "b"]))
    #expect(try KeyPicture(Data(second), bundleIdentifier: Self.bundle).names == ["a"])
    let prefix = zip(first, second).prefix { $0 == $1 }.count
    let suffix = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    // Only salt, cipher text and check sum differ; the sizes are the same by the padding.
    #expect(first.count == second.count)
    #expect(first.count - prefix - suffix <= 320)
    if let carrier {
      #expect(first.starts(with: carrier.prefix(20)))
      #expect(first.suffix(carrier.count - 20).elementsEqual(carrier.dropFirst(20)))
    }
  }

  @Test("the size tells little of the values")
  func padding() throws {
    let small = try Self.encoded(nil, Self.pairs(["a": "1"]))
    let large = try Self.encoded(nil, Self.pairs(["a": String(repeating: "1", count: 200)]))
    #expect(small.count == large.count)
  }

  @Test("no bit of the payload or of what marks it can be changed", arguments: carriers)
  func bits(carrier: [UInt8]?) throws {
    let original = try Self.encoded(carrier, Self.pairs(["a": "b"]))
    let plain = carrier ?? Self.withoutKeys(original)
    let start = zip(original, plain).prefix { $0 == $1 }.count
    let range = start..<start + original.count - plain.count
    for place in range {
      for bit in 0..<8 {
        var changed = original
        changed[place] ^= 1 << UInt8(bit)
        #expect(throws: TrustError.self, "byte \(place), bit \(bit)") {
          try KeyPicture(Data(changed), bundleIdentifier: Self.bundle)
        }
      }
    }
  }

  /// A picture of ours without its chunk.
  static func withoutKeys(_ picture: [UInt8]) -> [UInt8] {
    let type = Array("mpKs".utf8)
    for place in 8..<picture.count - 4 where Array(picture[place..<place + 4]) == type {
      let count = picture[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
      return Array(picture[..<(place - 4)]) + Array(picture[(place + 8 + count)...])
    }
    return picture
  }

  @Test("a second payload is refused, and a picture without one says so", arguments: [true, false])
  func twice(isPNG: Bool) throws {
    let picture = try Self.encoded(isPNG ? nil : Self.jpeg)
    let plain = isPNG ? Self.withoutKeys(picture) : Self.jpeg
    #expect(refusal { try KeyPicture(Data(plain), bundleIdentifier: Self.bundle) } == "key-picture-none")
    let start = zip(picture, plain).prefix { $0 == $1 }.count
    let end = picture.count - zip(picture.reversed(), plain.reversed()).prefix { $0 == $1 }.count
    // The common ends overlap where the payload begins with what follows it.
    let shift = max(0, (picture.count - plain.count) - (end - start))
    let part = picture[(start - 0)..<(end + shift)]
    let twice = picture[..<start] + part + picture[start...]
    #expect(refusal { try KeyPicture(Data(twice), bundleIdentifier: Self.bundle) } == "key-picture-twice")
  }

  @Test(
    "what is no picture, or a broken one, is refused",
    arguments: [[], [0x89], Array("GIF89a".utf8), [0xff, 0xd8, 0xff], Array(jpeg.prefix(30))])
  func broken(bytes: [UInt8]) throws {
    #expect(["key-picture-carrier", "key-picture-broken"].contains(refusal { try Self.encoded(bytes) }))
  }

  @Test("names and sizes have limits")
  func limits() throws {
    var pairs = KeyPairs()
    #expect(refusal { try pairs.set("", "x") } == "key-pair-name")
    #expect(refusal { try pairs.set("a\u{1}", "x") } == "key-pair-name")
    try pairs.set("a", String(repeating: "x", count: 65_200))
    #expect(refusal { try pairs.set("b", String(repeating: "x", count: 200)) } == "key-picture-too-large")
    let picture = try KeyPicture(Data(Self.encoded(Self.jpeg, pairs)), bundleIdentifier: Self.bundle)
    #expect(picture["a"]?.utf8.count == 65_200)
  }

  @Test("a decoder of pictures shows what it showed before", .tool("python3"))
  func decoder() throws {
    let folder = try TemporaryFolder()
    let picture = try Self.encoded(nil)
    try Data(picture).write(to: folder.url.appending(path: "a.png"))
    try Data(Self.withoutKeys(picture)).write(to: folder.url.appending(path: "b.png"))
    let program = """
      import sys, struct, zlib
      def pixels(path):
          data, place, image = open(path, 'rb').read(), 8, b''
          assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
          while place < len(data):
              size, = struct.unpack('>I', data[place:place + 4])
              body = data[place + 4:place + 8 + size]
              assert zlib.crc32(body) == struct.unpack('>I', data[place + 8 + size:place + 12 + size])[0]
              if body[:4] == b'IDAT': image += body[4:]
              place += 12 + size
          return zlib.decompress(image)
      a, b = map(pixels, sys.argv[1:])
      assert a == b and len(a) == 32 * (32 * 3 + 1)
      """
    let run = try Command.run("python3", ["-c", program, folder.path + "/a.png", folder.path + "/b.png"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("mutated pictures open as they were or are refused")
  func fuzz() throws {
    var random = SeededRandom(seed: 7)
    let seeds = [try Self.encoded(nil), try Self.encoded(Self.jpeg)]
    for round in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = seeds[round % 2]
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = 0xff
        case 2: bytes.removeSubrange(place..<min(place + 3, bytes.count - 1))
        case 3: bytes.insert(contentsOf: bytes.prefix(place).suffix(20), at: place)
        default: bytes.removeSubrange((place + 1)...)
        }
      }
      if let picture = try? KeyPicture(Data(bytes), bundleIdentifier: Self.bundle) {
        #expect(picture["gateway"] == "s3cr3t=")
        #expect(picture.names.count == 3)
      }
      _ = try? Self.encoded(bytes, Self.pairs(["a": "b"]))
    }
  }
}
