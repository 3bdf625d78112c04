/// A size in bytes, told as people read it: `950 B`, `12.3 MB` (powers of 1000).
package struct ByteCount: Sendable, Hashable, CustomStringConvertible {
  package let bytes: UInt64

  package init(_ bytes: UInt64) {
    self.bytes = bytes
  }

  package var description: String {
    var value = Double(bytes)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5, unit + 1 < units.count {
      value /= 1000
      unit += 1
    }
    guard unit > 0, value < 99.95 else { return "\(Int(value.rounded())) \(units[unit])" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
