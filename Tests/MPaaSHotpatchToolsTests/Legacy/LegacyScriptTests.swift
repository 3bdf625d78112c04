import Foundation
import MPaaSArchive
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatchTools

/// The keys and the text of old scripts that these tests make.
struct LegacySample {
  static let hexadecimal = "00112233445566778899aabbccddeeff"
  static let text = Array("waxClass{\"Cart\"}\nfunction total(self) return self:ORIGtotal() end\n".utf8)

  let aes: LegacyAESKey
  let rsa: LegacyPrivateKey

  /// Making RSA keys takes long, so that all tests share one.
  private static let pem = Result { try Self.rsaPEM(bits: 2048) }

  init() throws {
    aes = try LegacyAESKey(hexadecimal: Self.hexadecimal)
    rsa = try LegacyPrivateKey(pem: try Self.pem.get())
  }

  static func privatePEM() throws -> String { try pem.get() }

  static func rsaPEM(bits: Int) throws -> String {
    let outcome = try Command.run(
      "openssl", ["genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"])
    return outcome.output
  }

  func script() throws -> [UInt8] { try LegacyScript.encoded(Self.text, aesKey: aes, rsaKey: rsa) }

  func open(_ bytes: [UInt8], isAllowed: Bool = true) throws(TrustError) -> [UInt8] {
    try LegacyScript.open(Bytes(bytes), aesKey: aes, signedBy: rsa.publicKey, isAllowed: isAllowed)
  }

  /// A script around any inner archive, well signed.
  func script(archive: [UInt8]) throws -> [UInt8] {
    let encrypted = try aes.encrypt(archive)
    return try signed(encrypted)
  }

  func signed(_ encrypted: [UInt8]) throws -> [UInt8] {
    encrypted + LegacyScript.separator + (try rsa.sign(encrypted))
  }

  static func entries(_ aes: LegacyAESKey, digest: String? = nil) throws -> [StoredZip.Entry] {
    [
      .init(name: "md5.txt", contents: Array((digest ?? "3a4bd5d3a0b9a52e4b1e4ee30f7bb04b").utf8)),
      .init(name: "script.enc", contents: try aes.encrypt(text)),
    ]
  }
}

