import MPaaSLogs
import MPaaSSupport

/// A pattern ready to be looked for by one thread.
final class PatternMatcher {
  private let pattern: LogPattern
  /// Texts of which a match has one in it; nil where none are known.
  private let literals: LiteralSearch?
  /// Nil where a needle is all that is looked for, or the engine alone knows.
  private let automaton: LazyAutomaton?
  /// Nil for a pattern that is no expression.
  private let regex: Regex<AnyRegexOutput>?
  // The answers that each record needs are kept here: the pattern is shared by threads, and counting references to its
  // parts would be most of the work.

  /// Tells whether what a needle finds is a match.
  private let isNeedle: Bool
  /// Tells whether a needle is all that a match is, as far as bytes tell.
  private let isLiterals: Bool
  private let certainty: LogPattern.Certainty
  /// Tells whether no match goes over the end of a line.
  private let staysInLine: Bool
  /// The number of bytes before a text a match may begin, so that the automaton runs from there on only; nil where it
  /// runs over records as a whole.
  private let lead: Int?
  // One thread uses a matcher, and looking for a second one at each access would be a fifth of the work.

  /// The ranges of the lines at hand where bytes tell all.
  @exclusivity(unchecked) private var plain: PlainText
  /// Tells how often the texts were found since `begin`, and in how many bytes.
  @exclusivity(unchecked) private var hits = 0
  @exclusivity(unchecked) private var searched = 0

  /// The furthest before a text that is worth going back.
  private static let mostLead = 32

  init(_ pattern: LogPattern) {
    self.pattern = pattern
    isNeedle = pattern.isBytes
    isLiterals = pattern.isLiterals
    certainty = pattern.certainty
    let literals = LiteralSearch(pattern.literals)
    self.literals = literals
    staysInLine = pattern.automaton?.hasLineFeed != true
    let lead = pattern.lead.map { $0 + (literals?.disorder ?? 0) }
    self.lead = literals == nil || pattern.isLiterals ? nil : lead.flatMap { $0 <= Self.mostLead ? $0 : nil }
    let skips = self.lead != nil
    automaton = isNeedle ? nil : pattern.automaton.map { LazyAutomaton($0, skips: skips) }
    plain = PlainText(beyondASCII: certainty == .everywhere)
    regex = pattern.kind == .expression ? try? LogPattern.compiled(pattern.text, pattern.ignoresCase) : nil
  }

  deinit { literals?.free() }

  /// Tells whether a match has texts in it that are known; else every record is to be looked at, or the lines as a
  /// whole.
  var hasNeedles: Bool { literals != nil }

  /// Tells whether places can be asked for in text as a whole.
  var findsInLines: Bool { hasNeedles || automaton?.matchesEmpty == false }

  /// A place in the first record of lines, at or behind `start`, that may match; nil where there is none.
  ///
  /// To be asked only where `findsInLines`, and in the order of places from `begin` on.
  /// - Parameter start: Where a record begins.
  func place(inLines text: UnsafeRawBufferPointer, from start: Int) -> Place? {
    if let automaton, literals == nil || lead != nil || isDense {
      return place(of: automaton, in: text, from: start).map { Place(offset: $0, isMatch: staysInLine) }
    }
    let place = needlePlace(in: text, from: start)
    if !isLiterals {
      hits += 1
      searched += (place ?? text.count) - start
    }
    return place.map { Place(offset: $0, isMatch: isLiterals && staysInLine) }
  }

  /// A place in lines.
  struct Place {
    var offset: Int
    /// Tells whether the record there matches as far as bytes tell, so that only `isCertain` is to be asked.
    var isMatch: Bool
  }

  /// Tells whether texts stand so close to each other that the automaton is quicker over the lines as a whole.
  ///
  /// It takes about ten times as long for a byte as the search does, and a record that has a text is run through
  /// anyway.
  private var isDense: Bool { !isLiterals && hits >= 16 && searched < hits * 160 }

  /// The place where the automaton finds the end of a match, at or behind `start`.
  private func place(of automaton: LazyAutomaton, in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let lead, let literals else { return automaton.place(in: text, from: start) }
    return automaton.place(in: text, from: start, lead: lead) { literals.place(in: text, from: $0) }
  }

  /// The place where a text that a match has in it stands next, at or behind `start`; nil where none does.
  func needlePlace(in text: UnsafeRawBufferPointer, from start: Int) -> Int? { literals?.place(in: text, from: start) }

  /// To be called before lines are asked for places.
  func begin(_ text: UnsafeRawBufferPointer) {
    plain.begin(text)
    (hits, searched) = (0, 0)
  }

  /// Tells whether the pattern is in the text.
  ///
  /// - Parameter isFound: Whether bytes tell so already, of a part of what was begun with.
  func matches(_ text: UnsafeRawBufferPointer, isFound: Bool = false) -> Bool {
    if !isFound {
      if let literals, isLiterals || automaton == nil {
        guard literals.place(in: text, from: 0) != nil else { return false }
      } else if let automaton {
        guard text.isEmpty ? automaton.matchesEmptyText : place(of: automaton, in: text, from: 0) != nil else {
          return false
        }
      }
    }
    // A text without anchors is where its bytes are, whatever stands around it.
    if isNeedle || (isLiterals && certainty == .everywhere) { return true }
    if automaton != nil, isCertain(text, isFound) { return true }
    let string = String(decoding: text, as: UTF8.self)
    guard let regex else { return string.lowercased().contains(pattern.text.lowercased()) }
    return string.firstMatch(of: regex) != nil
  }

  /// Tells whether what the automaton found in a text is a match for certain.
  private func isCertain(_ text: UnsafeRawBufferPointer, _ isPart: Bool) -> Bool {
    certainty != .nowhere && (isPart ? plain.holds(part: text) : plain.holds(text))
  }

  /// The places of the pattern in a line that a person looks at.
  func ranges(in text: String) -> [Range<String.Index>] {
    if let regex { return text.matches(of: regex).map(\.range).filter { !$0.isEmpty } }
    guard isNeedle, let literals else {
      let wanted = pattern.text.lowercased()
      return text.lowercased() == text ? text.ranges(of: wanted) : []
    }
    var bytes = text
    return bytes.withUTF8 { literals.places(in: UnsafeRawBufferPointer($0)) }.map {
      text.utf8.index(
        text.startIndex, offsetBy: $0.lowerBound)..<text.utf8.index(text.startIndex, offsetBy: $0.upperBound)
    }
  }
}

extension LogPattern {
  /// The places of the pattern in a line that a person looks at.
  package func ranges(in text: String) -> [Range<String.Index>] { PatternMatcher(self).ranges(in: text) }
}
