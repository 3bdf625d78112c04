import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@testable import MPaaSHotpatch

@Suite("What is refused of a bundle's container") struct BundleContainerRefusalTests {
  /// A header with one field changed and the sum that then belongs to it.
  private func resummed(_ bundle: [UInt8], at header: Int, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var block = Array(bundle[header..<header + 512])
    change(&block)
    block.replaceSubrange(148..<156, with: Array(repeating: 0x20, count: 8))
    let sum = block.reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    block.replaceSubrange(
      148..<156, with: Array((String(repeating: "0", count: 6 - digits.count) + digits).utf8) + [0, 0x20])
    return Array(bundle[..<header]) + block + Array(bundle[(header + 512)...])
  }

  private func payloadHeader(_ bundle: [UInt8]) throws -> Int {
    let name = Array(BundleContainer.payloadName.utf8)
    return try #require(
      stride(from: 512, to: bundle.count, by: 512).first { Array(bundle[$0..<$0 + name.count]) == name })
  }

  private func archive(_ members: [(String, [UInt8])]) -> [UInt8] {
    var writer = UstarWriter()
    for (name, contents) in members { _ = writer.add(name, contents) }
    return writer.finished()
  }

  @Test("refusal 1: a header with a wrong magic or sum")
  func header() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    var magic = bundle
    magic[257] = 0x58
    expectRefusal("bundle-tar-header", .malformedInput, of: magic, by: sample.verifier)
    var sum = bundle
    sum[3] ^= 1
    expectRefusal("bundle-tar-header", .malformedInput, of: sum, by: sample.verifier)
    let gnu = resummed(bundle, at: 0) { $0.replaceSubrange(257..<265, with: Array("ustar  \u{0}".utf8)) }
    expectRefusal("bundle-tar-header", .malformedInput, of: gnu, by: sample.verifier)
    expectRefusal("bundle-tar-header", .malformedInput, of: Array(repeating: 7, count: 4096), by: sample.verifier)
  }

  @Test("refusal 2: members in another order or of other names")
  func order() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let (manifest, payload) = (container.manifest.array, container.payload.array)
    for members in [
      [("payload.age", payload), ("manifest.dsse.json", manifest)],
      [("Manifest.dsse.json", manifest), ("payload.age", payload)],
      [("manifest.dsse.json", manifest), ("./payload.age", payload)],
    ] {
      expectRefusal("bundle-member-order", .malformedInput, of: archive(members), by: sample.verifier)
    }
  }

  @Test("refusal 3: a member twice")
  func twice() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let (manifest, payload) = (
      ("manifest.dsse.json", container.manifest.array), ("payload.age", container.payload.array)
    )
    for members in [[manifest, manifest, payload], [manifest, payload, payload], [manifest, payload, manifest]] {
      expectRefusal("bundle-member-twice", .malformedInput, of: archive(members), by: sample.verifier)
    }
  }

  @Test("refusal 4: a member more")
  func extra() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let members = [
      ("manifest.dsse.json", container.manifest.array), ("payload.age", container.payload.array), ("README", []),
    ]
    expectRefusal("bundle-member-extra", .malformedInput, of: archive(members), by: sample.verifier)
  }

  @Test("refusal 5: links, folders, devices, extended headers", arguments: Array("12345678xgLKSV\u{0}".utf8))
  func kind(_ flag: UInt8) throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    for header in [0, try payloadHeader(bundle)] {
      let changed = resummed(bundle, at: header) { $0[156] = flag }
      expectRefusal("bundle-member-kind", .malformedInput, of: changed, by: sample.verifier)
    }
  }

  @Test("refusal 6: bytes behind the end")
  func trailing() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    for tail in [[0], Array(repeating: 0, count: 512), Array("x".utf8), bundle] {
      expectRefusal("bundle-trailing-bytes", .malformedInput, of: bundle + tail, by: sample.verifier)
    }
    var last = bundle
    last[bundle.count - 1] = 1
    expectRefusal("bundle-trailing-bytes", .malformedInput, of: last, by: sample.verifier)
  }

  @Test("refusal 7: a bundle cut short, wherever")
  func truncated() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    for size in stride(from: 0, to: bundle.count, by: 101) + [
      bundle.count - 1, bundle.count - 512, bundle.count - 1024,
    ] {
      expectRefusal("bundle-truncated", .malformedInput, of: Array(bundle[..<size]), by: sample.verifier)
    }
  }

  @Test("refusal 8: any field of a header, or any padding, that is not as it would be written")
  func notCanonical() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    let digits = Array("00000000001".utf8)
    let changes: [(inout [UInt8]) -> Void] = [
      { $0.replaceSubrange(136..<147, with: digits) }, { $0[106] = 0x35 }, { $0[114] = 0x31 }, { $0[122] = 0x31 },
      { $0[265] = 0x72 }, { $0[297] = 0x72 }, { $0[157] = 0x61 }, { $0[335] = 0x31 }, { $0[511] = 1 },
      { $0[50] = 0x61 },
      // Base-256: the bit that GNU tar marks it with.
      { header in header[124] = 0x80 },
      // The same number with a space in place of the zero behind it.
      { $0[135] = 0x20 },
    ]
    for (index, change) in changes.enumerated() {
      for header in [0, try payloadHeader(bundle)] {
        let changed = resummed(bundle, at: header, change)
        expectRefusal("bundle-header-not-canonical", .malformedInput, of: changed, by: sample.verifier)
        #expect(changed != bundle, "\(index)")
      }
    }
    var padded = bundle
    padded[try payloadHeader(bundle) - 1] = 1
    expectRefusal("bundle-header-not-canonical", .malformedInput, of: padded, by: sample.verifier)
  }

  @Test("refusal 9: a member too large is refused by its header alone")
  func tooLarge() throws {
    let sample = try BundleSample()
    func header(_ name: String, _ size: Int) -> [UInt8] { UstarHeader(path: name, size: size).bytes ?? [] }
    let manifest = header("manifest.dsse.json", 64 << 10 + 1)
    expectRefusal("bundle-too-large", .malformedInput, of: manifest, by: sample.verifier)
    let small = header("manifest.dsse.json", 0)
    for size in [256 << 20 + 1, UstarHeader.largestFile] {
      let bytes = small + header("payload.age", size)
      expectRefusal("bundle-too-large", .malformedInput, of: bytes, by: sample.verifier)
    }
  }
}

