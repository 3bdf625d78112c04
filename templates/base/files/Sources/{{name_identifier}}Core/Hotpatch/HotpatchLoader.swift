import MPaaSHotpatch

/// Fetches and runs the patches that the keys of `HotpatchKeys.json` vouch for.
public enum HotpatchLoader {
  /// Makes the client; call its `runStored()` first thing, and `start()` when there is time.
  ///
  /// - Parameters:
  ///   - folder: Where patches are kept; nothing else may be in it.
  ///   - root: The repository's first `root.json`, as it came with the app.
  ///   - mirrors: Addresses of the repository, tried in order.
  ///   - identities: What opens the patches.
  public static func makeClient(
    folder: String, device: DeviceFacts, root: [UInt8], mirrors: [String],
    identities: [AgeIdentity], tell: @escaping @Sendable (HotpatchEvent) -> Void = { _ in }
  ) throws -> HotpatchClient {
    let configuration = HotpatchClient.Configuration(
      folder: folder, device: device, root: root, mirrors: mirrors, keys: try verificationKeys(),
      identities: identities)
    return try HotpatchClient(configuration, tell: tell)
  }

  /// The keys in the form that signatures are checked with.
  public static func verificationKeys() throws -> [VerificationKey] {
    try HotpatchKeys.load().keys.map { key in try VerificationKey(pem: key.pem) }
  }
}
