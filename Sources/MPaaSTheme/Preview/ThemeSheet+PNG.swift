import MPaaSSupport

extension ThemeSheet {
  /// The sheet as PNG, its texts in letters of dots.
  ///
  /// - Parameter scale: Pixels a point.
  package func png(scale: Int) -> [UInt8] {
    // A theme of a hundred thousand colours would make a picture that no program can open.
    let limit = 16_000
    var picture = Picture(width: width * scale, height: min(height * scale, limit))
    for shape in shapes {
      switch shape {
      case .box(let x, let y, let width, let height, let color):
        picture.fill(x * scale, y * scale, width * scale, height * scale, color)
      case .text(let text, let x, let y, let size, let isBold, let color):
        // The dots of a letter are a ninth of its size.
        let dot = max(1, Int((size * Double(scale) / 9).rounded()))
        picture.draw(text, x * scale, y * scale - 7 * dot, dot, isBold, color)
      }
    }
    return picture.png
  }
}

/// Pixels in red, green and blue.
struct Picture {
  let width: Int
  let height: Int
  private var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: 255, count: width * height * 3)
  }

  /// Fills what of a box lies inside.
  mutating func fill(_ x: Int, _ y: Int, _ boxWidth: Int, _ boxHeight: Int, _ color: ThemeColor) {
    let (left, right) = (max(0, x), min(width, x + boxWidth))
    let (top, bottom) = (max(0, y), min(height, y + boxHeight))
    guard left < right, top < bottom else { return }
    let alpha = Int(color.alpha)
    let parts = [Int(color.red), Int(color.green), Int(color.blue)]
    for row in top..<bottom {
      var at = (row * width + left) * 3
      for _ in left..<right {
        for part in parts {
          pixels[at] = UInt8(truncatingIfNeeded: (part * alpha + Int(pixels[at]) * (255 - alpha) + 127) / 255)
          at += 1
        }
      }
    }
  }

  /// Draws a text from its upper left corner; bold letters are a dot wider.
  mutating func draw(_ text: String, _ x: Int, _ y: Int, _ dot: Int, _ isBold: Bool, _ color: ThemeColor) {
    var left = x
    for scalar in text.unicodeScalars {
      guard left < width else { return }
      let rows = DotFont.rows(of: scalar)
      for row in 0..<DotFont.height {
        let bits = rows >> UInt64((DotFont.height - 1 - row) * DotFont.width)
        for column in 0..<DotFont.width where bits >> UInt64(DotFont.width - 1 - column) & 1 == 1 {
          fill(left + column * dot, y + row * dot, isBold ? dot + max(1, dot / 2) : dot, dot, color)
        }
      }
      left += DotFont.advance * dot
    }
  }

  /// The picture as a PNG file.
  var png: [UInt8] {
    PNG.signature + PNG.header(width: width, height: height) + PNG.chunk("IDAT", RunDeflate.zlib(filtered))
      + PNG.chunk("IEND", [])
  }

  /// The rows with their filters: the difference to the row above where that is the same, else to the pixel before.
  private var filtered: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity(height * (width * 3 + 1))
    let length = width * 3
    for row in 0..<height {
      let start = row * length
      let same = row > 0 && pixels[start..<start + length] == pixels[start - length..<start]
      rows.append(same ? 2 : 1)
      if same {
        rows += repeatElement(0, count: length)
      } else {
        for at in start..<start + length { rows.append(at < start + 3 ? pixels[at] : pixels[at] &- pixels[at - 3]) }
      }
    }
    return rows
  }
}
