import MPaaSSupport

/// A colour in sRGB, eight bits a part.
public struct ThemeColor: Sendable, Hashable {
  /// The red part, from 0 to 255.
  public let red: UInt8
  /// The green part, from 0 to 255.
  public let green: UInt8
  /// The blue part, from 0 to 255.
  public let blue: UInt8
  /// 255 is opaque.
  public let alpha: UInt8

  /// Makes a color from its parts, from 0 to 255 each; opaque unless an alpha is given.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rrggbb` or `#rrggbbaa`, digits in either case; nil for anything else.
  public init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "#"), let parts = [UInt8](hexadecimal: text.dropFirst()),
      parts.count == 3 || parts.count == 4
    else { return nil }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 255)
  }
}

extension ThemeColor: CustomStringConvertible {
  /// As themes write it, in small letters, the alpha only where it is not opaque.
  public var description: String {
    let parts = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
    return "#" + parts.hexadecimal
  }

  /// The luminance on white, from 0 to 1 (WCAG 2.2, relative luminance).
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
