import MPaaSSupport
package import MPaaSTrust

extension SignedMetadata {
  /// Adds the signature of `key`, in place of an earlier one by it.
  package mutating func sign(with key: SigningKey) throws(TrustError) {
    let keyID = key.verificationKey.keyID
    let signature = Signature(keyID: keyID, value: try key.sign(canonical))
    signatures.removeAll { ExactName($0.keyID) == ExactName(keyID) }
    signatures.append(signature)
  }
}
