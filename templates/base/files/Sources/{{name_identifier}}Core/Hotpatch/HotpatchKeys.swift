import Foundation

/// The public keys whose patches the app takes: `HotpatchKeys.json`.
public struct HotpatchKeys: Sendable, Hashable {
  public struct Key: Sendable, Hashable, Codable {
    public var name: String
    /// The key's fingerprint, as `mpaas key list` shows it.
    public var id: String
    /// The SubjectPublicKeyInfo in base64.
    public var publicKey: String

    public var pem: String {
      "-----BEGIN PUBLIC KEY-----\n\(publicKey)\n-----END PUBLIC KEY-----\n"
    }
  }

  public var keys: [Key]

  /// What has to be done before the app takes patches; nil where it has a key.
  public var missing: String? {
    guard keys.isEmpty else { return nil }
    return """
      HotpatchKeys.json has no key, so all patches are refused. Make one with \
      `mpaas key generate --name release`, and enter what `mpaas key export --name release --public` \
      prints between its first and last line as publicKey, with name and id.
      """
  }

  public static func load() throws -> HotpatchKeys {
    let keys = try JSONDecoder().decode([Key].self, from: AppResource.hotpatchKeys.data())
    return HotpatchKeys(keys: keys)
  }
}
