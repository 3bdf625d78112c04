package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Decides whether a bundle is what a trusted signer made, and opens it.
///
/// The order is fixed, and what fails first is what is told: container, envelope, signatures, manifest, keys, app and
/// channel, payload digest, decryption, paths, files. Nothing of the payload is handed out before all of it was checked,
/// and nothing is ever written.
package struct BundleVerifier: Sendable {
  package var signers: TrustedSigners
  /// Keys that open the payload; without any it is checked by its digest alone.
  package var identities: [AgeIdentity]
  /// The app and the channel that the patch must be for; nil for any.
  package var app: String?
  package var channel: String?
  /// When the keys are to be valid.
  package var time: Date
  package var limits = BundleLimits()

  package init(
    signers: TrustedSigners, identities: [AgeIdentity] = [], app: String? = nil, channel: String? = nil,
    time: Date = Date()
  ) {
    self.signers = signers
    self.identities = identities
    self.app = app
    self.channel = channel
    self.time = time
  }

  /// Checks a bundle.
  ///
  /// - Parameter bytes: The whole file, mapped or not. What is decrypted is a copy of its own, and its digests are the
  ///   signed ones, whatever becomes of the file meanwhile.
  /// - Throws: `TrustError` as `BundleContainer`, `SignedManifest`, `TrustedSigners` and `PatchManifest` do; further
  ///   `patch-other-app`, `patch-channel`, `payload-digest-mismatch`, `age-header-malformed`, `age-payload-broken`,
  ///   `age-no-identity`, `age-scrypt-not-allowed`, `payload-too-long`, `payload-path`, `payload-archive`,
  ///   `payload-files-differ`.
  package func verify(_ bytes: Bytes) throws(TrustError) -> VerifiedBundle {
    guard !signers.signers.isEmpty else { throw TrustError(.trustRootMissing) }
    var checks: [BundleCheck] = []
    let container = try BundleContainer(reading: bytes, limits: limits)
    checks.append(.container)
    let signed = try SignedManifest(reading: container.manifest, limits: limits)
    checks.append(.envelope)
    let signatures = try signers.verify(signed.envelope)
    checks.append(.signatures)
    let manifest = try signed.manifest(limits)
    checks.append(.manifest)
    try signers.check(signatures, app: manifest.app, channel: manifest.channel, at: time)
    checks.append(.keys)
    checks += try checkTarget(manifest)
    try Self.checkDigest(of: container.payload, manifest.payload)
    checks.append(.payloadDigest)
    var files: [PayloadFile]?
    if !identities.isEmpty {
      let archive = try decrypt(container.payload, manifest.payload)
      checks.append(.decryption)
      files = try PayloadArchive.files(in: archive, listed: manifest.files)
      checks.append(.files)
    }
    return VerifiedBundle(
      manifest: manifest, manifestDigest: signed.digest, signatures: signatures, checks: checks, files: files)
  }

  private func checkTarget(_ manifest: PatchManifest) throws(TrustError) -> [BundleCheck] {
    if let app, app != manifest.app {
      throw TrustError(.otherApp, ["expected": app, "found": manifest.app])
    }
    if let channel, channel != manifest.channel {
      throw TrustError(.otherChannel, ["expected": channel, "found": manifest.channel])
    }
    return (app == nil ? [] : [.app]) + (channel == nil ? [] : [.channel])
  }

  private static func checkDigest(of payload: Bytes, _ stated: PatchManifest.Payload) throws(TrustError) {
    guard payload.count == stated.length, PayloadArchive.digest(payload) == stated.sha256 else {
      throw TrustError(
        .payloadDigestMismatch, ["size": String(payload.count), "expected": String(stated.length)])
    }
  }

  private func decrypt(_ payload: Bytes, _ stated: PatchManifest.Payload) throws(TrustError) -> Bytes {
    let plain: [UInt8]
    do throws(TrustError) {
      plain = try payload.read { bytes throws(TrustError) in
        try Age.decrypt(bytes, with: identities, limit: stated.plainLength)
      }
    } catch {
      guard error.code == .agePlaintextTooLong else { throw error }
      throw TrustError(.payloadTooLong, ["limit": String(stated.plainLength)])
    }
    guard plain.count == stated.plainLength else {
      throw TrustError(
        .payloadDigestMismatch, ["size": String(plain.count), "expected": String(stated.plainLength)])
    }
    return Bytes(plain)
  }
}

/// The first member of a bundle: an envelope, and the manifest in it.
package struct SignedManifest: Sendable {
  package let envelope: DSSEEnvelope

  /// Reads the envelope; it must be in its one spelling and hold a manifest of patches.
  ///
  /// - Throws: `TrustError` as `DSSEEnvelope` does, `envelope-not-canonical`, `envelope-payload-type`.
  package init(reading bytes: Bytes, limits: BundleLimits = BundleLimits()) throws(TrustError) {
    envelope = try bytes.read { bytes throws(TrustError) in try DSSEEnvelope(reading: bytes, limit: limits.manifest) }
    guard envelope.encoded.withUnsafeBytes({ $0.isSame(as: bytes.buffer) }) else {
      throw TrustError(.envelopeNotCanonical)
    }
    try envelope.require(type: PatchManifest.payloadType)
  }

  /// What the manifest says; whoever has not checked the signatures has only somebody's word for it.
  ///
  /// - Throws: `TrustError` as strict JSON does, `envelope-not-canonical`, `manifest-schema`, `payload-path`.
  package func manifest(_ limits: BundleLimits = BundleLimits()) throws(TrustError) -> PatchManifest {
    let manifest = try PatchManifest(json: try JSONValue(strict: envelope.payload), limits: limits)
    guard try manifest.json.canonical() == envelope.payload else { throw TrustError(.envelopeNotCanonical) }
    return manifest
  }

  /// Of what was signed: two manifests of one version must have the same.
  package var digest: String { PayloadArchive.digest(envelope.payload) }
}

extension JSONValue {
  init(strict text: [UInt8]) throws(TrustError) {
    self = try Bytes(text).read { bytes throws(TrustError) in try JSONValue(strict: bytes) }
  }
}

extension Bytes {
  /// Hands out the buffer while the memory is certainly kept.
  func read<Value>(_ body: (UnsafeRawBufferPointer) throws(TrustError) -> Value) throws(TrustError) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try body(buffer)
  }
}

/// What was looked at, in this order.
package enum BundleCheck: String, Sendable, CaseIterable {
  case container, envelope, signatures, manifest, keys, app, channel
  case payloadDigest = "payload-digest"
  case decryption, files
}

/// A bundle that passed.
package struct VerifiedBundle: Sendable {
  package let manifest: PatchManifest
  /// SHA-256 of what was signed, in lower-case hex.
  package let manifestDigest: String
  /// Who signed, in the order of the signatures.
  package let signatures: [TrustedSigners.Signer]
  /// What was checked; all of it passed.
  package let checks: [BundleCheck]
  /// The payload's files; nil where no identity was given to open it, so that nobody looked at them.
  package let files: [PayloadFile]?
}

extension TrustError.Code {
  package static let envelopeNotCanonical = malformed("envelope-not-canonical")
  package static let payloadDigestMismatch = refused("payload-digest-mismatch")
  package static let payloadTooLong = refused("payload-too-long")
  fileprivate static let otherApp = refused("patch-other-app")
  fileprivate static let otherChannel = refused("patch-channel")
}
