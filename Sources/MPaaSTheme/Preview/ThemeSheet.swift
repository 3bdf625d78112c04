import MPaaSConfig

/// A sheet of a theme's colours and fonts, as shapes that can be drawn in any format.
package struct ThemeSheet: Sendable {
  enum Shape: Sendable {
    case box(x: Int, y: Int, width: Int, height: Int, color: ThemeColor)
    /// A text from its left end; `y` is the line that it stands on, `size` in points.
    case text(String, x: Int, y: Int, size: Double, isBold: Bool, color: ThemeColor)
  }

  /// In points.
  let width = 960
  private(set) var height = 0
  private(set) var shapes: [Shape] = []
  package private(set) var colors = 0
  package private(set) var fonts = 0

  private static let margin = 24
  private static let ink = ThemeColor(red: 0x1c, green: 0x1c, blue: 0x1e)
  private static let faint = ThemeColor(red: 0x6e, green: 0x6e, blue: 0x73)
  private static let line = ThemeColor(red: 0xd1, green: 0xd1, blue: 0xd6)
  private static let night = ThemeColor(red: 0x1c, green: 0x1c, blue: 0x1e)

  /// - Parameter dark: The theme of the dark appearance, whose colours stand beside.
  /// - Throws: What the values of the themes throw.
  package init(_ theme: Theme, dark: Theme? = nil) throws(ThemeError) {
    let entries = try theme.entries()
    var nights: [[String]: ThemeColor] = [:]
    for entry in try dark?.entries() ?? [] { nights[entry.path] = entry.value.color }
    height = Self.margin + 24
    text(theme.name ?? theme.document.file, x: Self.margin, size: 22, isBold: true)
    height += 22
    if theme.device != .unknown { text(theme.device.description, x: Self.margin, size: 12, color: Self.faint) }
    height += 16
    let colors = entries.filter { $0.kind == .color }
    for (index, entry) in colors.enumerated() {
      let column = index % 2
      swatch(entry, nights[entry.path], x: Self.margin + column * (width / 2 - Self.margin / 2))
      if column == 1 || index == colors.count - 1 { height += 60 }
    }
    self.colors = colors.count
    height += 12
    for entry in entries where entry.kind == .font { sample(entry) }
    height += Self.margin
    shapes.insert(.box(x: 0, y: 0, width: width, height: height, color: .white), at: 0)
  }

  private mutating func text(
    _ text: String, x: Int, dy: Int = 0, size: Double, isBold: Bool = false, color: ThemeColor = Self.ink
  ) {
    shapes.append(.text(text, x: x, y: height + dy, size: size, isBold: isBold, color: color))
  }

  private mutating func swatch(_ entry: ThemeEntry, _ night: ThemeColor?, x: Int) {
    guard let color = entry.value.color else { return }
    patch(color, on: .white, x: x)
    if let night { patch(night, on: Self.night, x: x + 64) }
    let left = x + (night == nil ? 68 : 132)
    let constant = entry.constants.first.map { "  $" + $0 } ?? ""
    text(Self.fitted(entry.name, night == nil ? 41 : 34), x: left, dy: 14, size: 12, isBold: true)
    text(color.description + (night.map { "  " + $0.description } ?? "") + constant, x: left, dy: 29, size: 11)
    let (white, black) = (color.contrast(with: .white), color.contrast(with: .black))
    text("on white \(Self.ratio(white))  on black \(Self.ratio(black))", x: left, dy: 43, size: 10, color: Self.faint)
  }

  /// A colour on the ground that it is for; squares show through one that is not opaque.
  private mutating func patch(_ color: ThemeColor, on ground: ThemeColor, x: Int) {
    shapes.append(.box(x: x, y: height, width: 56, height: 48, color: Self.line))
    shapes.append(.box(x: x + 1, y: height + 1, width: 54, height: 46, color: ground))
    if color.alpha < 255 {
      for (dx, dy) in [(1, 1), (28, 24)] {
        shapes.append(.box(x: x + dx, y: height + dy, width: 27, height: 23, color: Self.faint))
      }
    }
    shapes.append(.box(x: x + 1, y: height + 1, width: 54, height: 46, color: color))
  }

  private mutating func sample(_ entry: ThemeEntry) {
    guard let font = entry.value.font else { return }
    fonts += 1
    // Fonts of a hundred points are shown, those of a million are not.
    let size = min(max(font.size, 1), 120)
    height += Int(size * 1.2) + 4
    let number = ThemeValue.real(font.size).string ?? ""
    text("Sphinx 0123", x: Self.margin, size: size, isBold: font.isBold)
    let label = entry.name + "  " + number + (font.isBold ? " bold" : "")
    text(Self.fitted(label, 48), x: width / 2, size: 12, color: Self.faint)
    height += 8
  }

  private static func fitted(_ text: String, _ count: Int) -> String {
    text.count <= count ? text : "…" + text.suffix(count - 1)
  }

  private static func ratio(_ ratio: Double) -> String {
    let tenths = Int((ratio * 10).rounded(.down))
    return "\(tenths / 10).\(tenths % 10)"
  }
}
