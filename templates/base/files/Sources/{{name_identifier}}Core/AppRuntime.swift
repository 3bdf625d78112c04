import MPaaSFramework

/// What the app is made of: the micro-apps, services and modules of `MobileRuntime.plist`, and
/// those that register themselves in the sources.
public enum AppRuntime {
  /// Makes a context of them; nothing is started before its `launch()`.
  @MainActor public static func makeContext() throws(FrameworkError) -> MobileContext {
    try MobileContext(.mobileRuntime)
  }
}
