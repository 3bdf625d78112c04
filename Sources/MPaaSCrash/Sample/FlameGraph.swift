import MPaaSSupport
import MPaaSToolSupport

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
  /// With a monospaced font of 11 pixels.
  private static let style = FlameStyle(
    height: rowHeight, radius: 1.5, letter: 6.7, precision: 2, escaping: .flame)
  /// Narrower boxes are left out: they would be invisible.
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
    let (width, tall) = (Self.style.number(Self.width), Self.style.number(height))
    let left = Self.style.number(Self.margin)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(tall)" viewBox="0 0 \(width) \(tall)">
      <title>\(title.escapedMarkup(.flame))</title>
      <style>
      text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #1b1b1b; pointer-events: none }
      .title { font: 600 17px system-ui, sans-serif } .sub { font: 12px system-ui, sans-serif; fill: #555 }
      rect { stroke: #fff; stroke-width: 0.6 } g:hover > rect { stroke: #1b1b1b; stroke-width: 1 }
      </style>
      <rect x="0" y="0" width="100%" height="100%" fill="#fff"/>
      <text class="title" x="\(left)" y="26">\(title.escapedMarkup(.flame))</text>
      <text class="sub" x="\(left)" y="46">\(subtitle.escapedMarkup(.flame))</text>

      """
    for box in boxes { text += element(box, bottom: height - Self.margin) }
    return text + "</svg>\n"
  }

  private func element(_ box: Box, bottom: Double) -> String {
    let y = bottom - Double(box.row + 1) * Self.rowHeight
    let percent = Self.style.number(Double(box.node.total) * 100 / Double(max(tree.total, 1)))
    let place = box.node.image.map { " (\($0))" } ?? ""
    let label = "\(box.node.name)\(place): \(box.node.total) samples, \(percent) %"
    return Self.style.box(box.node.name, tip: label, color: colour(box), left: box.x, top: y, width: box.width)
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
}

extension MarkupEscaping {
  /// One line of the picture, where line ends are as wrong as control characters.
  fileprivate static let flame = MarkupEscaping(lineFeed: "\u{fffd}", carriageReturn: "\u{fffd}")
}