@Suite("The old script", .tool("openssl")) struct LegacyScriptTests {
  @Test("the same text and keys give the same bytes, which open to the text")
  func roundTrip() throws {
    let sample = try LegacySample()
    let script = try sample.script()
    #expect(try sample.script() == script)
    #expect(try sample.open(script) == LegacySample.text)
    #expect(LegacyScript.matches(Bytes(script)))
    #expect(!LegacyScript.matches(Bytes(LegacySample.text)))
  }

  @Test("openssl and unzip open it step by step", .tool("unzip"), .tool("luac5.4"))
  func openedOutside() throws {
    let sample = try LegacySample()
    let folder = try TemporaryFolder()
    let script = try sample.script()
    let end = script.count - sample.rsa.publicKey.signatureSize
    try Data(script[..<(end - LegacyScript.separator.count)]).write(to: folder.url.appending(path: "o.zip"))
    try Data(script[end...]).write(to: folder.url.appending(path: "o.sig"))
    try Data(sample.rsa.publicKey.pem.utf8).write(to: folder.url.appending(path: "rsa.pub"))
    let steps = """
      set -e
      openssl dgst -sha1 -verify rsa.pub -signature o.sig o.zip
      aes() { openssl enc -d -aes-128-cbc -K \(LegacySample.hexadecimal) -iv 00000000000000000000000000000000 "$@"; }
      aes -in o.zip -out i.zip
      unzip -q -t i.zip && unzip -q i.zip
      aes -in script.enc -out script.lua
      test "$(openssl dgst -md5 -r script.lua | cut -d' ' -f1)" = "$(cat md5.txt)"
      luac5.4 -p script.lua
      """
    let outcome = try Command.run("bash", ["-c", steps], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(try Data(contentsOf: folder.url.appending(path: "script.lua")) == Data(LegacySample.text))
  }

  @Test(
    "a script that openssl and zip made is accepted", .tool("zip"),
    arguments: ["md5.txt script.enc", "script.enc md5.txt"])
  func madeOutside(order: String) throws {
    let sample = try LegacySample()
    let folder = try TemporaryFolder()
    try Data(LegacySample.text).write(to: folder.url.appending(path: "script.lua"))
    try Data(try LegacySample.privatePEM().utf8).write(to: folder.url.appending(path: "rsa.pem"))
    let steps = """
      set -e
      aes() { openssl enc -aes-128-cbc -K \(LegacySample.hexadecimal) -iv 00000000000000000000000000000000 "$@"; }
      openssl dgst -md5 -r script.lua | cut -d' ' -f1 > md5.txt
      aes -in script.lua -out script.enc
      zip -q -0 -X i.zip \(order)
      aes -in i.zip -out o.zip
      openssl dgst -sha1 -sign rsa.pem -out o.sig o.zip
      { cat o.zip; printf '\\n---mpaas-hotpatch-sig---\\n'; cat o.sig; } > patch.js
      """
    let outcome = try Command.run("bash", ["-c", steps], directory: folder.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let script = [UInt8](try Data(contentsOf: folder.url.appending(path: "patch.js")))
    #expect(try sample.open(script) == LegacySample.text)
  }

  @Test("every flipped bit of a script is refused, and no mutation crashes")
  func mutations() throws {
    let sample = try LegacySample()
    let script = try sample.script()
    for index in stride(from: 0, to: script.count * 8, by: 7) {
      var flipped = script
      flipped[index / 8] ^= 1 << (index % 8)
      #expect(throws: TrustError.self) { try sample.open(flipped) }
    }
    var random = SeededRandom(seed: 57)
    for _ in 0..<SeededRandom.rounds(or: 200) {
      // Behind the signature: the inner archive is what is to be read with care.
      var archive = StoredZip.encoded(try LegacySample.entries(sample.aes))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<archive.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: archive[place] = UInt8.random(in: 0...255, using: &random)
        case 1: archive.removeSubrange(place..<min(archive.count, place + Int.random(in: 1...40, using: &random)))
        default: archive.insert(contentsOf: archive.prefix(Int.random(in: 0...50, using: &random)), at: place)
        }
        if archive.isEmpty { break }
      }
      _ = try? StoredZip.entries(in: Bytes(archive))
    }
  }
}

