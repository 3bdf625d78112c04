/// The facts of a signature as `mpaas scan --json` prints them; their names do not change.
package struct SignatureFacts: Sendable, Equatable, Codable {
  /// One CodeDirectory.
  package struct Directory: Sendable, Equatable, Codable {
    package let identifier: String
    package let team: String?
    /// `sha1`, `sha256` or `sha384`.
    package let hash: String
    package let cdhash: String
    package let codeLimit: UInt64
    /// Numbers of the pages whose bytes are not those that were signed.
    package let badPages: [Int]

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(identifier, forKey: .identifier)
      // Null, not absent, where there is no team.
      try container.encode(team, forKey: .team)
      try container.encode(hash, forKey: .hash)
      try container.encode(cdhash, forKey: .cdhash)
      try container.encode(codeLimit, forKey: .codeLimit)
      try container.encode(badPages, forKey: .badPages)
    }
  }

  package let directories: [Directory]
  /// Tells whether the signer's signature holds over the first CodeDirectory; nil for ad hoc signatures.
  package let cmsSignatureHolds: Bool?

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(directories, forKey: .directories)
    try container.encode(cmsSignatureHolds, forKey: .cmsSignatureHolds)
  }
}
