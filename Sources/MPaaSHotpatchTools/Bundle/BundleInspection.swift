package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

/// A bundle's word for itself; no signature of it is checked.
package struct BundleInspection: Sendable {
  package let manifest: PatchManifest
  /// The names of the keys in the envelope, in the order of the signatures.
  package let keyIDs: [String]
  /// True if the payload is as long as the manifest says, with the same digest.
  package let payloadMatches: Bool

  /// - Throws: `TrustError` as `BundleContainer` and `SignedManifest` do.
  package init(reading bytes: Bytes) throws(TrustError) {
    let container = try BundleContainer(reading: bytes)
    let signed = try SignedManifest(reading: container.manifest)
    manifest = try signed.manifest()
    keyIDs = signed.envelope.signatures.map(\.keyID)
    payloadMatches = manifest.payload.matches(container.payload)
  }
}
