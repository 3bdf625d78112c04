import CLogScan
import MPaaSSupport

/// What a record's text is searched for.
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
  /// Bytes that stand in every match, in lower case where case does not count; empty where none are known.
  package let needle: [UInt8]

  /// - Throws: `LogError` `log-pattern-malformed`.
  package init(_ text: String, _ kind: Kind, ignoresCase: Bool = false) throws(LogError) {
    self.text = text
    self.kind = kind
    // Letters beyond ASCII have cases that bytes do not tell.
    self.ignoresCase = ignoresCase
    let required = kind == .literal ? Array(text.utf8) : RequiredLiteral.find(text)
    if ignoresCase {
      let isPlain = required.allSatisfy { $0 < 0x80 }
      needle = isPlain ? required.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } : []
    } else {
      needle = required
    }
    if kind == .expression, (try? Self.compiled(text, ignoresCase)) == nil {
      throw LogError(.patternMalformed, ["pattern": text])
    }
  }

  fileprivate static func compiled(_ text: String, _ ignoresCase: Bool) throws -> Regex<AnyRegexOutput> {
    let regex = try Regex(text).anchorsMatchLineEndings().matchingSemantics(.unicodeScalar)
    return ignoresCase ? regex.ignoresCase() : regex
  }
}

extension LogPattern {
  /// Where the pattern stands in a line that a person looks at.
  package func ranges(in text: String) -> [Range<String.Index>] { PatternMatcher(self).ranges(in: text) }
}

/// A pattern ready to be looked for by one thread.
final class PatternMatcher {
  private enum Way {
    /// What the needle finds is a match.
    case needle
    case folded(String)
    case expression(Regex<AnyRegexOutput>)
  }

  private let way: Way
  private var prepared: mp_log_needle
  private let needle: UnsafeMutableBufferPointer<CChar>

  init(_ pattern: LogPattern) {
    needle = .allocate(capacity: max(pattern.needle.count, 1))
    needle.initialize(repeating: 0)
    for (place, byte) in pattern.needle.enumerated() { needle[place] = CChar(bitPattern: byte) }
    size = pattern.needle.count
    prepared = mp_log_needle()
    if let start = needle.baseAddress { prepared = mp_log_prepare(start, size, pattern.ignoresCase ? 1 : 0) }
    if pattern.kind == .expression, let regex = try? LogPattern.compiled(pattern.text, pattern.ignoresCase) {
      way = .expression(regex)
    } else {
      way = size > 0 ? .needle : .folded(pattern.text.lowercased())
    }
  }

  deinit { needle.deallocate() }

  /// Bytes of the needle; 0 where there is none, so that every record is to be looked at.
  let size: Int

  /// Where the needle stands next at or behind `start`; nil where it does not.
  ///
  /// To be asked only where there is one.
  func place(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < text.count, let base = text.baseAddress, let needle = needle.baseAddress else { return nil }
    let from = base.assumingMemoryBound(to: CChar.self) + start
    guard let found = mp_log_find_prepared(&prepared, from, text.count - start, needle, size) else { return nil }
    return start + (found - from)
  }

  /// Whether the pattern is in the text.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if size > 0, place(in: text, from: 0) == nil { return false }
    switch way {
    case .needle: return true
    case .folded(let wanted): return String(decoding: text, as: UTF8.self).lowercased().contains(wanted)
    case .expression(let regex): return String(decoding: text, as: UTF8.self).firstMatch(of: regex) != nil
    }
  }

  /// Where the pattern stands in a line that a person looks at.
  func ranges(in text: String) -> [Range<String.Index>] {
    switch way {
    case .expression(let regex): return text.matches(of: regex).map(\.range).filter { !$0.isEmpty }
    case .folded(let wanted): return text.lowercased() == text ? text.ranges(of: wanted) : []
    case .needle:
      var bytes = text
      return bytes.withUTF8 { utf8 in
        let raw = UnsafeRawBufferPointer(utf8)
        var found: [Range<Int>] = []
        var start = 0
        while let next = place(in: raw, from: start) {
          found.append(next..<next + size)
          start = next + size
        }
        return found
      }.map {
        text.utf8.index(
          text.startIndex, offsetBy: $0.lowerBound)..<text.utf8.index(
            text.startIndex, offsetBy: $0.upperBound)
      }
    }
  }
}

/// Finds bytes that stand in everything that a regular expression matches, to pass quickly over what they are not in.
enum RequiredLiteral {
  /// The longest run of plain ASCII characters; empty where there is none for certain.
  static func find(_ pattern: String) -> [UInt8] {
    let bytes = Array(pattern.utf8)
    var best: [UInt8] = []
    var run: [UInt8] = []
    func close() {
      if run.count > best.count { best = run }
      run = []
    }
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "|"): return []
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
        if !run.isEmpty { run.removeLast() }
        close()
        if byte == UInt8(ascii: "{") {
          guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")) else { return [] }
          place = end + 1
        }
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"): close()
      case UInt8(ascii: "["):
        close()
        guard let end = behindClass(bytes, place) else { return [] }
        place = end
      case UInt8(ascii: "("):
        close()
        guard let end = behindGroup(bytes, place) else { return [] }
        place = end
      case UInt8(ascii: "\\"):
        guard place < bytes.count else { return [] }
        let escaped = bytes[place]
        place += 1
        if "dDwWsSbBAZzhHtnrR".utf8.contains(escaped) {
          close()
        } else if escaped < 0x80, !escaped.isDigit, (escaped | 0x20) &- 0x61 >= 26 {
          run.append(escaped)
        } else {
          return []
        }
      case 0x80...: close()
      default: run.append(byte)
      }
    }
    close()
    return best
  }

  private static func behindClass(_ bytes: [UInt8], _ start: Int) -> Int? {
    var place = start
    var depth = 1
    while place < bytes.count {
      let byte = bytes[place]
      place += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  private static func behindGroup(_ bytes: [UInt8], _ start: Int) -> Int? {
    // Options and comments change what the rest means: only plain groups, names and looks are passed.
    if start + 1 < bytes.count, bytes[start] == UInt8(ascii: "?"),
      !":=!<".utf8.contains(bytes[start + 1])
    {
      return nil
    }
    var place = start
    var depth = 1
    while place < bytes.count {
      let byte = bytes[place]
      place += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "[") {
        guard let end = behindClass(bytes, place) else { return nil }
        place = end
      }
      if byte == UInt8(ascii: "(") {
        if place + 1 < bytes.count, bytes[place] == UInt8(ascii: "?"), !":=!<".utf8.contains(bytes[place + 1]) {
          return nil
        }
        depth += 1
      }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }
}
