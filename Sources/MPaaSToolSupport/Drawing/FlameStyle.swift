package import MPaaSSupport

/// The boxes of a flame graph in SVG, which differ from graph to graph in their looks only.
package struct FlameStyle: Sendable {
  private let height: Double
  private let radius: Double
  private let letter: Double
  private let precision: Int
  private let escaping: MarkupEscaping

  /// - Parameters:
  ///   - height: That of a row.
  ///   - radius: That of a box's corners.
  ///   - letter: The width of a character.
  ///   - precision: The most digits behind the point of a number.
  package init(height: Double, radius: Double, letter: Double, precision: Int, escaping: MarkupEscaping) {
    self.height = height
    self.radius = radius
    self.letter = letter
    self.precision = precision
    self.escaping = escaping
  }

  /// A rectangle with its name where there is room, and a tip that browsers show when it is pointed at: a line.
  package func box(
    _ name: String, tip: String, color: String, left: Double, top: Double, width: Double
  ) -> String {
    let size = #"width="\#(number(width))" height="\#(number(height - 1))" rx="\#(number(radius))" fill="\#(color)""#
    var text = "<g><title>\(tip.escapedMarkup(escaping))</title>"
    text += #"<rect x="\#(number(left))" y="\#(number(top))" \#(size)/>"#
    let places = Int((width - 6) / letter)
    if places >= 3 {
      let shown = Self.shortened(name, to: places).escapedMarkup(escaping)
      text += #"<text x="\#(number(left + 3))" y="\#(number(top + 12.5))">\#(shown)</text>"#
    }
    return text + "</g>\n"
  }

  /// The name, or its beginning with an ellipsis where it has no room; CJK takes two places.
  package static func shortened(_ name: String, to places: Int) -> String {
    var left = places
    var short = ""
    for character in name {
      left -= character.isASCII ? 1 : 2
      guard left >= 0 else { return short.dropLast() + "…" }
      short.append(character)
    }
    return short
  }

  /// A number as it stands in the file, whatever the language.
  package func number(_ value: Double) -> String {
    var unit = (0..<precision).reduce(1) { product, _ in product * 10 }
    var scaled = Int((value * Double(unit)).rounded())
    while unit > 1, scaled % 10 == 0 { (scaled, unit) = (scaled / 10, unit / 10) }
    if unit == 1 { return "\(scaled)" }
    let digits = "\(unit + abs(scaled) % unit)".dropFirst()
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / unit).\(digits)"
  }
}
