import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An age file while it is read, piece by piece.
///
/// A caller must keep the pieces to itself until `next` has returned nil: only then is it certain that the file was
/// neither cut short nor changed.
package struct AgeDecryption {
  private var source: AgeSource
  private var cipher: AgeCipher
  private let limit: Int
  private var size = 0
  private var isDone = false

  /// Reads the header and finds the file key.
  ///
  /// - Parameter isArmored: Looked up in the file where nothing is said.
  package init(
    _ file: UnsafeRawBufferPointer, with identities: [AgeIdentity], limit: Int, isArmored: Bool? = nil
  ) throws(TrustError) {
    self.limit = limit
    source = try AgeSource(file, isArmored: isArmored)
    let header = try Self.header(&source)
    let fileKey = try header.fileKey(for: identities)
    guard header.isAuthentic(fileKey) else {
      throw TrustError(.agePayloadBroken, ["part": "header", "offset": String(header.size)])
    }
    let nonce = try source.peek(AgeCipher.nonceSize) { Array($0) }
    try source.skip(nonce.count)
    guard nonce.count == AgeCipher.nonceSize else {
      throw TrustError(.ageHeaderMalformed, ["place": "offset \(header.size)"])
    }
    cipher = AgeCipher(fileKey: fileKey, nonce: nonce)
  }

  /// Bytes of the file that were used up.
  package var used: Int { source.used }

  private static func header(_ source: inout AgeSource) throws(TrustError) -> AgeHeader {
    // Nearly all headers are small; the rest of the file need not be copied to find out.
    for size in [1 << 14, AgeHeader.largestSize] {
      let (found, isWhole) = try source.peek(size) { bytes in (try? AgeHeader(bytes), bytes.count < size) }
      if let found {
        try source.skip(found.size)
        return found
      }
      if isWhole { break }
    }
    _ = try source.peek(AgeHeader.largestSize) { bytes throws(TrustError) in try AgeHeader(bytes) }
    throw TrustError(.ageHeaderMalformed, ["place": "offset 0"])
  }

  /// The next piece of the plaintext; nil once all was authenticated.
  package mutating func next() throws(TrustError) -> Data? {
    guard !isDone else { return nil }
    let whole = AgeCipher.chunkSize + AgeCipher.tagSize
    let isLast = try source.ends(behind: whole)
    let room = limit - size
    var cipher = cipher
    let plaintext = try source.peek(whole) { chunk throws(TrustError) in
      let number = cipher.counter
      // The last chunk may only be empty where it is the only one.
      guard chunk.count > AgeCipher.tagSize || (chunk.count == AgeCipher.tagSize && number == 0) else {
        throw Self.broken(number)
      }
      guard chunk.count - AgeCipher.tagSize <= room else {
        throw TrustError(.agePlaintextTooLong, ["limit": String(limit)])
      }
      guard let plaintext = cipher.open(chunk, isLast: isLast) else { throw Self.broken(number) }
      return plaintext
    }
    try source.skip(whole)
    self.cipher = cipher
    size += plaintext.count
    isDone = isLast
    return plaintext
  }

  private static func broken(_ chunk: UInt64) -> TrustError {
    TrustError(.agePayloadBroken, ["part": "payload", "offset": String(chunk << 16)])
  }
}

extension AgeHeader {
  /// The file key, unwrapped by the first of `identities` that fits.
  fileprivate func fileKey(for identities: [AgeIdentity]) throws(TrustError) -> SymmetricKey {
    let hasPassphrase = stanzas.contains { $0.arguments.first == "scrypt" }
    // The sender of a file for a passphrase knows it: another recipient would not learn that from the file.
    guard !hasPassphrase || stanzas.count == 1 else { throw TrustError(.ageHeaderMalformed, ["place": "scrypt"]) }
    var triedPassphrase = false
    for identity in identities {
      for stanza in stanzas {
        switch (identity.kind, stanza.arguments.first) {
        case (.x25519(let key), "X25519"):
          if let fileKey = try stanza.fileKey(for: key) { return fileKey }
        case (.secret(let secret), "scrypt"):
          triedPassphrase = true
          if let key = try secret.fileKey(of: stanza) { return key }
        default: break
        }
      }
    }
    guard triedPassphrase || !hasPassphrase else {
      throw TrustError(.ageScryptNotAllowed, ["limit": String(AgeHeader.largestWorkFactor)])
    }
    throw TrustError(.ageNoIdentity)
  }
}

extension TrustError.Code {
  package static let agePayloadBroken = malformed("age-payload-broken")
  package static let ageNoIdentity = refused("age-no-identity")
  package static let agePlaintextTooLong = refused("age-plaintext-too-long")
}
