import MPaaSSupport

/// A call tree as a flame graph: an SVG file that stands alone.
///
/// Callers are below, callees on top of them; the width of a box is its share of all samples. Each box has a `<title>`,
/// which browsers show when the pointer rests on it.
package struct FlameGraph: Sendable {
  private let tree: CallTree
  private let title: String
  private let subtitle: String
  private var boxes: [Box] = []
  private var depth = 0

  private static let width = 1200.0
  private static let margin = 12.0
  private static let rowHeight = 18.0
  private static let headHeight = 58.0
  /// Width of a character of the 11-pixel monospaced font.
  private static let characterWidth = 6.7
  /// Narrower boxes are left out: nobody could see them.
  private static let leastWidth = 0.3

  private struct Box {
    let node: CallTree.Node
    let x: Double
    let width: Double
    let row: Int
  }

  /// Lays the boxes out.
  ///
  /// - Parameters:
  ///   - title: What was sampled.
  ///   - subtitle: How: number of samples, interval.
  package init(_ tree: CallTree, title: String, subtitle: String) {
    self.tree = tree
    self.title = title
    self.subtitle = subtitle
    place(tree.threads, x: Self.margin, row: 0, scale: (Self.width - 2 * Self.margin) / Double(max(tree.total, 1)))
  }

  private mutating func place(_ nodes: [CallTree.Node], x: Double, row: Int, scale: Double) {
    var x = x
    for node in nodes {
      let width = Double(node.total) * scale
      if width >= Self.leastWidth {
        depth = max(depth, row + 1)
        boxes.append(Box(node: node, x: x, width: width, row: row))
        place(node.children, x: x, row: row + 1, scale: scale)
      }
      x += width
    }
  }

  /// The whole file, UTF-8.
  package var svg: String {
    let height = Self.headHeight + Double(depth) * Self.rowHeight + 2 * Self.margin
    let size = "width=\"\(Self.number(Self.width))\" height=\"\(Self.number(height))\""
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" \(size) viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))">
      <title>\(title.escapedMarkup(.flame))</title>
      <style>
      text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #1b1b1b; pointer-events: none }
      .title { font: 600 17px system-ui, sans-serif } .sub { font: 12px system-ui, sans-serif; fill: #555 }
      rect { stroke: #fff; stroke-width: 0.6 } g:hover > rect { stroke: #1b1b1b; stroke-width: 1 }
      </style>
      <rect x="0" y="0" width="100%" height="100%" fill="#fff"/>
      <text class="title" x="\(Self.number(Self.margin))" y="26">\(title.escapedMarkup(.flame))</text>
      <text class="sub" x="\(Self.number(Self.margin))" y="46">\(subtitle.escapedMarkup(.flame))</text>

      """
    for box in boxes { text += element(box, bottom: height - Self.margin) }
    return text + "</svg>\n"
  }

  private func element(_ box: Box, bottom: Double) -> String {
    let y = bottom - Double(box.row + 1) * Self.rowHeight
    let percent = Self.number(Double(box.node.total) * 100 / Double(max(tree.total, 1)))
    let place = box.node.image.map { " (\($0))" } ?? ""
    let label = "\(box.node.name)\(place): \(box.node.total) samples, \(percent) %"
    let geometry =
      "x=\"\(Self.number(box.x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(box.width))\" "
      + "height=\"\(Self.number(Self.rowHeight - 1))\""
    var text = "<g><title>\(label.escapedMarkup(.flame))</title><rect \(geometry) rx=\"1.5\" fill=\"\(colour(box))\"/>"
    let room = Int((box.width - 6) / Self.characterWidth)
    if room >= 3 {
      let name = box.node.name.count <= room ? box.node.name : box.node.name.prefix(room - 1) + "…"
      text += "<text x=\"\(Self.number(box.x + 3))\" y=\"\(Self.number(y + 12.5))\">"
      text += name.escapedMarkup(.flame) + "</text>"
    }
    return text + "</g>\n"
  }

  /// Grey for threads; a warm hue for each image, its brightness changing a little from function to function.
  private func colour(_ box: Box) -> String {
    guard box.row > 0 else { return "#d7dbe0" }
    let hue = box.node.image.map { Self.hash($0) % 52 } ?? 0
    let light = 62 + Self.hash(box.node.name) % 14
    return "hsl(\(hue) 82% \(light)%)"
  }

  /// FNV-1a, so that a function has the same colour in every graph.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// With at most two digits behind the point.
  private static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = abs(hundredths % 100)
    if fraction == 0 { return "\(hundredths / 100)" }
    let sign = hundredths < 0 && hundredths > -100 ? "-" : ""
    let digits = fraction % 10 == 0 ? "\(fraction / 10)" : fraction < 10 ? "0\(fraction)" : "\(fraction)"
    return "\(sign)\(hundredths / 100).\(digits)"
  }
}

extension MarkupEscaping {
  /// One line of the picture, where line ends are as wrong as control characters.
  fileprivate static let flame = MarkupEscaping(lineFeed: "\u{fffd}", carriageReturn: "\u{fffd}")
}
