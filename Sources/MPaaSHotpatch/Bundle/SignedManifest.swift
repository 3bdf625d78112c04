import MPaaSDigests
package import MPaaSSupport
package import MPaaSVerification

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

  /// The manifest's statements; without a check of the signatures they are only somebody's word.
  ///
  /// - Throws: `TrustError` as strict JSON does, `envelope-not-canonical`, `manifest-schema`, `payload-path`.
  package func manifest(_ limits: BundleLimits = BundleLimits()) throws(TrustError) -> PatchManifest {
    let manifest = try PatchManifest(json: try JSONValue(strict: envelope.payload), limits: limits)
    guard try manifest.json.canonical() == envelope.payload else { throw TrustError(.envelopeNotCanonical) }
    return manifest
  }

  /// The SHA-256 of the signed bytes, in lower-case hex: two manifests of one version must have the same.
  package var digest: String { envelope.payload.sha256.hexadecimal }
}

extension JSONValue {
  package init(strict text: [UInt8]) throws(TrustError) {
    self = try Bytes(text).read { bytes throws(TrustError) in try JSONValue(strict: bytes) }
  }
}

extension Bytes {
  /// Hands out the buffer while the memory is certainly kept.
  package func read<Value>(_ body: (UnsafeRawBufferPointer) throws(TrustError) -> Value) throws(TrustError) -> Value {
    defer { withExtendedLifetime(self) {} }
    return try body(buffer)
  }
}

extension TrustError.Code {
  package static let envelopeNotCanonical = malformed("envelope-not-canonical")
}
