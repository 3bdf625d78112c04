import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Base64 of the standard alphabet (RFC 4648 section 4) with exactly one spelling for each value.
package enum Base64 {
  /// Reads `text`; nil where it is not what `encode` writes: other characters, missing or needless padding, bits set
  /// behind the last byte (RFC 4648 section 3.5).
  ///
  /// - Parameter isPadded: Whether `=` fills the last group of four, or must not stand there.
  package static func decode(_ text: some Sequence<UInt8>, isPadded: Bool = true) -> Data? {
    var padded = Data(text)
    if !isPadded {
      guard padded.last != UInt8(ascii: "=") else { return nil }
      padded.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - padded.count % 4) % 4))
    }
    // The library's reader takes several spellings, its writer makes one.
    guard let bytes = Data(base64Encoded: padded), bytes.base64EncodedData() == padded else { return nil }
    return bytes
  }

  package static func encode(_ bytes: some Sequence<UInt8>, isPadded: Bool = true) -> String {
    let text = Data(bytes).base64EncodedString()
    return isPadded ? text : String(text.prefix { $0 != "=" })
  }
}

extension TrustError.Code {
  package static let base64NotCanonical = malformed("base64-not-canonical")
}