@Suite("What is refused of a bundle's envelope") struct BundleEnvelopeRefusalTests {
  @Test("refusal 10, 11 and 13 as seen through a bundle: JSON and base64 that are not strict")
  func strict() throws {
    let sample = try BundleSample()
    func expect(_ id: String, _ change: (String) -> String) throws {
      expectRefusal(id, .malformedInput, of: try sample.bundle(envelope: change), by: sample.verifier)
    }
    try expect("json-key-twice") {
      $0.replacing("{\"payload\":", with: "{\"payload\":\"\",\"payload\":", maxReplacements: 1)
    }
    try expect("json-not-strict") { $0.dropLast() + ",}" }
    try expect("json-not-strict") { "\u{feff}" + $0 }
    try expect("envelope-not-canonical") { $0 + "\n" }
    try expect("envelope-not-canonical") { $0.dropLast() + ",\"x\":1}" }
    try expect("envelope-not-canonical") { $0.replacing("\"payloadType\"", with: "\"payload\\u0054ype\"") }
    try expect("base64-not-canonical") { $0.replacing("==\"", with: "=\"") }
  }

  @Test("refusal 14: a payload of another type, however well signed")
  func type() throws {
    let sample = try BundleSample()
    for type in ["application/vnd.mpaas.rollout.v1+json", "application/vnd.mpaas.hotpatch.v2+json ", ""] {
      let bundle = try sample.bundle(payload: [1], plainLength: 1, type: type)
      expectRefusal("envelope-payload-type", .malformedInput, of: bundle, by: sample.verifier)
    }
  }

