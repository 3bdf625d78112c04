/// The reason why a regular expression is refused, and where in it.
package struct PatternError: Error, Sendable, Equatable {
  /// One way of being refused.
  package enum Code: String, Sendable, CaseIterable {
    /// Longer than 1 KiB.
    case tooLong = "too-long"
    /// Groups in one another deeper than 200.
    case tooDeep = "too-deep"
    /// More positions, or more work for a scalar, than an automaton may have.
    case tooLarge = "too-large"
    case missingParenthesis = "missing-parenthesis"
    case unexpectedParenthesis = "unexpected-parenthesis"
    case missingBracket = "missing-bracket"
    case badRange = "bad-range"
    /// A class of characters that there is not.
    case badClass = "bad-class"
    case badEscape = "bad-escape"
    /// Back-references and looking around, which no automaton has.
    case notRegular = "not-regular"
    /// Something is to be repeated where nothing is.
    case nothingToRepeat = "nothing-to-repeat"
    /// A repetition of a repetition, such as `a**`.
    case repeatedTwice = "repeated-twice"
    /// Above 1,000, or the wrong way round.
    case badCount = "bad-count"
    case badGroup = "bad-group"
  }

  package let code: Code
  /// Scalars from the start of the expression.
  package let offset: Int

  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}
