package import MPaaSTrust

extension DSSEEnvelope {
  /// Signs `payload` with each of `keys`.
  ///
  /// - Throws: `TrustError` `signing-failed`.
  package static func sign(
    _ payload: [UInt8], type: String, with keys: [SigningKey]
  ) throws(TrustError) -> DSSEEnvelope {
    var envelope = DSSEEnvelope(payloadType: type, payload: payload, signatures: [])
    for key in keys { try envelope.sign(with: key) }
    return envelope
  }

  /// Adds the signature of `key`, in place of an earlier one by it.
  package mutating func sign(with key: SigningKey) throws(TrustError) {
    let keyID = key.verificationKey.keyID
    let signature = Signature(keyID: keyID, value: try key.sign(signedBytes))
    signatures.removeAll { $0.keyID == keyID }
    signatures.append(signature)
  }
}
