/// A number with its unit, as MetricKit writes it in words: `1,300 kB`, `20 sec`, `1000 ms per s`.
///
/// Times become seconds, and sizes bytes; other units stay as they are.
package struct Measure: Sendable, Equatable {
  package var value: Double
  /// `s`, `B`, or the word of the file; empty for a number of times.
  package var unit: String

  package init(_ value: Double, _ unit: String) {
    self.value = value
    self.unit = unit
  }

  /// - Returns: nil where the text is no finite number, followed by a unit or not.
  package init?(_ text: String) {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "," || $0 == "-") }
    guard let value = Self.number(number), value.isFinite else { return nil }
    let unit = text.dropFirst(number.count).drop { $0 == " " || $0 == "\u{a0}" || $0 == "\u{202f}" }
    guard let known = Self.units[unit.lowercased()] else {
      self.init(value, String(unit))
      return
    }
    self.init(value * known.times / known.parts, known.name)
  }

  /// A comma before three digits parts thousands; before fewer it is a decimal sign.
  private static func number(_ text: Substring) -> Double? {
    guard let comma = text.lastIndex(of: ","), !text.contains(".") else { return Double(text.filter { $0 != "," }) }
    let isThousands = text.distance(from: comma, to: text.endIndex) == 4
    return Double(text.map { $0 == "," ? (isThousands ? "" : ".") : String($0) }.joined())
  }

  /// The number of the told unit in one, and of the parts that it is cut into.
  private static let units: [String: (times: Double, parts: Double, name: String)] = [
    "s": (1, 1, "s"), "sec": (1, 1, "s"), "secs": (1, 1, "s"), "second": (1, 1, "s"), "seconds": (1, 1, "s"),
    "ms": (1, 1000, "s"), "msec": (1, 1000, "s"), "min": (60, 1, "s"), "mins": (60, 1, "s"), "hr": (3600, 1, "s"),
    "b": (1, 1, "B"), "byte": (1, 1, "B"), "bytes": (1, 1, "B"), "kb": (1e3, 1, "B"), "mb": (1e6, 1, "B"),
    "gb": (1e9, 1, "B"), "tb": (1e12, 1, "B"),
  ]
}
