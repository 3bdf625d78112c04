import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Signed envelopes") struct DSSEEnvelopeTests {
  static let type = "application/vnd.example+json"
  static let payload = Array(#"{"fix":"8.1.1"}"#.utf8)

  static func keys(_ count: Int) throws -> [SigningKey] {
    try (0..<count).map { _ in try SigningKey.generate() }
  }

  static func read(_ bytes: [UInt8]) throws -> DSSEEnvelope {
    try bytes.withUnsafeBytes { try DSSEEnvelope(reading: $0) }
  }

  /// Checks that the envelope is refused as `id`, after it went through its text form.
  static func refuses(
    _ envelope: DSSEEnvelope, _ id: String, by keys: [SigningKey], threshold: Int = 1
  ) throws {
    let error = #expect(throws: TrustError.self) {
      try read(envelope.encoded).verify(by: keys.map(\.verificationKey), threshold: threshold)
    }
    #expect(error?.identifier == id)
    #expect(error?.code.exit == .notPermitted)
  }

  @Test("the signed bytes are those of the specification's example")
  func signedBytes() {
    let envelope = DSSEEnvelope(
      payloadType: "http://example.com/HelloWorld", payload: Array("hello world".utf8), signatures: [])
    #expect(envelope.signedBytes == Array("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8))
  }

  @Test("what is signed is verified by its keys, each counted once", arguments: SignatureScheme.allCases)
  func verifies(scheme: SignatureScheme) throws {
    let keys = [try SigningKey.generate(scheme), try SigningKey.generate()]
    let envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: keys)
    let read = try Self.read(envelope.encoded)
    #expect(read == envelope)
    let trusted = try keys.map(\.verificationKey) + [SigningKey.generate().verificationKey]
    #expect(try read.verify(by: trusted + trusted, threshold: 2) == keys.map(\.verificationKey))
    var unnamed = read
    unnamed.signatures = read.signatures.map { .init(keyID: "", value: $0.value) }
    #expect(try unnamed.verify(by: trusted, threshold: 2).count == 2)
  }

  @Test("refusal 14: an envelope for another use")
  func payloadType() throws {
    let envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: Self.keys(1))
    try envelope.require(type: Self.type)
    let error = #expect(throws: TrustError.self) { try envelope.require(type: "application/vnd.other+json") }
    #expect(error?.identifier == "envelope-payload-type")
  }

  @Test("refusal 18: no signature")
  func missing() throws {
    let keys = try Self.keys(1)
    try Self.refuses(.sign(Self.payload, type: Self.type, with: []), "signature-missing", by: keys)
  }

  @Test("refusal 19: fewer keys than the threshold")
  func belowThreshold() throws {
    let keys = try Self.keys(3)
    let envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: Array(keys.prefix(2)))
    try Self.refuses(envelope, "signature-below-threshold", by: keys, threshold: 3)
  }

  @Test("refusal 20: one key twice")
  func keyTwice() throws {
    let keys = try Self.keys(2)
    var envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [keys[0]])
    envelope.signatures.append(envelope.signatures[0])
    try Self.refuses(envelope, "signature-key-twice", by: keys, threshold: 2)
    envelope.signatures = envelope.signatures.map { .init(keyID: "", value: $0.value) }
    try Self.refuses(envelope, "signature-key-twice", by: keys, threshold: 2)
  }

  @Test("refusal 21: one key under two names")
  func keyUnderTwoNames() throws {
    let keys = try Self.keys(2)
    var envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [keys[0]])
    envelope.signatures.append(.init(keyID: "alias", value: envelope.signatures[0].value))
    try Self.refuses(envelope, "signature-same-key-two-ids", by: keys, threshold: 2)
  }

  @Test("refusal 22: a threshold of none", arguments: [0, -1])
  func thresholdZero(threshold: Int) throws {
    let keys = try Self.keys(1)
    let envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: keys)
    try Self.refuses(envelope, "signature-threshold-zero", by: keys, threshold: threshold)
    try Self.refuses(
      .sign(Self.payload, type: Self.type, with: []), "signature-threshold-zero", by: [], threshold: threshold)
  }

  @Test("refusal 23: a signature of another scheme than its key's", arguments: SignatureScheme.allCases)
  func schemeMismatch(scheme: SignatureScheme) throws {
    let key = try SigningKey.generate(scheme)
    for other in SignatureScheme.allCases where other != scheme {
      var envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [SigningKey.generate(other)])
      envelope.signatures = [.init(keyID: key.verificationKey.keyID, value: envelope.signatures[0].value)]
      try Self.refuses(envelope, "signature-scheme-mismatch", by: [key])
    }
  }

  @Test("refusal 24: a signature in other than its one spelling")
  func notCanonical() throws {
    let key = try SigningKey.generate()
    var envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [key])
    let keyID = envelope.signatures[0].keyID
    let good = [UInt8](envelope.signatures[0].value)
    for bad in Ed25519Spellings.others(of: good) {
      envelope.signatures = [.init(keyID: keyID, value: Data(bad))]
      try Self.refuses(envelope, "signature-not-canonical", by: [key])
    }
    let curve = try SigningKey.generate(.ecdsaP256)
    envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [curve])
    // A length in two bytes where one would do.
    var der = [UInt8](envelope.signatures[0].value)
    der.insert(0x81, at: 1)
    envelope.signatures = [.init(keyID: envelope.signatures[0].keyID, value: Data(der))]
    try Self.refuses(envelope, "signature-not-canonical", by: [curve])
  }

  @Test("refusal 29: one bad signature beside enough good ones")
  func invalid() throws {
    let keys = try Self.keys(3)
    var envelope = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: keys)
    let last = envelope.signatures[2]
    var value = [UInt8](last.value)
    value[40] ^= 1
    envelope.signatures[2] = .init(keyID: last.keyID, value: Data(value))
    try Self.refuses(envelope, "signature-invalid", by: keys, threshold: 2)
    // One by somebody who is not trusted is no better.
    envelope.signatures[2] = last
    try Self.refuses(envelope, "signature-invalid", by: Array(keys.prefix(2)), threshold: 2)
    var changed = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: keys)
    changed.payloadType += "x"
    try Self.refuses(changed, "signature-invalid", by: keys)
  }

  @Test("refusal 13: base64 of the envelope in other than its one spelling")
  func base64() throws {
    for text in ["aGk", "aGl=", "aGk=\\n", "aG_-"] {
      let error = #expect(throws: TrustError.self) {
        try Self.read(Array(#"{"payload":"\#(text)","payloadType":"t","signatures":[]}"#.utf8))
      }
      #expect(["base64-not-canonical", "json-string-not-clean"].contains(error?.identifier))
    }
  }

  @Test("no bit of an envelope can be flipped")
  func flips() throws {
    let keys = try Self.keys(2)
    let bytes = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: keys).encoded
    let trusted = keys.map(\.verificationKey)
    for place in bytes.indices {
      for bit in Flips.bits(of: place) {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        guard let envelope = try? Self.read(changed), (try? envelope.verify(by: trusted, threshold: 2)) != nil else {
          continue
        }
        // Names are hints: whatever they say, the signatures hold.
        #expect(envelope.payload == Self.payload)
        #expect(envelope.payloadType == Self.type)
        #expect(envelope.signatures.map(\.keyID) != trusted.map(\.keyID))
      }
    }
  }

  @Test("mutated envelopes are refused or read, and never trusted for another payload")
  func fuzz() throws {
    var random = SeededRandom(seed: 18)
    let key = try SigningKey.generate()
    let sample = try DSSEEnvelope.sign(Self.payload, type: Self.type, with: [key]).encoded
    for _ in 0..<SeededRandom.rounds(or: 500) {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = Bool.random(using: &random) ? sample[place / 2] : UInt8.random(in: 0...255, using: &random)
      }
      guard let envelope = try? Self.read(bytes) else { continue }
      if (try? envelope.verify(by: [key.verificationKey], threshold: 1)) != nil {
        #expect(envelope.payload == Self.payload)
        #expect(envelope.payloadType == Self.type)
      }
    }
  }
}
