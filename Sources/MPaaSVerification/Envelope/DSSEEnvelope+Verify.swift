import MPaaSSupport

extension DSSEEnvelope {
  /// Checks that at least `threshold` of `keys` signed, and that no other signature stands in the envelope.
  ///
  /// Stricter than DSSE 1.0.2, which passes over signatures that it cannot check: here each of them must be one of a
  /// key in `keys`, so that nothing unchecked is carried along. A key counts once, under whatever names it stands.
  ///
  /// - Returns: The keys that signed, in the order of the signatures.
  /// - Throws: `TrustError` `signature-threshold-zero`, `signature-missing`, `signature-key-twice`,
  ///   `signature-same-key-two-ids`, `signature-scheme-mismatch`, `signature-not-canonical`, `signature-invalid`,
  ///   `signature-below-threshold`.
  package func verify(by keys: [VerificationKey], threshold: Int) throws(TrustError) -> [VerificationKey] {
    guard threshold >= 1 else { throw TrustError(.signatureThresholdZero) }
    guard !signatures.isEmpty else { throw TrustError(.signatureMissing) }
    var names: Set<String> = []
    for signature in signatures where !signature.keyID.isEmpty {
      guard names.insert(signature.keyID).inserted else {
        throw TrustError(.signatureKeyTwice, ["key": signature.keyID])
      }
    }
    let message = signedBytes
    let named = Dictionary(keys.map { ($0.keyID, $0) }) { first, _ in first }
    var signers: [VerificationKey] = []
    var seen: [VerificationKey: String] = [:]
    for signature in signatures {
      let signer = try signer(of: signature, message, named)
      if let other = seen.updateValue(signature.keyID, forKey: signer) {
        let code: TrustError.Code = other == signature.keyID ? .signatureKeyTwice : .signatureSameKeyTwoIDs
        throw TrustError(code, ["key": signer.keyID, "other": other])
      }
      signers.append(signer)
    }
    guard signers.count >= threshold else {
      throw TrustError(
        .signatureBelowThreshold, ["valid": String(signers.count), "threshold": String(threshold)])
    }
    return signers
  }

  /// Checks the signatures as `verify` does, and that each stands under its key's own identifier.
  ///
  /// Names are hints and not signed: one that is another key's would be an unsigned claim that people read.
  ///
  /// - Throws: `TrustError` as `verify` does, and `signature-key-id`.
  package func verifyNamed(by keys: [VerificationKey], threshold: Int) throws(TrustError) -> [VerificationKey] {
    let signers = try verify(by: keys, threshold: threshold)
    for (signature, key) in zip(signatures, signers) where signature.keyID != key.keyID {
      throw TrustError(.signatureKeyID, ["name": signature.keyID, "key": key.keyID])
    }
    return signers
  }

  /// The key that made `signature`: the one that it names, else whichever fits, since names are hints only.
  private func signer(
    of signature: Signature, _ message: [UInt8], _ keys: [String: VerificationKey]
  ) throws(TrustError) -> VerificationKey {
    let values = ["key": signature.keyID]
    if let key = keys[signature.keyID] {
      guard key.scheme.fits(signature.value) else {
        throw TrustError(.signatureSchemeMismatch, ["key": signature.keyID, "scheme": key.scheme.rawValue])
      }
      guard key.isCanonical(signature.value) else { throw TrustError(.signatureNotCanonical, values) }
      guard key.verifies(signature.value, of: message) else { throw TrustError(.signatureInvalid, values) }
      return key
    }
    let signer = keys.values.first { $0.scheme.fits(signature.value) && $0.verifies(signature.value, of: message) }
    guard let signer else { throw TrustError(.signatureInvalid, values) }
    return signer
  }
}

extension TrustError.Code {
  package static let signatureMissing = refused("signature-missing")
  package static let signatureBelowThreshold = refused("signature-below-threshold")
  package static let signatureKeyTwice = refused("signature-key-twice")
  package static let signatureSameKeyTwoIDs = refused("signature-same-key-two-ids")
  package static let signatureThresholdZero = refused("signature-threshold-zero")
  package static let signatureSchemeMismatch = refused("signature-scheme-mismatch")
  package static let signatureNotCanonical = refused("signature-not-canonical")
  package static let signatureKeyID = refused("signature-key-id")
  package static let signatureInvalid = refused("signature-invalid")
}
