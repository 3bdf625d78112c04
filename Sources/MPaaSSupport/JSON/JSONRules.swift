/// The leniency of `JSONValue` when it reads.
package struct JSONRules: Sendable {
  /// The greatest depth of objects and arrays.
  package var depth: Int
  /// Tells whether everything is refused that another reader might take for something else.
  ///
  /// That is: a name twice in an object, fractions, exponents, `-0`, whole numbers beyond 2^53 - 1, bytes that are not
  /// UTF-8, lone surrogates, and strings that are not `isPlainText`.
  package var isStrict: Bool
  /// Tells whether strict rules let whole numbers below 0 pass.
  package var allowsNegative: Bool

  /// True if text is refused that is not what its writer meant: bytes that are not UTF-8, lone surrogates and raw
  /// control characters, as by strict rules.
  package var refusesBrokenText: Bool

  package init(depth: Int, isStrict: Bool, allowsNegative: Bool = true, refusesBrokenText: Bool = false) {
    self.depth = depth
    self.isStrict = isStrict
    self.allowsNegative = allowsNegative
    self.refusesBrokenText = refusesBrokenText || isStrict
  }

  package static let lenient = JSONRules(depth: 256, isStrict: false)
  /// The texts that RFC 8259 lets be written, and none that would have to be guessed.
  package static let exact = JSONRules(depth: 256, isStrict: false, refusesBrokenText: true)
}
