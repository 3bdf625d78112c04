/// Numbers as reports write them.
package enum ReportNumber {
  /// `1.2 MB`.
  package static func bytes(_ count: Int64) -> String { scaled(Double(count), ["B", "kB", "MB", "GB", "TB"]) }
  /// `780 kbit/s`.
  package static func rate(_ bits: Double) -> String { scaled(bits, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"]) }
  /// `12.3 s`, `4 min 5 s`.
  package static func seconds(_ value: Double) -> String {
    guard value >= 60 else { return decimal(value) + " s" }
    let whole = Int(value.rounded())
    return whole >= 3600 ? "\(whole / 3600) h \(whole % 3600 / 60) min" : "\(whole / 60) min \(whole % 60) s"
  }
  /// A bound of milliseconds: `64 ms`, `4.1 s`.
  package static func milliseconds(_ value: Double) -> String {
    value < 1000 ? decimal(value) + " ms" : decimal(value / 1000) + " s"
  }

  private static func scaled(_ value: Double, _ units: [String]) -> String {
    var value = value
    var unit = 0
    while value >= 999.5, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    return (unit == 0 ? "\(Int(value.rounded()))" : decimal(value)) + " " + units[unit]
  }

  /// One decimal below 100, where it is not 0.
  package static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "0" }
    let tenths = Int((value * 10).rounded())
    if abs(value) >= 100 || tenths % 10 == 0 { return "\(Int(value.rounded()))" }
    return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
