/// The function that makes a signature of a request's text.
///
/// The raw value is the name in headers and in `mpaas rpc sign --algorithm`.
public enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// HMAC (RFC 2104) over SHA-256, in hexadecimal digits.
  case hmacSHA256 = "hmac-sha256"
  /// HMAC over SM3 (GB/T 32905), in hexadecimal digits.
  case hmacSM3 = "hmac-sm3"
  /// MD5 of the text followed by the secret, in hexadecimal digits: for gateways that ask for it, since it is weak.
  case md5Salt = "md5-salt"
  /// RSASSA-PKCS1-v1_5 over SHA-256 (RFC 8017), in Base64; Java calls it `SHA256withRSA`.
  case rsaSHA256 = "rsa-sha256"
  /// RSASSA-PSS over SHA-256 (RFC 8017), in Base64.
  case rsaPSS = "rsa-pss-sha256"

  /// Tells whether the signer has a private key and the verifier a public one; else both share a secret.
  public var isAsymmetric: Bool {
    switch self {
    case .hmacSHA256, .hmacSM3, .md5Salt: false
    case .rsaSHA256, .rsaPSS: true
    }
  }
}
