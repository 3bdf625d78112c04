extension String {
  /// Calls `body` with the bytes of the text, which most texts have in one piece.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }

  /// Calls `body` with the bytes of the text in lower case, with the final form of sigma at the end of words.
  ///
  /// Texts of up to 340 bytes need no memory but the stack's.
  /// - Source: Unicode Standard, section 3.13, toLowercase and the condition Final_Sigma.
  func withLowercaseBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    // The lower case of a scalar of two bytes has up to three, as that of U+0130; no other one grows more.
    let capacity = utf8.count * 3
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { memory in
      var count = 0
      var lower = LowercaseText(self)
      while let scalar = lower.next() {
        for byte in scalar.utf8 where count < capacity {
          memory[count] = byte
          count += 1
        }
      }
      return body(UnsafeBufferPointer(rebasing: memory[..<count]))
    }
  }
}

/// The scalars of a text in lower case, one after another.
struct LowercaseText {
  private let scalars: String.UnicodeScalarView
  private var index: String.UnicodeScalarView.Index
  /// Tells whether the last scalar that is not to be passed over has a case.
  private var isBehindCased = false

  init(_ text: String) {
    scalars = text.unicodeScalars
    index = scalars.startIndex
  }

  mutating func next() -> String? {
    guard index < scalars.endIndex else { return nil }
    let scalar = scalars[index]
    index = scalars.index(after: index)
    if scalar.isASCII {
      // The only ones that are passed over are signs such as the apostrophe.
      let properties = scalar.properties
      if !properties.isCaseIgnorable { isBehindCased = properties.isCased }
      return scalar.value &- 0x41 < 26 ? String(Unicode.Scalar(UInt8(scalar.value + 32))) : String(scalar)
    }
    if scalar == "\u{3a3}" {
      let isFinal = isBehindCased && !isBeforeCased()
      isBehindCased = true
      return isFinal ? "\u{3c2}" : "\u{3c3}"
    }
    let properties = scalar.properties
    if !properties.isCaseIgnorable { isBehindCased = properties.isCased }
    return properties.lowercaseMapping
  }

  private func isBeforeCased() -> Bool {
    var place = index
    while place < scalars.endIndex {
      let properties = scalars[place].properties
      if !properties.isCaseIgnorable { return properties.isCased }
      place = scalars.index(after: place)
    }
    return false
  }
}
