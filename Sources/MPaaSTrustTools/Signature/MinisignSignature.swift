import MPaaSSupport
package import MPaaSTrust

/// A signature of minisign: over a file or its digest, with a comment that is signed too.
///
/// Source: minisign's signature format. Four lines: an untrusted comment; base64 of the algorithm, the key's number and
/// the signature; the trusted comment; base64 of a second signature, over the first one and the trusted comment.
package struct MinisignSignature: Sendable, Equatable {
  /// The kinds of signed data.
  enum Algorithm: String {
    /// The BLAKE2b-512 digest of the file.
    case digest = "ED"
    /// The file itself, as minisign did before 0.10.
    case file = "Ed"
  }

  package let untrustedComment: String
  package let trustedComment: String
  /// The number of the key.
  package let number: [UInt8]
  let algorithm: Algorithm
  let signature: [UInt8]
  /// Over the signature and the trusted comment.
  let global: [UInt8]

  /// Reads a `.minisig` file, checking neither of its signatures.
  ///
  /// - Throws: `TrustError` `signature-file-malformed`.
  package init(reading text: some Collection<UInt8>) throws(TrustError) {
    var lines = try SignatureLines(text, tool: "minisign")
    untrustedComment = try lines.comment(SignatureLines.untrusted)
    let bytes = try lines.bytes(74)
    guard let algorithm = Algorithm(rawValue: String(decoding: bytes.prefix(2), as: UTF8.self)) else {
      throw lines.error
    }
    self.algorithm = algorithm
    number = Array(bytes.dropFirst(2).prefix(8))
    signature = Array(bytes.suffix(64))
    trustedComment = try lines.comment(SignatureLines.trusted)
    global = Array(try lines.bytes(64))
    try lines.end()
  }

  /// Signs a message.
  ///
  /// - Parameters:
  ///   - trustedComment: One line without control characters; what belongs to the file, such as its name and version.
  ///   - isLegacy: Whether the message itself is signed instead of its digest, for minisign before 0.10.
  /// - Throws: `TrustError` `signing-failed`, `signature-file-malformed` for a comment of several lines.
  package init(
    _ message: UnsafeRawBufferPointer, by key: NumberedSigningKey, trustedComment: String,
    untrustedComment: String = "signature from mpaas", isLegacy: Bool = false
  ) throws(TrustError) {
    let algorithm = isLegacy ? Algorithm.file : .digest
    let bytes: [UInt8]
    if isLegacy {
      bytes = try key.sign(message, algorithm: algorithm.rawValue)
    } else {
      let digest = BLAKE2b.digest(message)
      bytes = Array(algorithm.rawValue.utf8) + key.number + Array(try key.key.sign(digest))
    }
    let global = Array(try key.key.sign(bytes.suffix(64) + Array(trustedComment.utf8)))
    let text =
      SignatureLines.text(untrustedComment, bytes) + SignatureLines.trusted + trustedComment + "\n"
      + Base64.encode(global) + "\n"
    // A signature that cannot be read back is not written.
    try self.init(reading: text.utf8)
    guard self.trustedComment == trustedComment else {
      throw TrustError(.signatureFileMalformed, ["tool": "minisign", "line": "3"])
    }
  }

  package var text: String {
    SignatureLines.text(untrustedComment, Array(algorithm.rawValue.utf8) + number + signature)
      + SignatureLines.trusted + trustedComment + "\n" + Base64.encode(global) + "\n"
  }

  /// Checks both signatures; only then may the trusted comment be believed.
  ///
  /// - Parameter requiresDigest: Whether a signature over the file itself, as minisign made them before 0.10, is
  /// refused:
  ///   `minisign -V -H`.
  /// - Throws: `TrustError` `signature-not-prehashed`, `signature-other-key`, `signature-not-canonical`,
  ///   `signature-invalid`.
  package func verify(
    _ message: UnsafeRawBufferPointer, by key: NumberedKey, requiresDigest: Bool = false
  ) throws(TrustError) {
    guard !requiresDigest || algorithm == .digest else { throw TrustError(.signatureNotPrehashed) }
    try key.require(number)
    switch algorithm {
    case .file: try key.verify(signature, of: message)
    case .digest: try key.verify(signature, of: BLAKE2b.digest(message))
    }
    try key.verify(global, of: signature + Array(trustedComment.utf8))
  }
}

extension TrustError.Code {
  package static let signatureNotPrehashed = refused("signature-not-prehashed")
}