  static let schemas: [(String, JSONValue?)] = [
    ("schema", 1), ("schema", 3), ("schema", "2"), ("schema", nil), ("more", 1), ("app", nil), ("app", "a/b"),
    ("app", ""), ("channel", ".x"), ("patch", "../x"), ("version", "1.x"), ("version", 1), ("app_versions", ">"),
    ("issued", "2026-13-01T00:00:00Z"), ("issued", "2026-01-01"), ("expires", "2000-01-01T00:00:00Z"),
    ("symbols", ["b", "a"]), ("symbols", ["a", "a"]), ("symbols", ["a b"]), ("symbols", "a"), ("files", []),
    ("files", [["path": "a", "size": 1]]), ("files", [["path": "a", "size": 1, "sha256": "00"]]),
    ("payload", ["length": 1]), ("payload", []), ("notes", "text"), ("notes", [1]),
  ]

  @Test("refusal 15: a manifest of another schema", arguments: schemas.indices)
  func schema(_ index: Int) throws {
    let sample = try BundleSample()
    let (name, value) = Self.schemas[index]
    let bundle = try sample.bundle(payload: [1], plainLength: 1) { $0[name] = value }
    expectRefusal("manifest-schema", .malformedInput, of: bundle, by: sample.verifier)
  }

  @Test("refusal 12, 16 and 17 as seen through a manifest: numbers, depth, strings")
  func manifestJSON() throws {
    let sample = try BundleSample()
    func expect(_ id: String, _ text: String) throws {
      let bundle = try sample.bundle(signing: Array(text.utf8), payload: [1])
      expectRefusal(id, .malformedInput, of: bundle, by: sample.verifier)
    }
    try expect("json-number-range", "{\"schema\":9007199254740992}")
    try expect("json-number-range", "{\"schema\":-1}")
    try expect("json-too-deep", String(repeating: "[", count: 17) + String(repeating: "]", count: 17))
    try expect("json-string-not-clean", "{\"notes\":[\"a\u{202e}b\"]}")
    try expect("json-string-not-clean", "{\"notes\":[\"e\u{301}\"]}")
    let manifest = try String(decoding: sample.manifest.json.canonical(), as: UTF8.self)
    try expect("manifest-schema", manifest)
  }

  @Test("a manifest that is not in its one spelling is refused, though it is signed")
  func spelling() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let envelope = try SignedManifest(reading: container.manifest).envelope
    let bundle = try sample.bundle(signing: envelope.payload + [0x0a], payload: container.payload.array)
    expectRefusal("envelope-not-canonical", .malformedInput, of: bundle, by: sample.verifier)
  }
}

@Suite("What is refused of a bundle's signatures") struct BundleSignatureRefusalTests {
  @Test("refusal 18 to 23 and 29 as seen through a bundle")
  func signatures() throws {
    let sample = try BundleSample(keys: 2)
    func expect(
      _ id: String, threshold: Int = 2, _ change: (inout DSSEEnvelope) throws -> Void
    ) throws {
      expectRefusal(
        id, .notPermitted, of: try sample.bundle(changing: change), by: sample.verifier(threshold: threshold))
    }
    let other = try SigningKey.generate()
    try expect("signature-missing") { $0.signatures = [] }
    try expect("signature-below-threshold") { $0.signatures.removeLast() }
    try expect("signature-below-threshold", threshold: 3) { _ in }
    try expect("signature-key-twice") { $0.signatures[1] = $0.signatures[0] }
    try expect("signature-same-key-two-ids") {
      $0.signatures[1] = .init(keyID: String(repeating: "a", count: 64), value: $0.signatures[0].value)
    }
    try expect("signature-threshold-zero", threshold: 0) { _ in }
    try expect("signature-scheme-mismatch") {
      $0.signatures[0] = .init(
        keyID: $0.signatures[0].keyID, value: try SigningKey.generate(.ecdsaP256).sign($0.signedBytes))
    }
    try expect("signature-invalid", threshold: 1) { try $0.sign(with: other) }
    try expect("signature-invalid", threshold: 1) { $0.payload[0] ^= 1 }
    try expect("signature-key-id") {
      $0.signatures[0] = .init(keyID: "somebody", value: $0.signatures[0].value)
    }
  }

