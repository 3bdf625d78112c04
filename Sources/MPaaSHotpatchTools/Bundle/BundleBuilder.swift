import Crypto
import MPaaSDigests
package import MPaaSHotpatch
import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a bundle of files: archive, encryption, manifest, signatures.
package struct BundleBuilder: Sendable {
  /// The content of the manifest; payload and files are filled in.
  package var manifest: PatchManifest
  package var files: [PayloadFile]
  package var recipients: [AgeRecipient]
  package var keys: [SigningKey]
  package var limits = BundleLimits()

  package init(manifest: PatchManifest, files: [PayloadFile], recipients: [AgeRecipient], keys: [SigningKey]) {
    self.manifest = manifest
    self.files = files
    self.recipients = recipients
    self.keys = keys
  }

  /// Tells whether the same input and keys give the same bytes: the signatures of the other schemes are random.
  package var isReproducible: Bool { keys.allSatisfy { $0.verificationKey.scheme == .ed25519 } }

  /// - Throws: `TrustError` `bundle-no-keys`, `bundle-too-large`, `payload-path`, `manifest-schema`,
  ///   `json-string-not-clean`, what encryption and signing throw.
  package func build() throws(TrustError) -> (bytes: [UInt8], manifest: PatchManifest) {
    guard !keys.isEmpty else { throw TrustError(.bundleNoKeys) }
    // A passphrase would have to ship in the app, and takes seconds to try on a phone.
    guard recipients.allSatisfy({ $0.bytes != nil }) else { throw TrustError(.ageRecipients) }
    var manifest = manifest
    manifest.payload = PatchManifest.Payload(length: 0, sha256: "", plainLength: 0)
    let archive = Bytes(try PayloadArchive.encoded(files))
    manifest.files = files.map(\.listed).sorted { PatchManifest.precedes($0.path, $1.path) }
    let payload = try encrypted(archive, manifest)
    manifest.payload = PatchManifest.Payload(
      length: payload.count, sha256: payload.sha256.hexadecimal, plainLength: archive.count)
    let envelope = try sign(manifest)
    try checkSize(BundleContainer.manifestName, envelope.count, limits.manifest)
    try checkSize(BundleContainer.payloadName, payload.count, limits.payload)
    return (BundleContainer.encoded(manifest: envelope, payload: payload), manifest)
  }

  private func checkSize(_ name: String, _ size: Int, _ limit: Int) throws(TrustError) {
    guard size <= limit else {
      throw TrustError(.bundleTooLarge, ["name": name, "size": String(size), "limit": String(limit)])
    }
  }

  private func sign(_ manifest: PatchManifest) throws(TrustError) -> [UInt8] {
    let text = try manifest.json.canonical()
    // A manifest that a reader would refuse is refused here, where it can still be mended.
    _ = try PatchManifest(json: try JSONValue(strict: text), limits: limits)
    let sorted = keys.sorted { $0.verificationKey.keyID < $1.verificationKey.keyID }
    return try DSSEEnvelope.sign(text, type: PatchManifest.payloadType, with: sorted).encoded
  }

  private func encrypted(_ archive: Bytes, _ manifest: PatchManifest) throws(TrustError) -> [UInt8] {
    guard isReproducible, let key = keys.min(by: { $0.verificationKey.keyID < $1.verificationKey.keyID }) else {
      return try archive.read { bytes throws(TrustError) in try Age.encrypt(bytes, to: recipients) }
    }
    let seed = try BundleSeed(archive, recipients: recipients, manifest: manifest, key: key)
    let secrets = try seed.secrets(count: recipients.count)
    return try archive.read { bytes throws(TrustError) in
      try Age.encrypt(bytes, to: recipients, secrets: secrets)
    }
  }
}

/// The source of the random numbers of a reproducible encryption come from.
///
/// age takes a file key, a nonce and a key for each recipient from the system's random numbers, so that no two files
/// are the same. Here they are derived (HKDF-SHA256, RFC 5869) from a signature that is never published: of the signing
/// key over a digest of all that is encrypted and of whom it is for. Ed25519 signatures depend on nothing but key and
/// message (RFC 8032 section 5.1.6), so that the same input gives the same bytes; who lacks the signing key cannot
/// compute them, so that they are as good as random; and another plaintext, recipient or manifest gives others, so that
/// no key and no nonce is ever used for two plaintexts. A digest alone would not do: whoever guesses the patch could
/// then confirm it.
struct BundleSeed {
  private static let domain = "mpaas-hotpatch/2 encryption seed"
  private let secret: SymmetricKey

  init(
    _ archive: Bytes, recipients: [AgeRecipient], manifest: PatchManifest, key: SigningKey
  ) throws(TrustError) {
    var digest = RunningDigest()
    func add(_ bytes: Bytes) {
      withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { digest.update($0) }
      digest.update(bytes.buffer)
    }
    add(archive)
    add(Bytes(try manifest.json.canonical()))
    for recipient in recipients { add(Bytes(recipient.bytes ?? [])) }
    // Never what an envelope is signed over: that begins with DSSEv1.
    let signature = try key.sign(Array(Self.domain.utf8) + [0] + digest.value)
    secret = SymmetricKey(data: signature)
  }

  func secrets(count: Int) throws(TrustError) -> AgeSecrets {
    let ephemeral = (0..<count).map { derive("recipient \($0)", 32) }
    return try AgeSecrets(fileKey: derive("file key", 16), nonce: derive("nonce", 16), ephemeral: ephemeral)
  }

  private func derive(_ name: String, _ size: Int) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: secret, info: Array("\(Self.domain): \(name)".utf8), outputByteCount: size
    ).withUnsafeBytes { Array($0) }
  }
}

extension TrustError.Code {
  package static let bundleNoKeys = TrustError.Code("bundle-no-keys", exit: .usage)
}
