#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ThemeColor {
    public var uiColor: UIColor {
      UIColor(
        red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: CGFloat(alpha) / 255)
    }
  }

  extension ThemeFont {
    public var uiFont: UIFont {
      isBold ? UIFont.boldSystemFont(ofSize: CGFloat(size)) : UIFont.systemFont(ofSize: CGFloat(size))
    }
  }

  extension ThemeImage {
    public var uiImage: UIImage? { path.flatMap { UIImage(contentsOfFile: $0) } }
  }

  extension ThemeValues {
    public func uiColor(forPath path: String) -> UIColor? { color(forPath: path)?.uiColor }
    public func uiFont(forPath path: String) -> UIFont? { font(forPath: path)?.uiFont }
    public func uiImage(forPath path: String) -> UIImage? { image(forPath: path)?.uiImage }
  }

  extension ThemeDevice {
    /// The device that the app runs on: of younger ones the old one that is nearest in width.
    @MainActor public static var current: ThemeDevice {
      let version = ProcessInfo.processInfo.operatingSystemVersion
      return ThemeDevice(
        screen: currentScreen,
        version: Version(version.majorVersion, version.minorVersion, version.patchVersion))
    }

    @MainActor private static var currentScreen: Screen {
      let screen = UIScreen.main
      if UIDevice.current.userInterfaceIdiom == .pad { return screen.scale < 2 ? .padLow : .padRetina }
      let width = min(screen.bounds.width, screen.bounds.height)
      let height = max(screen.bounds.width, screen.bounds.height)
      if width >= 414 { return .phone6p }
      if width >= 375 { return .phone6 }
      if height >= 568 { return .phone5 }
      return screen.scale < 2 ? .phoneLow : .phone4
    }
  }
#endif
