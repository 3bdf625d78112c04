import MPaaSFramework

/// The micro-app at the bottom of the stack: it shows the tabs.
public final class LauncherMicroApp: MicroAppDelegate {
  /// From left to right.
  public let tabs = AppTab.allCases

  public init() {}
}

/// A tab of the launcher.
public enum AppTab: String, Sendable, Hashable, CaseIterable, Identifiable {
  case home
  case settings

  public var id: Self { self }

  /// The name of its picture among the system's symbols.
  public var symbol: String {
    switch self {
    case .home: "house"
    case .settings: "gearshape"
    }
  }
}
