import CLogScan
import MPaaSSupport

/// A pattern ready to be looked for by one thread.
final class PatternMatcher {
  private let pattern: LogPattern
  /// Texts that a match has in it; empty where none are known.
  private var needles: [Needle]
  /// Nil where a needle is all that is looked for, or the engine alone knows.
  private let automaton: LazyAutomaton?
  /// Nil for a pattern that is no expression.
  private let regex: Regex<AnyRegexOutput>?
  /// Whether what a needle finds is a match.
  private let isNeedle: Bool
  /// How often the needles were found, and how often a match was there: where they tell little, they are left.
  private var (hits, matches) = (0, 0)

  init(_ pattern: LogPattern) {
    self.pattern = pattern
    isNeedle = pattern.isBytes
    needles = pattern.literals.map(Needle.init)
    automaton = isNeedle ? nil : pattern.automaton.map(LazyAutomaton.init)
    regex = pattern.kind == .expression ? try? LogPattern.compiled(pattern.text, pattern.ignoresCase) : nil
  }

  /// Whether a match has texts in it that are known; else every record is to be looked at, or the lines as a whole.
  var hasNeedles: Bool { !needles.isEmpty }

  /// Whether places can be asked for in text as a whole.
  var findsInLines: Bool { hasNeedles || automaton?.matchesEmpty == false }

  /// A place in the first record of lines, at or behind `start`, that may match; nil where there is none.
  ///
  /// To be asked only where `findsInLines`.
  /// - Parameter start: Where a record begins.
  func place(inLines text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let automaton, needles.isEmpty || (hits > 256 && matches < hits / 4) {
      return automaton.place(in: text, from: start)
    }
    hits += 1
    return needlePlace(in: text, from: start)
  }

  /// Where a text that a match has in it stands next, at or behind `start`; nil where none does.
  ///
  /// Places are asked for in their order, from `begin()` on.
  func needlePlace(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard needles.count > 1 else { return needles.first?.place(in: text, from: start) }
    var found: Int?
    for index in needles.indices {
      guard let place = needles[index].next(in: text, from: start) else { continue }
      found = min(found ?? place, place)
    }
    return found
  }

  /// To be called before another text is asked for places.
  func begin() { for index in needles.indices { needles[index].begin() } }

  /// Whether the pattern is in the text.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    let isMatch = isFound(text)
    if isMatch { matches += 1 }
    return isMatch
  }

  private func isFound(_ text: UnsafeRawBufferPointer) -> Bool {
    if isNeedle { return needles.first?.place(in: text, from: 0) != nil }
    if let automaton {
      guard automaton.matches(text) else { return false }
      if isCertain(text) { return true }
    } else if !needles.isEmpty, !needles.contains(where: { $0.place(in: text, from: 0) != nil }) {
      return false
    }
    let string = String(decoding: text, as: UTF8.self)
    guard let regex else { return string.lowercased().contains(pattern.text.lowercased()) }
    return string.firstMatch(of: regex) != nil
  }

  /// Whether what the automaton found in a text is a match for certain.
  private func isCertain(_ text: UnsafeRawBufferPointer) -> Bool {
    switch pattern.certainty {
    case .nowhere: false
    case .inASCII: mp_log_is_plain(text.baseAddress, text.count, 0) != 0
    case .everywhere: mp_log_is_plain(text.baseAddress, text.count, 1) != 0
    }
  }

  /// Where the pattern stands in a line that a person looks at.
  func ranges(in text: String) -> [Range<String.Index>] {
    if let regex { return text.matches(of: regex).map(\.range).filter { !$0.isEmpty } }
    guard isNeedle, let needle = needles.first else {
      let wanted = pattern.text.lowercased()
      return text.lowercased() == text ? text.ranges(of: wanted) : []
    }
    var bytes = text
    return bytes.withUTF8 { utf8 in
      let raw = UnsafeRawBufferPointer(utf8)
      var found: [Range<Int>] = []
      var start = 0
      while let next = needle.place(in: raw, from: start) {
        found.append(next..<next + needle.size)
        start = next + needle.size
      }
      return found
    }.map {
      text.utf8.index(
        text.startIndex, offsetBy: $0.lowerBound)..<text.utf8.index(text.startIndex, offsetBy: $0.upperBound)
    }
  }
}

extension LogPattern {
  /// Where the pattern stands in a line that a person looks at.
  package func ranges(in text: String) -> [Range<String.Index>] { PatternMatcher(self).ranges(in: text) }
}

/// Bytes that are looked for.
private final class Needle {
  private var prepared: mp_log_needle
  private let bytes: UnsafeMutableBufferPointer<CChar>
  /// Where it stands next, as far as was asked; beyond the text where it does not.
  private var found: Int?

  var size: Int { bytes.count }

  init(_ literal: RequiredLiterals.Literal) {
    bytes = .allocate(capacity: max(literal.bytes.count, 1))
    bytes.initialize(repeating: 0)
    for (place, byte) in literal.bytes.enumerated() { bytes[place] = CChar(bitPattern: byte) }
    prepared = mp_log_needle()
    if let start = bytes.baseAddress { prepared = mp_log_prepare(start, bytes.count, literal.folds ? 1 : 0) }
  }

  deinit { bytes.deallocate() }

  func begin() { found = nil }

  /// The same as `place`, for places that are asked for in their order until `begin()`.
  func next(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let found, found >= start { return found < text.count ? found : nil }
    let next = place(in: text, from: start)
    found = next ?? .max
    return next
  }

  /// Where it stands next at or behind `start`; nil where it does not.
  func place(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress, let needle = bytes.baseAddress else { return nil }
    let from = base.assumingMemoryBound(to: CChar.self) + start
    guard let place = mp_log_find_prepared(&prepared, from, text.count - start, needle, size) else { return nil }
    return start + (place - from)
  }
}
