// Validation that `String` has since iOS 18, for apps on iOS 15: where the system has it, it is called.

extension String {
  /// Creates a text of bytes; nil where they are no UTF-8.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
      self.init(validating: bytes, as: UTF8.self)
    } else {
      self.init(unrepaired: bytes)
    }
  }

  /// Creates a text of bytes without the system's validation; nil where they are no UTF-8.
  init?(unrepaired bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Bytes that are no UTF-8 were repaired, and so differ.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }

  /// Creates a text of UTF-16; nil where a half of a pair stands alone.
  package init?(validUTF16 units: some Collection<UInt16>) {
    let text = String(decoding: units, as: UTF16.self)
    // Halves of pairs were repaired, and so differ.
    guard text.utf16.elementsEqual(units) else { return nil }
    self = text
  }
}
