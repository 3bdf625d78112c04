import MPaaSSupport

/// Times of traces in words.
package enum TraceTime {
  /// Three digits and the unit that they need: `812 ns`, `1.23 µs`, `45.6 ms`, `2.00 s`.
  ///
  /// - Parameter nanoseconds: May be less than 0.
  package static func text(_ nanoseconds: Int64) -> String {
    let magnitude = nanoseconds.magnitude
    let sign = nanoseconds < 0 ? "-" : ""
    guard magnitude >= 1000 else { return "\(sign)\(magnitude) ns" }
    for (unit, size) in [("µs", UInt64(1000)), ("ms", 1_000_000), ("s", 1_000_000_000)] {
      for (decimals, below) in [(2, UInt64(10)), (1, 100), (0, 1000)] {
        let steps: UInt64 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let rounded = (magnitude + size / steps / 2) / (size / steps)
        guard rounded < below * steps || (unit == "s" && decimals == 0) else { continue }
        return "\(sign)\(decimal(rounded, decimals)) \(unit)"
      }
    }
    return "\(sign)\(magnitude) ns"
  }

  /// Per cent with one decimal.
  package static func share(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return "–" }
    let tenths = (Double(part) / Double(whole) * 1000).rounded()
    return decimal(UInt64(max(0, min(tenths, 1e15))), 1) + " %"
  }

  private static func decimal(_ value: UInt64, _ decimals: Int) -> String {
    guard decimals > 0 else { return "\(value)" }
    let unit: UInt64 = decimals == 2 ? 100 : 10
    return "\(value / unit)." + (value % unit).padded(to: decimals)
  }
}
