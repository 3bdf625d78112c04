package import MPaaSLogUpload
import MPaaSSupport

/// Points in time as people name them.
package enum LogTimeText {
  /// Nanoseconds since 1970 of `2026-03-01`, `2026-03-01T12:00:00.5+08:00`, `12:30`, of a number of seconds, and of
  /// `15m` ago; nil where the text is none.
  package static func nanoseconds(_ text: String, now: Int64, zone: LogZone) -> Int64? {
    if text == "now" { return now }
    if let ago = duration(text) { return now.subtractingReportingOverflow(ago).partialValue }
    var zone = zone
    let seconds = now / 1_000_000_000
    var whole = text
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    if text.utf8.count <= 8, (1...2).contains(colons), text.utf8.first?.isDigit == true {
      // A time of today.
      whole = "\(CivilDate.at(secondsSince1970: Int(seconds + zone.offset(at: seconds))).date)T\(text)"
    }
    if whole.utf8.count == 10 { whole += "T00:00:00" }
    if whole.utf8.count == 16 { whole += ":00" }
    var reader = TimeStampReader(zone: zone, reference: seconds)
    return whole.withUTF8 { bytes in
      let line = UnsafeRawBufferPointer(bytes)
      guard let stamp = reader.stamp(line, at: 0), stamp.end == line.count else { return nil }
      return stamp.time
    }
  }

  /// Nanoseconds of `30s`, `15m`, `2h`, `7d`, `4w`; nil for anything else.
  package static func duration(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()),
      (0...1_000_000).contains(number)
    else { return nil }
    let (product, overflow) = (number * unit).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : product
  }
}
