/// The offsets from UTC of a zone's clocks, at all times.
package struct TimeZoneRules: Sendable, Equatable {
  /// The seconds since 1970 at which clocks were put on or back, in order, each with the offset from then on.
  let changes: [(second: Int, offset: Int)]
  /// The offset before the first of them.
  let first: Int
  /// The rule for all times after the last of them; nil where clocks stay as they are.
  let rule: YearlyTimeRule?

  /// The zone of a fixed offset in seconds to the east.
  package init(fixed offset: Int) {
    (changes, first, rule) = ([], offset, nil)
  }

  init(changes: [(second: Int, offset: Int)], first: Int, rule: YearlyTimeRule?) {
    (self.changes, self.first, self.rule) = (changes, first, rule)
  }

  /// The seconds that clocks of the zone are ahead of UTC.
  ///
  /// - Parameter second: Seconds since 1970.
  package func offset(at second: Int) -> Int {
    if let rule, changes.last.map({ $0.second <= second }) ?? true { return rule.offset(at: second) }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].second <= second { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }

  package static func == (one: TimeZoneRules, other: TimeZoneRules) -> Bool {
    one.first == other.first && one.rule == other.rule
      && one.changes.elementsEqual(other.changes) { $0.second == $1.second && $0.offset == $1.offset }
  }

  /// Reads the name of a fixed offset: `UTC`, `GMT`, or `+08:00`; nil for any other name.
  package init?(fixed name: String) {
    if ["UTC", "GMT", "Z", "Etc/UTC", "Etc/GMT"].contains(name) {
      self.init(fixed: 0)
      return
    }
    let bytes = Array(name.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[0]),
      let hours = Int(name.dropFirst().prefix(2)), let minutes = Int(name.suffix(2)),
      bytes[1...2].allSatisfy({ (0x30...0x39).contains($0) }), bytes[4...5].allSatisfy({ (0x30...0x39).contains($0) }),
      hours <= 14, minutes < 60
    else { return nil }
    self.init(fixed: (hours * 60 + minutes) * (bytes[0] == UInt8(ascii: "-") ? -60 : 60))
  }

  /// Tells whether a text has the form of a zone's name: `Asia/Shanghai`, or a fixed offset.
  package static func isName(_ text: String) -> Bool {
    guard TimeZoneRules(fixed: text) == nil else { return true }
    return (1...64).contains(text.utf8.count)
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        part.utf8.first.map { (0x41...0x5a).contains($0 & 0xdf) } ?? false
          && part.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || [0x2b, 0x2d, 0x5f].contains($0)
          }
      }
  }
}
