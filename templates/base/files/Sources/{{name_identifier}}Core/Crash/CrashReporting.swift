import MPaaSFramework

#if canImport(CrashReporter)
  import CrashReporter
#endif

/// Catches crashes, where the kit has a reporter for the system.
///
/// On Linux that is the kit's CrashReporter. On Apple's systems the crash reports of the system and
/// of MetricKit are what `mpaas crash` reads; link another reporter here if you have one.
public enum CrashReporting {
  /// Whether crashes of this program are caught.
  public static var isAvailable: Bool {
    #if canImport(CrashReporter)
      true
    #else
      false
    #endif
  }

  /// Begins to catch crashes; call it first thing.
  ///
  /// - Parameter directory: Where reports are kept; nil for the user's data folder.
  public static func begin(for interface: AppInterface, directory: String? = nil) throws {
    #if canImport(CrashReporter)
      try CrashReporter.install(
        CrashReporter.Configuration(
          directory: directory, identifier: interface.bundleIdentifier,
          version: interface.productVersion, appKey: interface.appKey))
    #endif
  }

  /// Gives each report that earlier runs left to `take`; one that it throws for is offered again.
  public static func processPendingReports(
    _ take: @escaping @Sendable (String) async throws -> Void
  ) async throws {
    #if canImport(CrashReporter)
      try await CrashReporter.processPendingReports { report in try await take(report.path) }
    #endif
  }
}
