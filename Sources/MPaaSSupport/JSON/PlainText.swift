// Elsewhere the standard library alone: this target brings no Foundation into programs that have none.
#if canImport(ObjectiveC)
  import Foundation
#else
  @_spi(_Unicode) import Swift
#endif

extension String {
  /// Tells whether the text looks like what it is: composed (Unicode normalization form C), without control characters,
  /// line separators, and characters that change the direction of writing.
  package var isPlainText: Bool {
    var isASCII = true
    for scalar in unicodeScalars {
      guard !scalar.isControl else { return false }
      isASCII = isASCII && scalar.isASCII
    }
    return isASCII || isComposed
  }

  private var isComposed: Bool {
    #if canImport(ObjectiveC)
      unicodeScalars.elementsEqual(precomposedStringWithCanonicalMapping.unicodeScalars)
    #else
      unicodeScalars.elementsEqual(_nfc)
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
