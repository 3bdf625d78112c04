package import MPaaSSupport
package import MPaaSTrust

extension KeyPicture {
  /// The picture with `pairs` in it, in place of earlier ones; every other byte stays as it is.
  ///
  /// - Parameter picture: PNG or JPEG; nil makes a small PNG.
  /// - Throws: `TrustError` `key-picture-carrier`, `key-picture-broken`, `key-picture-twice`, `key-picture-bundle`.
  package static func encode(
    _ pairs: KeyPairs, in picture: Bytes?, bundleIdentifier: String, passphrase: SecretBytes?
  ) throws(TrustError) -> [UInt8] {
    let payload = try PicturePayload.seal(pairs, bundleIdentifier: bundleIdentifier, passphrase: passphrase)
    let carrier = picture ?? Bytes(BlankPicture.png)
    defer { withExtendedLifetime(carrier) {} }
    return try PictureCarrier.embed(payload, in: carrier.buffer)
  }
}
