#if canImport(FoundationEssentials)
  import FoundationEssentials
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// Whether the text looks like what it is: composed (Unicode normalization form C), without control characters, line
  /// separators, and characters that change the direction of writing.
  package var isPlainText: Bool {
    var isASCII = true
    for scalar in unicodeScalars {
      guard !scalar.isControl else { return false }
      isASCII = isASCII && scalar.isASCII
    }
    return isASCII || isComposed
  }

  private var isComposed: Bool {
    #if canImport(FoundationEssentials)
      unicodeScalars.elementsEqual(_nfc)
    #else
      unicodeScalars.elementsEqual(precomposedStringWithCanonicalMapping.unicodeScalars)
    #endif
  }
}

extension Unicode.Scalar {
  /// C0 and C1 controls, line and paragraph separators, and the controls of UAX 9, table "Explicit formatting".
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f...0x9f, 0x061c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
