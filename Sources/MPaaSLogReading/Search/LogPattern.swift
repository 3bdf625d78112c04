package import MPaaSLogs
import MPaaSSupport

/// The pattern that a record's text is searched for.
package struct LogPattern: Sendable {
  package enum Kind: Sendable, Equatable {
    /// These bytes as they are.
    case literal
    /// A regular expression in Swift's syntax.
    case expression
  }

  package let text: String
  package let kind: Kind
  package let ignoresCase: Bool
  /// Tells whether bytes are all that is looked for.
  let isBytes: Bool
  /// Texts of which one stands in every match; empty where none are known.
  let literals: [RequiredLiterals.Literal]
  /// The most bytes of a match that stand before the one of `literals`; nil where they may be any number.
  let lead: Int?
  /// Tells whether one of `literals` is all that a match is.
  let isLiterals: Bool
  /// The automaton that tells matches by bytes; nil where the engine of regular expressions alone knows.
  let automaton: ByteAutomaton?
  /// The certainty that what the automaton or the literals find is a match.
  let certainty: Certainty

  /// The texts where a match that bytes tell needs no second look.
  enum Certainty { case everywhere, inASCII, nowhere }

  /// - Throws: `LogError` `log-pattern-malformed`.
  package init(_ text: String, _ kind: Kind, ignoresCase: Bool = false) throws(LogError) {
    self.text = text
    self.kind = kind
    self.ignoresCase = ignoresCase
    let bytes = Array(text.utf8)
    // Letters beyond ASCII have cases that bytes do not tell.
    isBytes = kind == .literal && !bytes.isEmpty && (!ignoresCase || bytes.allSatisfy { $0 < 0x80 })
    guard !isBytes else {
      let folded = ignoresCase ? bytes.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 } : bytes
      literals = [RequiredLiterals.Literal(bytes: folded, folds: ignoresCase)]
      (automaton, certainty, isLiterals, lead) = (nil, .everywhere, true, 0)
      return
    }
    let expression =
      kind == .literal
      ? ExpressionReader.literal(text, ignoresCase: ignoresCase)
      : ExpressionReader.read(text, ignoresCase: ignoresCase)
    let whole = expression.flatMap(RequiredLiterals.whole)
    let required = whole == nil ? expression.map(RequiredLiterals.of) : nil
    literals = whole ?? required?.literals ?? []
    lead = whole == nil ? required?.lead : 0
    isLiterals = whole != nil
    automaton = expression.flatMap(ByteAutomaton.init)
    certainty =
      expression?.isApproximate != false
      ? .nowhere : expression?.isApproximateBeyondASCII == true ? .inASCII : .everywhere
    if kind == .expression, (try? Self.compiled(text, ignoresCase)) == nil {
      throw LogError(.patternMalformed, ["pattern": text])
    }
  }

  /// The expression as the engine of regular expressions takes it.
  ///
  /// `\b` stands between a letter, digit or underscore and anything else, as other tools have it, rather than where
  /// Unicode's Annex 29 divides words: `\btimeout\b` is found in `read.timeout`. With scalars as units the engine of
  /// Swift 6.3 takes digits for no part of words, so that expressions with `\b` are matched by characters.
  static func compiled(_ text: String, _ ignoresCase: Bool) throws -> Regex<AnyRegexOutput> {
    var regex = try Regex(text).anchorsMatchLineEndings()
    let hasBoundaries = ExpressionReader.read(text, ignoresCase: ignoresCase)?.hasBoundaries == true
    regex = hasBoundaries ? regex.wordBoundaryKind(.simple) : regex.matchingSemantics(.unicodeScalar)
    return ignoresCase ? regex.ignoresCase() : regex
  }
}
