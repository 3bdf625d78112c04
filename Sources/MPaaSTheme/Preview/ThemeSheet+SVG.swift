import MPaaSSupport

extension ThemeSheet {
  /// The sheet as SVG 1.1, in the fonts of the system that shows it.
  package var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" font-family=\"-apple-system, 'Helvetica Neue', 'Noto Sans', sans-serif\">"
    ]
    for shape in shapes {
      switch shape {
      case .box(let x, let y, let width, let height, let color):
        lines.append(
          "  <rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" \(Self.fill(color))/>")
      case .text(let text, let x, let y, let size, let isBold, let color):
        let weight = isBold ? " font-weight=\"bold\"" : ""
        let number = ThemeValue.real(size).string ?? "12"
        lines.append(
          "  <text x=\"\(x)\" y=\"\(y)\" font-size=\"\(number)\"\(weight) xml:space=\"preserve\" \(Self.fill(color))>"
            + text.escapedMarkup(.label) + "</text>")
      }
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static func fill(_ color: ThemeColor) -> String {
    let solid = ThemeColor(red: color.red, green: color.green, blue: color.blue)
    guard color.alpha < 255 else { return "fill=\"\(solid)\"" }
    let thousandths = Int(color.alpha) * 1000 / 255
    return "fill=\"\(solid)\" fill-opacity=\"0.\(thousandths.padded(to: 3))\""
  }
}

extension MarkupEscaping {
  /// A text of the picture, in one line.
  fileprivate static let label = MarkupEscaping(
    doubleQuote: "\"", tab: " ", lineFeed: " ", carriageReturn: " ", unspellable: " ")
}
