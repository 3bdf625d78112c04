import MPaaSSupport
public import MPaaSVerification

/// The proof that a state has to bring along.
public struct FlagTrust: Sendable {
  enum Kind: Sendable {
    case connection
    case envelope(keys: [VerificationKey], threshold: Int, path: String)
    case repository(root: [UInt8], mirrors: [String])
  }

  let kind: Kind

  /// No proof beside the connection: the server's answer is taken as it is.
  public static let connection = FlagTrust(kind: .connection)

  /// Signatures in an envelope (DSSE), which the server, or any server of files, has under `path`.
  ///
  /// - Parameters:
  ///   - keys: The public keys.
  ///   - threshold: The number of the keys that must have signed.
  ///   - path: The place of the envelope, behind the address of the server.
  public static func envelope(
    keys: [VerificationKey], threshold: Int = 1, path: String = "client/features"
  ) -> FlagTrust {
    FlagTrust(kind: .envelope(keys: keys, threshold: threshold, path: path))
  }

  /// A signed repository, whose target `config/APP.json` is the state.
  ///
  /// - Parameters:
  ///   - root: The repository's first `root.json`, as it came with the app.
  ///   - mirrors: Addresses of the repository, in the order in which they are tried.
  public static func repository(root: [UInt8], mirrors: [String]) -> FlagTrust {
    FlagTrust(kind: .repository(root: root, mirrors: mirrors))
  }

  /// Tells whether states are signed documents.
  var isSigned: Bool { if case .connection = kind { false } else { true } }

  /// The signed document in the bytes that came, or that are kept; its signatures hold.
  ///
  /// The bytes of a repository's target were checked against its metadata where they came in.
  ///
  /// - Returns: nil where states are not signed.
  /// - Throws: `TrustError`: why the envelope is not to be trusted, or `flags-signed-malformed`.
  func document(in bytes: [UInt8]) throws(TrustError) -> SignedFlagState? {
    switch kind {
    case .connection: return nil
    case .repository: return try Self.read(bytes)
    case .envelope(let keys, let threshold, _):
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(TrustError) in try DSSEEnvelope(reading: buffer, limit: SignedFlagState.largest * 3 / 2) }
      }
      let envelope = try result.get()
      try envelope.require(type: SignedFlagState.payloadType)
      _ = try envelope.verifyNamed(by: keys, threshold: threshold)
      return try Self.read(envelope.payload)
    }
  }

  private static func read(_ bytes: [UInt8]) throws(TrustError) -> SignedFlagState {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(TrustError) in try SignedFlagState(reading: buffer) }
    }
    return try result.get()
  }
}
