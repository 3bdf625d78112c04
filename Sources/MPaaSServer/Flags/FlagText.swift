import MPaaSSupport

/// Looks for JSON that some clients of flags refuse, though it is whole: of one such flag they would lose all.
///
/// That is: raw control characters, which break lines of server-sent events, too; bytes that are not UTF-8; lone
/// surrogates; numbers beyond a double's range; and a name twice in an object.
struct FlagText {
  private var skim: JSONSkim
  /// The fault, and its place in the bytes.
  private var fault: (code: JSONError.Code, offset: Int)?

  /// The first fault in bytes that are JSON; nil for none.
  static func fault(in bytes: UnsafeRawBufferPointer) -> JSONError? {
    var text = FlagText(skim: JSONSkim(bytes))
    guard !text.value(), let fault = text.fault else { return nil }
    let before = bytes[..<fault.offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONError(
      code: fault.code, offset: fault.offset, line: 1 + before.count { $0 == UInt8(ascii: "\n") },
      column: fault.offset - start + 1)
  }

  private mutating func value() -> Bool {
    skim.skipSpace()
    switch skim.next {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["):
      var skim = skim
      let isGood = skim.array { _, skim in inside(&skim) }
      self.skim = skim
      return isGood
    default: return scalar()
    }
  }

  /// Looks at the value that is next for another one that goes through its parts.
  private mutating func inside(_ skim: inout JSONSkim) -> Bool {
    self.skim = skim
    let isGood = value()
    skim = self.skim
    return isGood
  }

  private mutating func object() -> Bool {
    var (skim, names) = (skim, Set<ExactName>())
    let isGood = skim.object { range, skim in
      let place = range.lowerBound - 1
      guard check(range.lowerBound - 1..<range.upperBound + 1) else { return false }
      guard let name = skim.text(range), names.insert(ExactName(name)).inserted else {
        return refuse(.nameTwice, at: place)
      }
      skim.skipSpace()
      return inside(&skim)
    }
    self.skim = skim
    return isGood
  }

  private mutating func scalar() -> Bool {
    let start = skim.offset
    return skim.skip() && check(start..<skim.offset)
  }

  /// Looks at a string with its quotation marks, a number or a word.
  private mutating func check(_ range: Range<Int>) -> Bool {
    let part = UnsafeRawBufferPointer(rebasing: skim.bytes[range])
    let isPlain = part.first == UInt8(ascii: "\"") && !part.contains { $0 < 0x20 || $0 > 0x7e || $0 == 0x5c }
    if isPlain { return true }
    do {
      _ = try JSONValue(reading: part, by: .exact)
      return true
    } catch {
      return refuse(error.code, at: range.lowerBound + error.offset)
    }
  }

  private mutating func refuse(_ code: JSONError.Code, at offset: Int) -> Bool {
    fault = fault ?? (code, offset)
    return false
  }
}
