import Foundation

/// Colours and sizes by name, as `Theme.plist` has them.
///
/// A value may be a constant's name with a dollar sign before it: `$Brand`.
public struct Theme: Sendable, Hashable {
  public let colors: [String: ThemeColor]
  public let metrics: [String: Double]

  /// The theme that comes with the app.
  public static func load() throws -> Theme {
    let source = try PropertyListDecoder().decode(Source.self, from: AppResource.theme.data())
    return try Theme(source, file: AppResource.theme.name)
  }

  struct Source: Decodable {
    var constants: [String: String]
    var colors: [String: String]
    var metrics: [String: Double]

    enum CodingKeys: String, CodingKey {
      case constants = "Constants"
      case colors = "Colors"
      case metrics = "Metrics"
    }
  }

  init(_ source: Source, file: String) throws {
    var colors: [String: ThemeColor] = [:]
    for (name, value) in source.colors {
      let text = value.hasPrefix("$") ? source.constants[String(value.dropFirst())] : value
      guard let color = text.flatMap(ThemeColor.init) else {
        throw AppResourceError.valueWrong(file: file, entry: name, value: value)
      }
      colors[name] = color
    }
    self.colors = colors
    metrics = source.metrics
  }
}

/// A colour in sRGB, each part from 0 to 1.
public struct ThemeColor: Sendable, Hashable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double

  /// Reads `#rrggbb` or `#rrggbbaa`.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(digits.count == 6 ? text.dropFirst() + "ff" : text.dropFirst(), radix: 16)
    else { return nil }
    func part(_ shift: UInt32) -> Double { Double(value >> shift & 0xff) / 255 }
    red = part(24)
    green = part(16)
    blue = part(8)
    alpha = part(0)
  }
}
