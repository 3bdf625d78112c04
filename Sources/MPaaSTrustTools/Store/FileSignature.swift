import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The program whose form a signature has.
package enum SignatureFormat: String, Sendable, CaseIterable {
  case minisign, signify

  /// The ending behind the name of the file.
  package var suffix: String { self == .minisign ? ".minisig" : ".sig" }
}

/// A file with its signature.
package struct FileSignature: Sendable, Equatable {
  package let file: String
  /// The path of the signature.
  package let signature: String
  /// The name of the key.
  package let key: String
  /// The comment on the file, signed too; nil for signatures of signify, whose comments are not.
  package let comment: String?

  /// The signature beside a file, minisign's where both are there or none.
  package static func path(of file: String) -> String {
    let other = file + SignatureFormat.signify.suffix, usual = file + SignatureFormat.minisign.suffix
    return FileStatus(usual) == nil && FileStatus(other) != nil ? other : usual
  }
}

extension KeyStore {
  /// Signs a file as minisign or signify does.
  ///
  /// - Parameters:
  ///   - word: The name of an own key, or a file of a private key.
  ///   - comment: One line; nil for that which the program writes.
  ///   - output: The path of the signature; nil for that beside the file.
  ///   - open: Opens the key, once it is known to be good for it.
  /// - Throws: `FileError`; `TrustError` `key-not-minisign` where it is no Ed25519 key, `key-unknown`, `key-revoked`,
  ///   `key-expired`; what `open` throws.
  package func sign(
    _ file: String, with word: String, _ format: SignatureFormat, comment: String?, to output: String?,
    open: ([SealedKey]) throws -> [PrivateKey]
  ) throws -> FileSignature {
    let message = try Bytes.mapping(file)
    defer { withExtendedLifetime(message) {} }
    let sealed = try sealedKey(word)
    if let record = sealed.record {
      guard try record.publicKey.verificationKey().scheme == .ed25519 else {
        throw TrustError(.keyNotMinisign, ["name": word, "kind": record.publicKey.kind.rawValue])
      }
      try record.check(for: nil, at: now())
    }
    guard let opened = try open([sealed]).first else { throw TrustError(.keyUnknown, ["name": word]) }
    let record = sealed.record ?? KeyRecord(name: "key", publicKey: opened.publicKey, created: now())
    let key = try NumberedSigningKey(opened.signingKey(), number: record.minisignNumber)
    let path = output ?? file + format.suffix
    let text: String
    var signed: String?
    switch format {
    case .minisign:
      let usual = "timestamp:\(Int64(now().timeIntervalSince1970))\tfile:\(FileSystem.name(of: file))"
      signed = comment ?? usual
      text = try MinisignSignature(message.buffer, by: key, trustedComment: comment ?? usual).text
    case .signify:
      let usual = "verify with \(FileSystem.name(of: word)).pub"
      text = try SignifySignature(message.buffer, by: key, comment: comment ?? usual).text
    }
    try Bytes(text.utf8).write(to: path)
    return FileSignature(file: file, signature: path, key: word, comment: signed)
  }

  /// Verifies a signature of minisign or signify.
  ///
  /// - Parameters:
  ///   - word: The public key, as `publicRecord` takes it.
  ///   - signature: The path of the signature; nil for that beside the file.
  ///   - isPrehashed: Whether the signature has to be over the file's digest.
  /// - Throws: `FileError`; `TrustError` `signature-not-prehashed`, of the key, and as the formats' `verify`.
  package func verify(
    _ file: String, by word: String, signature: String? = nil, prehashed isPrehashed: Bool = false
  ) throws -> FileSignature {
    let record = try publicRecord(word)
    try record.check(for: nil, at: now())
    let path = signature ?? FileSignature.path(of: file)
    let text = try Bytes.reading(path, limit: PrivateFile.limit).array
    let message = try Bytes.mapping(file)
    defer { withExtendedLifetime(message) {} }
    let key = NumberedKey(number: record.minisignNumber, key: try record.publicKey.verificationKey())
    var comment: String?
    if SignifySignature.isSignify(text) {
      // signify signs files as they are.
      guard !isPrehashed else { throw TrustError(.signatureNotPrehashed) }
      try SignifySignature(reading: text).verify(message.buffer, by: key)
    } else {
      let found = try MinisignSignature(reading: text)
      try found.verify(message.buffer, by: key, requiresDigest: isPrehashed)
      comment = found.trustedComment
    }
    return FileSignature(file: file, signature: path, key: record.name, comment: comment)
  }
}

extension TrustError.Code {
  static let keyNotMinisign = TrustError.Code("key-not-minisign", exit: .usage)
}
