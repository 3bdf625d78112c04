extension String {
  /// The text of 32 hexadecimal digits with the dashes of a UUID (RFC 9562, section 4); any other text as it is.
  package var dashedUUID: String {
    let digits = Array(self)
    guard digits.count == 32 else { return self }
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
