/// A colour in sRGB, eight bits a part.
public struct ThemeColor: Sendable, Hashable {
  public let red: UInt8
  public let green: UInt8
  public let blue: UInt8
  /// 255 is opaque.
  public let alpha: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rrggbb` or `#rrggbbaa`, digits in either case; nil for anything else.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == 0x23, bytes.count == 7 || bytes.count == 9 else { return nil }
    var parts: [UInt8] = []
    for start in stride(from: 1, to: bytes.count, by: 2) {
      guard let high = Self.digit(bytes[start]), let low = Self.digit(bytes[start + 1]) else { return nil }
      parts.append(high << 4 | low)
    }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 255)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension ThemeColor: CustomStringConvertible {
  /// As themes write it, in small letters, the alpha only where it is not opaque.
  public var description: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// How light it is on white, from 0 to 1 (WCAG 2.2, relative luminance).
  package var luminance: Double {
    func linear(_ part: UInt8) -> Double {
      let over = (Double(part) * Double(alpha) + 255 * Double(255 - alpha)) / (255 * 255)
      guard over > 0.04045 else { return over / 12.92 }
      // x^2.4 without a mathematics library: x² · x^0.4, the fifth root by Newton's method.
      let base = (over + 0.055) / 1.055
      var root = base
      for _ in 0..<24 { root = (4 * root + base * base / (root * root * root * root)) / 5 }
      return base * base * root
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast with another colour, from 1 to 21 (WCAG 2.2).
  package func contrast(with other: ThemeColor) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  package static let white = ThemeColor(red: 255, green: 255, blue: 255)
  package static let black = ThemeColor(red: 0, green: 0, blue: 0)
}
