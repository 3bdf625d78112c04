#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The wrappings of keys of RSA (RFC 8017) in a SubjectPublicKeyInfo (RFC 5280) and a PrivateKeyInfo (RFC 5208), in DER.
package enum RSAKeyInfo {
  private static let sequence: UInt8 = 0x30
  private static let bitString: UInt8 = 0x03
  private static let octetString: UInt8 = 0x04
  /// The AlgorithmIdentifier of rsaEncryption, with its NULL.
  private static let algorithm: [UInt8] = [
    0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
  ]
  /// The version of a PrivateKeyInfo.
  private static let version: [UInt8] = [0x02, 0x01, 0x00]

  package static func subjectPublicKeyInfo(of key: Data) -> Data {
    Data(element(sequence, algorithm + element(bitString, [0] + Array(key))))
  }

  private static func privateKeyInfo(of key: Data) -> Data {
    Data(element(sequence, version + algorithm + element(octetString, Array(key))))
  }

  /// The key inside; nil where the bytes are not exactly what `subjectPublicKeyInfo(of:)` makes of it.
  static func bareKey(in info: Data) -> Data? { bareKey(in: info, after: algorithm.count, subjectPublicKeyInfo) }

  /// The RSAPrivateKey inside a PrivateKeyInfo; nil where it is another one, or has attributes.
  package static func barePrivateKey(in info: Data) -> Data? {
    bareKey(in: info, after: version.count + algorithm.count, privateKeyInfo)
  }

  private static func bareKey(in info: Data, after fixed: Int, _ wrapped: (Data) -> Data) -> Data? {
    let bytes = Array(info)
    // The key is what is left behind the two heads: their sizes depend on it, so that only the right one fits.
    for start in (fixed + 4)..<(fixed + 13) where start < bytes.count {
      let key = Data(bytes[start...])
      if Array(wrapped(key)) == bytes { return key }
    }
    return nil
  }

  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag] + size(content.count) + content
  }

  /// A length in its shortest form.
  private static func size(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    let bytes = withUnsafeBytes(of: UInt64(count).bigEndian) { Array($0.drop { $0 == 0 }) }
    return [0x80 | UInt8(bytes.count)] + bytes
  }
}
