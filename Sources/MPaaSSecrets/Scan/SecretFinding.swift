/// Something in a file that has the form of a secret; its text is never kept whole.
package struct SecretFinding: Sendable, Equatable {
  /// The rule that found it.
  package let rule: String
  package let description: String
  /// Bytes from the start of the file to the secret, and its length.
  package let offset: Int
  package let length: Int
  /// The secret's first characters, at most a quarter of it, with an ellipsis in the place of the others.
  package let masked: String

  init(_ rule: SecretRule, secret: Range<Int>, text: String) {
    self.rule = rule.id
    description = rule.description
    (offset, length) = (secret.lowerBound, secret.count)
    masked = Self.masked(text)
  }

  /// The most characters that are shown.
  private static let mostShown = 4

  static func masked(_ secret: String) -> String {
    let shown = secret.unicodeScalars.prefix(min(mostShown, secret.unicodeScalars.count / 4))
    return String(String.UnicodeScalarView(shown.filter { $0.value >= 0x20 && $0.value != 0x7f })) + "…"
  }
}
