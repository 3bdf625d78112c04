package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Decides whether a bundle is what a trusted signer made, and opens it.
///
/// The order is fixed, and what fails first is what is told: container, envelope, signatures, manifest, keys, app,
/// channel and term, payload digest, decryption, paths, files. Nothing of the payload is handed out before all of it
/// was checked, and nothing is ever written.
package struct BundleVerifier: Sendable {
  package var signers: TrustedSigners
  /// Keys that open the payload; without any it is checked by its digest alone.
  package var identities: [AgeIdentity]
  /// The app and the channel that the patch must be for; nil for any.
  package var app: String?
  package var channel: String?
  /// The time at which the keys are to be valid, and the patch where that is asked for.
  package var time: Date
  /// Tells whether `time` has to lie within the patch's term, as it must for an installation.
  package var checksTerm = false
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
  ///   `patch-other-app`, `patch-channel`, `patch-expired`, `patch-not-yet-valid`, `payload-digest-mismatch`,
  /// `age-header-malformed`, `age-payload-broken`,
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
      let archive = try Self.decrypt(container.payload, manifest.payload, identities)
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
    if checksTerm { try manifest.checkTerm(at: time) }
    return (app == nil ? [] : [.app]) + (channel == nil ? [] : [.channel]) + (checksTerm ? [.term] : [])
  }

  package static func checkDigest(of payload: Bytes, _ stated: PatchManifest.Payload) throws(TrustError) {
    guard stated.matches(payload) else {
      throw TrustError(
        .payloadDigestMismatch, ["size": String(payload.count), "expected": String(stated.length)])
    }
  }

  package static func decrypt(
    _ payload: Bytes, _ stated: PatchManifest.Payload, _ identities: [AgeIdentity]
  ) throws(TrustError) -> Bytes {
    let plain: Bytes
    do throws(TrustError) {
      plain = try Age.decrypt(payload, with: identities, limit: stated.plainLength)
    } catch {
      guard error.code == .agePlaintextTooLong else { throw error }
      throw TrustError(.payloadTooLong, ["limit": String(stated.plainLength)])
    }
    guard plain.count == stated.plainLength else {
      throw TrustError(
        .payloadDigestMismatch, ["size": String(plain.count), "expected": String(stated.plainLength)])
    }
    return plain
  }
}

/// The checks of a bundle, in this order.
package enum BundleCheck: String, Sendable, CaseIterable {
  case container, envelope, signatures, manifest, keys, app, channel, term
  case payloadDigest = "payload-digest"
  case decryption, files
}

/// A bundle that passed.
package struct VerifiedBundle: Sendable {
  package let manifest: PatchManifest
  /// SHA-256 of what was signed, in lower-case hex.
  package let manifestDigest: String
  /// The signers, in the order of the signatures.
  package let signatures: [TrustedSigners.Signer]
  /// The checks that were made; all of it passed.
  package let checks: [BundleCheck]
  /// The payload's files; nil where no identity was given to open it, so that they were not looked at.
  package let files: [PayloadFile]?
}

extension TrustError.Code {
  package static let payloadDigestMismatch = refused("payload-digest-mismatch")
  package static let payloadTooLong = refused("payload-too-long")
  fileprivate static let otherApp = refused("patch-other-app")
  fileprivate static let otherChannel = refused("patch-channel")
}
