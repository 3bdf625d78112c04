import MPaaSFramework

/// What the app is made of: the micro-apps, services and modules of `MobileRuntime.plist`, and
/// those that register themselves in the sources.
public enum AppRuntime {
  /// Makes a context of them; nothing is started before its `launch()`.
  ///
  /// - Parameter environment: `MPAAS_ENVIRONMENT` decides where it is nil, and then it is the release.
  @MainActor public static func makeContext(
    _ interface: AppInterface, environment: AppEnvironment? = nil
  ) throws(FrameworkError) -> MobileContext {
    try MobileContext(.mobileRuntime, interface: interface, environment: environment)
  }
}
