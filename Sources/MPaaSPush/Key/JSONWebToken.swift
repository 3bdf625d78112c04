package import MPaaSSupport

/// A JSON Web Token in the compact form: three parts in base64url between dots (RFC 7515, section 7.1).
package struct JSONWebToken: Sendable {
  package let header: JSONValue.Object
  package let claims: JSONValue.Object
  /// The bytes that the signature is of.
  package let signed: [UInt8]
  package let signature: [UInt8]

  /// Reads a token without verifying it; nil for anything malformed.
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let signature = Base64URL.decode(parts[2]),
      let header = Self.object(parts[0]), let claims = Self.object(parts[1])
    else { return nil }
    self.header = header
    self.claims = claims
    signed = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    self.signature = signature
  }

  private static func object(_ part: some Collection<UInt8>) -> JSONValue.Object? {
    guard let bytes = Base64URL.decode(part) else { return nil }
    return (try? bytes.withUnsafeBytes { try JSONValue(reading: $0, by: .exact) })?.object
  }

  /// The text of a token.
  ///
  /// - Parameter sign: The signature of the bytes that it gets.
  package static func text(
    header: JSONValue, claims: JSONValue, sign: ([UInt8]) throws -> [UInt8]
  ) rethrows -> String {
    let signed = Base64URL.encode(Array(header.line.utf8)) + "." + Base64URL.encode(Array(claims.line.utf8))
    return try signed + "." + Base64URL.encode(sign(Array(signed.utf8)))
  }
}

/// Base64 of the alphabet for addresses and file names, without padding (RFC 4648, section 5).
package enum Base64URL {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = Base64.digits(bytes).lazy.filter { $0 != UInt8(ascii: "=") }
    return String(decoding: digits.map { swap($0, "+", "-", "/", "_") }, as: UTF8.self)
  }

  /// Reads the one spelling that `encode` writes; nil for any other.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard !text.contains(UInt8(ascii: "+")), !text.contains(UInt8(ascii: "/")) else { return nil }
    return Base64.decode(text.map { swap($0, "-", "+", "_", "/") }, isPadded: false)
  }

  private static func swap(
    _ byte: UInt8, _ from: Unicode.Scalar, _ to: Unicode.Scalar, _ second: Unicode.Scalar, _ other: Unicode.Scalar
  ) -> UInt8 {
    byte == UInt8(ascii: from) ? UInt8(ascii: to) : byte == UInt8(ascii: second) ? UInt8(ascii: other) : byte
  }
}
