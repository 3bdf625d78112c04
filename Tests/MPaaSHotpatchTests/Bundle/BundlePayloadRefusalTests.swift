import Foundation
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSHotpatch

private func expect(
  _ id: String, _ exit: MPaaSSupport.ExitStatus? = nil, of bytes: [UInt8], _ sample: BundleSample,
  _ reason: String? = nil, _ location: SourceLocation = #_sourceLocation
) {
  expectRefusal(id, exit ?? .notPermitted, of: bytes, by: sample.verifier, reason: reason, location)
}

@Suite("What is refused of a bundle's payload") struct BundlePayloadRefusalTests {
  private func payload(_ sample: BundleSample) throws -> [UInt8] {
    let archive = try PayloadArchive.encoded(sample.payload)
    return try archive.withUnsafeBytes { try Age.encrypt($0, to: [try #require(sample.identity.recipient)]) }
  }

  private func archive(_ files: [(String, String)]) -> [UInt8] {
    var writer = UstarWriter()
    for (name, contents) in files { _ = writer.add(name, Array(contents.utf8)) }
    return writer.finished()
  }

  @Test("refusal 44: a payload that is not the signed one, or not as long")
  func digest() throws {
    let sample = try BundleSample()
    let container = try BundleContainer(reading: Bytes(try sample.bundle()))
    let manifest = container.manifest.array
    var payload = container.payload.array
    payload[payload.count - 1] ^= 1
    expect("payload-digest-mismatch", of: BundleContainer.encoded(manifest: manifest, payload: payload), sample)
    payload.removeLast()
    expect("payload-digest-mismatch", of: BundleContainer.encoded(manifest: manifest, payload: payload), sample)
    // A payload by the same signer for the same phones, from another bundle.
    var other = sample
    other.files["main.lua"] = "return 1"
    let exchanged = try BundleContainer(reading: Bytes(try other.bundle())).payload.array
    expect("payload-digest-mismatch", of: BundleContainer.encoded(manifest: manifest, payload: exchanged), sample)
    // Shorter once decrypted than was signed.
    let archive = try PayloadArchive.encoded(sample.payload)
    expect("payload-digest-mismatch", of: try sample.bundle(archive: archive, plainLength: archive.count + 1), sample)
  }

  @Test("refusal 45: an age file that is broken, though its digest is signed")
  func brokenAge() throws {
    var sample = try BundleSample()
    sample.files["main.lua"] = String(repeating: "-- twenty bytes here\n", count: 8000)
    let size = try PayloadArchive.encoded(sample.payload).count
    let payload = try payload(sample)
    let body = payload.count - size - 3 * 16
    let chunk = 65_536 + 16
    func broken(more: Int = 0, _ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
      var bytes = payload
      change(&bytes)
      return try sample.bundle(payload: bytes, plainLength: size + more)
    }
    // The code of the header, a chunk left out, two exchanged, the last one cut, one more behind the last.
    let other = { (letter: UInt8) in UInt8(ascii: letter == UInt8(ascii: "A") ? "B" : "A") }
    expect("age-payload-broken", .malformedInput, of: try broken { $0[body - 40] = other($0[body - 40]) }, sample)
    expect("age-payload-broken", .malformedInput, of: try broken { $0.removeSubrange(body..<body + chunk) }, sample)
    expect(
      "age-payload-broken", .malformedInput,
      of: try broken {
        let first = $0[body..<body + chunk]
        $0.removeSubrange(body..<body + chunk)
        $0.insert(contentsOf: first, at: body + chunk)
      }, sample)
    expect("age-payload-broken", .malformedInput, of: try broken { $0.removeLast(20) }, sample)
    expect("age-payload-broken", .malformedInput, of: try broken { $0.removeLast($0.count - body - 2 * chunk) }, sample)
    expect("age-payload-broken", .malformedInput, of: try broken(more: 40) { $0 += $0.suffix(40) }, sample)
  }

  @Test("refusal 46: a payload for somebody else")
  func otherRecipient() throws {
    let sample = try BundleSample()
    var builder = sample.builder
    builder.recipients = [try #require(AgeIdentity.generate().recipient)]
    expect("age-no-identity", of: try builder.build().bytes, sample)
  }

  @Test("refusal 47: a payload under a passphrase")
  func passphrase() throws {
    let sample = try BundleSample()
    let archive = try PayloadArchive.encoded(sample.payload)
    let payload = try archive.withUnsafeBytes { try Age.encrypt($0, to: [.passphrase("open", workFactor: 2)]) }
    let bundle = try sample.bundle(payload: payload, plainLength: archive.count)
    expect("age-scrypt-not-allowed", of: bundle, sample)
    var builder = sample.builder
    builder.recipients = [.passphrase("open", workFactor: 2)]
    #expect(throws: TrustError.self) { try builder.build() }
  }

  @Test("refusal 48: more plaintext than was signed")
  func bomb() throws {
    let sample = try BundleSample()
    let archive = try PayloadArchive.encoded(sample.payload) + [UInt8](repeating: 0, count: 1 << 20)
    expect("payload-too-long", of: try sample.bundle(archive: archive, plainLength: 2048), sample)
  }

  static let misleading: [(String, String)] = [
    ("/main.lua", "absolute"), ("../main.lua", "parts"), ("a/../main.lua", "parts"), ("./main.lua", "parts"),
    (".git/hooks/a.lua", "git"), ("a/.GIT/config", "git"), ("git~1/a", "git"), (".g\u{200c}it/a", "git"),
    ("C:a.lua", "drive"), ("a/NUL", "device"), ("com1.txt", "device"), ("a.lua.", "trailing"), ("a /b.lua", "trailing"),
    ("a//b.lua", "parts"), ("a/", "parts"), ("a\\b.lua", "backslash"), ("a\u{7}.lua", "control"),
    (String(repeating: "a/", count: 16) + "b", "deep"),
  ]

  @Test("refusal 49: a path inside that leads elsewhere", arguments: misleading)
  func leadingElsewhere(_ path: String, _ reason: String) throws {
    let sample = try BundleSample()
    // Found in the archive, whatever the manifest lists …
    expect("payload-path", .malformedInput, of: try sample.bundle(archive: archive([(path, "x")])), sample, reason)
    // … and in the manifest, before anything is decrypted; control characters are none of strict JSON at all.
    let bundle = try sample.bundle(payload: [1], plainLength: 1) {
      $0["files"] = [["path": .string(path), "size": 1, "sha256": .string(String(repeating: "0", count: 64))]]
    }
    expect(reason == "control" ? "json-string-not-clean" : "payload-path", .malformedInput, of: bundle, sample)
  }

  @Test("refusal 49: paths that some disks take for the same, links, and names with a zero")
  func ambiguous() throws {
    let sample = try BundleSample()
    for (files, reason) in [
      ([("main.lua", "x"), ("main.lua", "y")], "twice"), ([("Main.lua", "x"), ("main.lua", "y")], "twice"),
      ([("É.lua", "x"), ("é.lua", "y")], "twice"), ([("a", "x"), ("a/b.lua", "y")], "folder"),
    ] {
      var listed = sample
      listed.files["z.lua"] = ""
      expect("payload-path", .malformedInput, of: try listed.bundle(archive: archive(files)), sample, reason)
    }
    for flag in Array("125xg".utf8) {
      var link = archive([("main.lua", "")])
      link[156] = flag
      let sum = link[..<148].reduce(8 * 0x20) { $0 + Int($1) } + link[156..<512].reduce(0) { $0 + Int($1) }
      link.replaceSubrange(148..<154, with: Array(("00" + String(sum, radix: 8)).suffix(6).utf8))
      expect("payload-path", .malformedInput, of: try sample.bundle(archive: link), sample, "kind")
    }
    var zero = archive([("main.lua", "")])
    zero[4] = 0
    expect("payload-archive", .malformedInput, of: try sample.bundle(archive: zero), sample)
  }

  @Test("refusal 50: files that are missing, unlisted, changed, or in another order")
  func files() throws {
    var sample = try BundleSample()
    sample.files["z.lua"] = "return 1"
    let main = ("main.lua", BundleSample.script)
    let other = ("z.lua", "return 1")
    for files in [
      [main], [other], [main, other, ("zz.lua", "")], [other, main], [main, ("z.lua", "return 2")],
      [main, ("z.lua", "return 12")], [],
    ] {
      expect("payload-files-differ", of: try sample.bundle(archive: archive(files)), sample)
    }
    #expect(try sample.verifier.verify(Bytes(try sample.bundle(archive: archive([main, other])))).files?.count == 2)
  }
}
