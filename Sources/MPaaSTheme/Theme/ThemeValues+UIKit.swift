#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension ThemeColor {
    /// The color as UIKit has it, in sRGB.
    public var uiColor: UIColor {
      UIColor(
        red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: CGFloat(alpha) / 255)
    }
  }

  extension ThemeFont {
    /// The system's font in this size, bold or regular.
    public var uiFont: UIFont {
      isBold ? UIFont.boldSystemFont(ofSize: CGFloat(size)) : UIFont.systemFont(ofSize: CGFloat(size))
    }
  }

  extension ThemeImage {
    /// The image that the file holds; nil where there is no file, or it cannot be read.
    public var uiImage: UIImage? { path.flatMap { UIImage(contentsOfFile: $0) } }
  }

  extension ThemeValues {
    /// The color at a path; nil where none is defined there, or its value cannot be read.
    public func uiColor(forPath path: String) -> UIColor? { color(forPath: path)?.uiColor }
    /// The font at a path; nil where none is defined there, or its value cannot be read.
    public func uiFont(forPath path: String) -> UIFont? { font(forPath: path)?.uiFont }
    /// The image at a path; nil where none is defined there, or its file cannot be read.
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
