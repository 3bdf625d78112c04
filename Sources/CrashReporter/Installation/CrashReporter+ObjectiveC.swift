#if canImport(ObjectiveC)
  public import Foundation

  /// The crash reporter for Objective-C.
  ///
  ///     [MPCrashReporter installInDirectory:nil error:&error];
  ///     [MPCrashReporter processPendingReports:^(NSString *path) { … return YES; } completion:nil];
  @objc(MPCrashReporter)
  public final class CrashReporterOfObjectiveC: NSObject {
    private struct NotTaken: Error {}

    /// Begins to catch crashes of this process; nil for the default directory.
    ///
    /// - Throws: Where a report could not be written later.
    @objc(installInDirectory:error:)
    public static func install(directory: String?) throws {
      try CrashReporter.install(CrashReporter.Configuration(directory: directory))
    }

    /// Offers the reports of earlier runs by their paths; one that is not taken is offered again at the next start.
    @objc(processPendingReports:completion:)
    public static func processPendingReports(
      upload: @escaping @Sendable (String) -> Bool, completion: (@Sendable ((any Error)?) -> Void)?
    ) {
      Task {
        do {
          try await CrashReporter.processPendingReports { report in
            guard upload(report.path) else { throw NotTaken() }
          }
          completion?(nil)
        } catch {
          completion?(error)
        }
      }
    }

    /// Leaves a short remark of what the program is doing.
    @objc(leaveBreadcrumb:)
    public static func leaveBreadcrumb(_ name: String) { CrashReporter.leaveBreadcrumb(name) }

    /// Says who uses the program, of which reports carry the SHA-256 alone; nil forgets it.
    @objc(setUser:)
    public static func setUser(id: String?) { CrashReporter.setUser(id: id) }
  }
#endif
