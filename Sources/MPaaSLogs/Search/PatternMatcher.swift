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
  // What is asked for each record is kept here: the pattern is shared by threads, and counting who holds its parts would
  // be most of the work.

  /// Whether what a needle finds is a match.
  private let isNeedle: Bool
  /// Whether a needle is all that a match is, as far as bytes tell.
  private let isLiterals: Bool
  private let certainty: LogPattern.Certainty
  /// Whether no match goes over the end of a line.
  private let staysInLine: Bool
  /// How often the needles were found since `begin()`, and in how many bytes.
  private var (hits, searched) = (0, 0)

  init(_ pattern: LogPattern) {
    self.pattern = pattern
    isNeedle = pattern.isBytes
    isLiterals = pattern.isLiterals
    certainty = pattern.certainty
    needles = pattern.literals.map(Needle.init)
    staysInLine = pattern.automaton?.hasLineFeed != true
    automaton = isNeedle ? nil : pattern.automaton.map(LazyAutomaton.init)
    regex = pattern.kind == .expression ? try? LogPattern.compiled(pattern.text, pattern.ignoresCase) : nil
  }

  deinit { for needle in needles { needle.free() } }

  /// Whether a match has texts in it that are known; else every record is to be looked at, or the lines as a whole.
  var hasNeedles: Bool { !needles.isEmpty }

  /// Whether places can be asked for in text as a whole.
  var findsInLines: Bool { hasNeedles || automaton?.matchesEmpty == false }

  /// A place in the first record of lines, at or behind `start`, that may match; nil where there is none.
  ///
  /// To be asked only where `findsInLines`, and in the order of places from `begin()` on.
  /// - Parameter start: Where a record begins.
  func place(inLines text: UnsafeRawBufferPointer, from start: Int) -> Place? {
    if let automaton, needles.isEmpty || isDense {
      return automaton.place(in: text, from: start).map { Place(offset: $0, isMatch: staysInLine) }
    }
    let place = needlePlace(in: text, from: start)
    hits += 1
    searched += (place ?? text.count) - start
    return place.map { Place(offset: $0, isMatch: isLiterals && staysInLine) }
  }

  /// A place in lines.
  struct Place {
    var offset: Int
    /// Whether the record there matches as far as bytes tell, so that only `isCertain` is to be asked.
    var isMatch: Bool
  }

  /// Whether needles stand so close to each other that the automaton is quicker over the lines as a whole.
  ///
  /// It takes about ten times as long for a byte as the needles do, and a record that they point at is run through anyway.
  private var isDense: Bool { !isLiterals && hits >= 16 && searched < hits * 160 }

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
  func begin() {
    for index in needles.indices { needles[index].begin() }
    (hits, searched) = (0, 0)
  }

  /// Whether the pattern is in the text.
  ///
  /// - Parameter isFound: Whether bytes tell so already.
  func matches(_ text: UnsafeRawBufferPointer, isFound: Bool = false) -> Bool {
    if !isFound {
      if isLiterals || automaton == nil, !needles.isEmpty {
        guard needles.contains(where: { $0.place(in: text, from: 0) != nil }) else { return false }
      } else if let automaton, !automaton.matches(text) {
        return false
      }
    }
    if isNeedle || (automaton != nil && isCertain(text)) { return true }
    let string = String(decoding: text, as: UTF8.self)
    guard let regex else { return string.lowercased().contains(pattern.text.lowercased()) }
    return string.firstMatch(of: regex) != nil
  }

  /// Whether what the automaton found in a text is a match for certain.
  private func isCertain(_ text: UnsafeRawBufferPointer) -> Bool {
    switch certainty {
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

/// Bytes that are looked for; a value, so that no count of holders stands in the way of every look.
private struct Needle {
  private let prepared: mp_log_needle
  private let bytes: UnsafeMutableBufferPointer<CChar>
  /// Where it stands next, as far as was asked; beyond the text where it does not.
  private var found: Int?

  var size: Int { bytes.count }

  init(_ literal: RequiredLiterals.Literal) {
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(literal.bytes.count, 1))
    bytes.initialize(repeating: 0)
    for (place, byte) in literal.bytes.enumerated() { bytes[place] = CChar(bitPattern: byte) }
    prepared =
      bytes.baseAddress.map { mp_log_prepare($0, bytes.count, literal.folds ? 1 : 0) } ?? mp_log_needle()
    self.bytes = bytes
  }

  /// Gives its memory back; it is not used afterwards.
  func free() { bytes.deallocate() }

  mutating func begin() { found = nil }

  /// The same as `place`, for places that are asked for in their order until `begin()`.
  mutating func next(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if let found, found >= start { return found < text.count ? found : nil }
    let next = place(in: text, from: start)
    found = next ?? .max
    return next
  }

  /// Where it stands next at or behind `start`; nil where it does not.
  func place(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress, let needle = bytes.baseAddress else { return nil }
    let from = base.assumingMemoryBound(to: CChar.self) + start
    let found = withUnsafePointer(to: prepared) { mp_log_find_prepared($0, from, text.count - start, needle, size) }
    return found.map { start + ($0 - from) }
  }
}
