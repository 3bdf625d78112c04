package import MPaaSHotpatch
import MPaaSTrust
package import MPaaSTrustTools

extension TrustedSigners {
  /// Takes the keys that are named: files of public keys, or names of the store.
  ///
  /// - Parameter words: Files or names; without any, the user's own and the trusted keys of the store that may sign patches.
  /// - Throws: `TrustError` `key-unknown`, and what reading a key throws.
  package init(_ words: [String], of store: KeyStore, threshold: Int) throws(TrustError) {
    guard words.isEmpty else {
      let signers = try words.map { word throws(TrustError) in
        let (key, record) = try store.verifier(word)
        return Signer(name: record?.name ?? word, key: key, record: record)
      }
      self.init(signers, threshold: threshold)
      return
    }
    let own = try store.ownKeys(for: .patches)
    let others = try store.trustedKeys(for: .patches)
    let records = own + others.filter { other in !own.contains { $0.publicKey == other.publicKey } }
    let signers = try records.map { record throws(TrustError) in
      Signer(name: record.name, key: try record.publicKey.verificationKey(), record: record)
    }
    self.init(signers, threshold: threshold)
  }
}
