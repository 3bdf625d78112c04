import MPaaSSupport

/// The support that written Swift code brings along.
enum ThemeSwiftSupport {
  /// The name of a screen in the written code.
  static func name(of screen: ThemeDevice.Screen) -> String {
    switch screen {
    case .padLow: "padLow"
    case .padRetina: "padRetina"
    case .phoneLow: "phoneLow"
    default: screen.rawValue
    }
  }

  static func hex(_ color: ThemeColor) -> String {
    "0x" + [color.red, color.green, color.blue, color.alpha].hexadecimal
  }

  static func color(hasDark: Bool) -> [String] {
    let light = """
      /// A colour by its red, green, blue and alpha parts.
      private func color(_ rgba: UInt32) -> UIColor {
        func part(_ shift: UInt32) -> CGFloat { CGFloat((rgba >> shift) & 0xff) / 255 }
        return UIColor(red: part(24), green: part(16), blue: part(8), alpha: part(0))
      }
      """
    let dark = """

      /// A colour with another one for the dark appearance.
      private func color(_ rgba: UInt32, dark: UInt32) -> UIColor {
        UIColor { $0.userInterfaceStyle == .dark ? color(dark) : color(rgba) }
      }
      """
    return [light] + (hasDark ? [dark] : [])
  }

  static func screen(hasScreens: Bool, hasVersion: Bool) -> [String] {
    var lines = ["/// What the theme's conditions ask about.", "private enum ThemeScreen {"]
    if hasScreens {
      lines += [
        "  case padLow, padRetina, phoneLow, phone4, phone5, phone6, phone6p", "",
        "  /// The screen by its size in points: of younger devices the old one that is nearest in width.",
        "  @MainActor static let current: ThemeScreen = {",
        "    let screen = UIScreen.main",
        "    if UIDevice.current.userInterfaceIdiom == .pad { return screen.scale < 2 ? .padLow : .padRetina }",
        "    let (width, height) = (",
        "      min(screen.bounds.width, screen.bounds.height), max(screen.bounds.width, screen.bounds.height)",
        "    )",
        "    if width >= 414 { return .phone6p }",
        "    if width >= 375 { return .phone6 }",
        "    if height >= 568 { return .phone5 }",
        "    return screen.scale < 2 ? .phoneLow : .phone4",
        "  }()",
      ]
    }
    if hasVersion {
      lines += hasScreens ? [""] : []
      lines += [
        "  static let version: (Int, Int, Int) = {",
        "    let version = ProcessInfo.processInfo.operatingSystemVersion",
        "    return (version.majorVersion, version.minorVersion, version.patchVersion)",
        "  }()",
      ]
    }
    return lines + ["}"]
  }
}
