/// The encoding of a digest inside a signature of RSA (RFC 8017, section 8).
package enum RSASignaturePadding: Sendable {
  /// RSASSA-PSS with MGF1 of SHA-256 and a salt as long as the digest.
  case pss
  /// RSASSA-PKCS1-v1_5, which Java calls `SHA256withRSA`: for requests that other systems sign.
  case pkcs1
}
