import MPaaSSupport

/// A file of the system's table of zones.
///
/// - Source: RFC 9636, "The Time Zone Information Format (TZif)".
package enum TimeZoneFile {
  private struct Counts {
    let utc: Int, standard: Int, leaps: Int, changes: Int, types: Int, characters: Int

    func size(_ time: Int) -> Int {
      changes * (time + 1) + types * 6 + characters + leaps * (time + 4) + standard + utc
    }
  }

  private static let headSize = 44

  /// Reads a zone's rules; nil for bytes that are no whole file of the format.
  package static func rules(_ bytes: [UInt8]) -> TimeZoneRules? {
    guard let head = counts(bytes, at: 0), bytes.count >= headSize else { return nil }
    guard bytes[4] >= UInt8(ascii: "2") else { return rules(bytes, head, at: headSize, time: 4, rule: nil) }
    let second = headSize + head.size(4)
    guard let counts = counts(bytes, at: second) else { return nil }
    let block = second + headSize
    let footer = block + counts.size(8)
    guard footer < bytes.count, bytes[footer] == 0x0a,
      let end = bytes[(footer + 1)...].firstIndex(of: 0x0a)
    else { return nil }
    let text = String(decoding: bytes[(footer + 1)..<end], as: UTF8.self)
    let rule = YearlyTimeRule(text)
    guard text.isEmpty || rule != nil else { return nil }
    return rules(bytes, counts, at: block, time: 8, rule: rule)
  }

  private static func counts(_ bytes: [UInt8], at start: Int) -> Counts? {
    guard bytes.count >= start + headSize, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else { return nil }
    func number(_ place: Int) -> Int { Int(Self.number(bytes, at: start + 20 + 4 * place, size: 4) & 0xffff_ffff) }
    let counts = Counts(
      utc: number(0), standard: number(1), leaps: number(2), changes: number(3), types: number(4),
      characters: number(5))
    return counts.types > 0 ? counts : nil
  }

  private static func rules(
    _ bytes: [UInt8], _ counts: Counts, at start: Int, time: Int, rule: YearlyTimeRule?
  ) -> TimeZoneRules? {
    guard bytes.count >= start + counts.size(time) else { return nil }
    let (kinds, types) = (start + counts.changes * time, start + counts.changes * (time + 1))
    func offset(_ type: Int) -> Int? {
      guard type < counts.types else { return nil }
      let offset = Int(number(bytes, at: types + 6 * type, size: 4))
      return (-93_600...93_600).contains(offset) ? offset : nil
    }
    var changes: [(second: Int, offset: Int)] = []
    changes.reserveCapacity(counts.changes)
    for index in 0..<counts.changes {
      let second = Int(number(bytes, at: start + index * time, size: time))
      guard let offset = offset(Int(bytes[kinds + index])), changes.last.map({ $0.second < second }) ?? true else {
        return nil
      }
      changes.append((second, offset))
    }
    guard let first = offset(0) else { return nil }
    return TimeZoneRules(changes: changes, first: first, rule: rule)
  }

  /// A signed number, the highest byte first.
  private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int64 {
    let value = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }
}