  @Test("refusal 24: a signature whose S is too large, the same point with another number")
  func notCanonical() throws {
    let sample = try BundleSample()
    // L, the order of the group, in little-endian (RFC 8032 section 5.1).
    let order: [UInt8] = [
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]
    let bundle = try sample.bundle { envelope in
      var value = Array(envelope.signatures[0].value)
      var carry = 0
      for (index, byte) in order.enumerated() {
        let sum = Int(value[32 + index]) + Int(byte) + carry
        value[32 + index] = UInt8(sum & 0xff)
        carry = sum >> 8
      }
      envelope.signatures[0] = .init(keyID: envelope.signatures[0].keyID, value: Data(value))
    }
    expectRefusal("signature-not-canonical", .notPermitted, of: bundle, by: sample.verifier)
  }

  @Test("refusal 25 and 26 as seen through a bundle: keys that are revoked, expired or another's")
  func records() throws {
    let sample = try BundleSample()
    let bundle = try sample.bundle()
    let key = sample.keys[0].verificationKey
    func expect(_ id: String?, roles: [String], _ change: (inout KeyRecord) -> Void = { _ in }) throws {
      var record = KeyRecord(
        name: "release", publicKey: .signing(key), roles: roles.compactMap(KeyRole.init(rawValue:)),
        created: BundleSample.issued)
      change(&record)
      var verifier = sample.verifier
      verifier.signers = TrustedSigners([.init(name: "release", key: key, record: record)])
      if let id {
        expectRefusal(id, .notPermitted, of: bundle, by: verifier)
      } else {
        #expect(try verifier.verify(Bytes(bundle)).signatures[0].name == "release")
      }
    }
    for roles in [[], ["patches"], ["patches/com.example.shop"], ["sdk", "patches/com.example.shop/stable"]] {
      try expect(nil, roles: roles)
    }
    for roles in [["targets"], ["patches/com.example"], ["patches/com.example.shop/beta"], ["legacy", "director"]] {
      try expect("key-not-for-role", roles: roles)
    }
    try expect("key-revoked", roles: []) { $0.revoked = BundleSample.issued }
    try expect("key-expired", roles: []) { $0.expires = BundleSample.issued }
    try expect(nil, roles: []) { $0.expires = BundleSample.issued + 1 }
  }

  @Test("refusal 27: a bundle by a key whose private half is published, whoever trusts it")
  func published() throws {
    // RFC 8410 section 10.3.
    let text = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----
      """
    let key = try PrivateKey(pem: text).signingKey()
    let sample = try BundleSample()
    var builder = sample.builder
    builder.keys = [key]
    let bundle = try builder.build().bytes
    var verifier = sample.verifier
    verifier.signers = TrustedSigners(keys: [key.verificationKey])
    expectRefusal("key-published", .notPermitted, of: bundle, by: verifier)
    builder.keys = sample.keys + [key]
    verifier.signers = TrustedSigners(keys: builder.keys.map(\.verificationKey))
    expectRefusal("key-published", .notPermitted, of: try builder.build().bytes, by: verifier)
  }

  @Test("refusal 28: nobody is trusted")
  func noRoot() throws {
    let sample = try BundleSample()
    var verifier = sample.verifier
    verifier.signers = TrustedSigners([])
    expectRefusal("trust-root-missing", .notPermitted, of: try sample.bundle(), by: verifier)
    expectRefusal("trust-root-missing", .notPermitted, of: [], by: verifier)
  }

  @Test("refusal 39 and 41 as seen through a bundle: for another app, for another channel")
  func target() throws {
    let sample = try BundleSample()
    var verifier = sample.verifier
    verifier.app = "com.example.other"
    expectRefusal("patch-other-app", .notPermitted, of: try sample.bundle(), by: verifier)
    verifier.app = nil
    verifier.channel = "beta"
    expectRefusal("patch-channel", .notPermitted, of: try sample.bundle(), by: verifier)
  }
}