@Suite("What is refused of old scripts", .tool("openssl")) struct LegacyRefusalTests {
  private func refusal(_ bytes: [UInt8], _ sample: LegacySample, isAllowed: Bool = true) -> TrustError? {
    do {
      _ = try sample.open(bytes, isAllowed: isAllowed)
      return nil
    } catch {
      return error
    }
  }

  private func expect(_ id: String, _ exit: MPaaSSupport.ExitStatus, _ error: TrustError?, _ reason: String? = nil) {
    #expect(error?.identifier == id, "\(String(describing: error))")
    #expect(error?.code.exit == exit, "\(String(describing: error))")
    if let reason { #expect(error?.values["reason"] == reason) }
  }

  @Test("refusal 57: no separator")
  func noSeparator() throws {
    let sample = try LegacySample()
    var script = try sample.script()
    script[script.count - sample.rsa.publicKey.signatureSize - 3] ^= 1
    expect("legacy-separator-missing", .malformedInput, refusal(script, sample))
    expect("legacy-separator-missing", .malformedInput, refusal([], sample))
  }

  @Test("refusal 58: a signature that is not as long as the modulus")
  func signatureLength() throws {
    let sample = try LegacySample()
    expect("legacy-signature-length", .malformedInput, refusal(try sample.script() + [0], sample))
    expect("legacy-signature-length", .malformedInput, refusal(try sample.script().dropLast(), sample))
  }

  @Test("refusal 59: the digest is of another text")
  func digest() throws {
    let sample = try LegacySample()
    for digest in ["3a4bd5d3a0b9a52e4b1e4ee30f7bb04b", "", "x"] {
      let archive = StoredZip.encoded(try LegacySample.entries(sample.aes, digest: digest))
      expect("legacy-digest-mismatch", .notPermitted, refusal(try sample.script(archive: archive), sample))
    }
  }

  @Test("refusal 60: padding that is not PKCS#7, outside and inside")
  func padding() throws {
    let sample = try LegacySample()
    expect("legacy-padding", .malformedInput, refusal(try sample.signed(Array(repeating: 7, count: 32)), sample))
    expect("legacy-padding", .malformedInput, refusal(try sample.signed(Array(repeating: 7, count: 33)), sample))
    expect("legacy-padding", .malformedInput, refusal(try sample.signed([]), sample))
    var entries = try LegacySample.entries(sample.aes)
    entries[1].contents.removeLast(16)
    let archive = StoredZip.encoded(entries)
    expect("legacy-padding", .malformedInput, refusal(try sample.script(archive: archive), sample))
  }

  /// Adds to every place that the archive's directory and end name; each place is small.
  private static func shiftOffsets(in archive: inout [UInt8], by count: UInt8) {
    let end = archive.count - 22, directory = end - 109
    for place in [directory + 42, directory + 53 + 42, end + 16] {
      let (sum, isOver) = archive[place].addingReportingOverflow(count)
      archive[place] = sum
      if isOver { archive[place + 1] += 1 }
    }
  }

  @Test("refusal 61: an inner archive with anything else in it, or that readers understand differently")
  func archive() throws {
    let sample = try LegacySample()
    let entries = try LegacySample.entries(sample.aes)
    func refused(_ archive: [UInt8], _ reason: String) throws {
      expect("legacy-archive", .malformedInput, refusal(try sample.script(archive: archive), sample), reason)
    }
    func changed(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
      var archive = StoredZip.encoded(entries)
      change(&archive)
      return archive
    }
    // Bytes in front, which readers from the end pass over: with offsets as they were, and with offsets that know of them.
    for knows in [false, true] {
      try refused(
        changed {
          if knows { Self.shiftOffsets(in: &$0, by: 4) }
          $0 = Array("MZ!!".utf8) + $0
        }, knows ? "header" : "directory")
    }
    try refused(StoredZip.encoded(entries + [.init(name: "more", contents: [1])]), "entries")
    try refused(StoredZip.encoded([entries[0]]), "entries")
    try refused(StoredZip.encoded([entries[0], entries[0], entries[1]]), "entries")
    try refused(
      StoredZip.encoded([entries[0], .init(name: "../script.enc", contents: entries[1].contents)]), "entries")
    try refused(
      changed {
        $0[6] = 8; $0[$0.count - 22 - 109 + 8] = 8
      }, "descriptor")
    // The name in the local header only.
    try refused(changed { $0[30] = 0x6e }, "mismatch")
    try refused(changed { $0[14] ^= 1 }, "mismatch")
    try refused(changed { $0[42] ^= 1 }, "checksum")
    try refused(changed { $0.append(0) }, "end")
    try refused([], "truncated")
  }

  @Test("refusal 62: an old script where nobody asked for one")
  func notAllowed() throws {
    let sample = try LegacySample()
    expect("legacy-not-allowed", .notPermitted, refusal(try sample.script(), sample, isAllowed: false))
  }

  @Test("refusal 63: an RSA key below 2048 bits")
  func smallKey() throws {
    let pem = try LegacySample.rsaPEM(bits: 1024)
    expect("key-rsa-too-small", .notPermitted, #expect(throws: TrustError.self) { try LegacyPrivateKey(pem: pem) })
    let outcome = try Command.run("openssl", ["pkey", "-pubout"], input: pem)
    expect(
      "key-rsa-too-small", .notPermitted, #expect(throws: TrustError.self) { try LegacyPublicKey(pem: outcome.output) })
  }

  @Test("a signature by another key is refused before anything is decrypted")
  func otherKey() throws {
    let sample = try LegacySample()
    let other = try LegacyPrivateKey(pem: try LegacySample.rsaPEM(bits: 2048))
    let script = try LegacyScript.encoded(LegacySample.text, aesKey: sample.aes, rsaKey: other)
    expect("signature-invalid", .notPermitted, refusal(script, sample))
  }
}
