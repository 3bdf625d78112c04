import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A key by the word that a user named it with: an own key of the store, a trusted one, or a file.
package struct RepositoryKey: Sendable {
  package let word: String
  package let publicKey: VerificationKey
  package let record: KeyRecord?
  /// The private half; nil for a public key, and for a file.
  package let sealed: SealedKey?
  /// The key of a file that had to be opened to know which it is.
  package private(set) var signingKey: SigningKey?

  /// - Throws: `TrustError` `key-unknown`, `registry-key-file-encrypted`, and what reading a key throws.
  package init(_ word: String, of store: KeyStore) throws(TrustError) {
    self.word = word
    guard FileStatus(word)?.kind == .file, (try? store.anyRecord(word)) == nil else {
      let found = try store.anyRecord(word)
      record = found.record
      publicKey = try found.record.publicKey.verificationKey()
      sealed = found.isTrusted ? nil : try store.sealedKey(word)
      return
    }
    record = nil
    sealed = nil
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(word, limit: 1 << 16) } catch { throw TrustError(error) }
    let text = String(decoding: bytes.array, as: UTF8.self)
    if text.has("PUBLIC KEY-----") {
      publicKey = try VerificationKey(pem: text)
      return
    }
    let key = try store.sealedKey(word)
    // A file with a passphrase belongs into the store, which knows its public half without opening it.
    guard !key.isEncrypted else { throw TrustError(.keyFileEncrypted, ["path": word]) }
    let signer = try key.open(with: nil).signingKey()
    signingKey = signer
    publicKey = signer.verificationKey
  }

  /// Checks that the key may speak for a role of a repository.
  ///
  /// Teams name their roles as they like: keys for patches or modules may speak for any role but the known ones.
  package func check(for role: String, at time: Date) throws(TrustError) {
    guard let record else { return }
    let exact = KeyRole(rawValue: role)
    do throws(TrustError) {
      try record.check(for: exact, at: time)
    } catch {
      let isOwn = exact.map { !KeyRole.known.contains($0) } ?? true
      let general: [KeyRole] = [.patches, .modules, .targets]
      guard isOwn, general.contains(where: { (try? record.check(for: $0, at: time)) != nil }) else { throw error }
    }
  }
}

extension TrustError.Code {
  static let keyFileEncrypted = TrustError.Code("registry-key-file-encrypted", exit: .usage)
}
