import MPaaSBase
public import MPaaSTime

extension CrashReporter {
  /// The settings that the crash reporter is installed with.
  public struct Configuration: Sendable {
    /// The folder of records and reports; made where it is not there.
    public var directory: String
    /// Shown as the program's name; nil for the name of its file.
    public var applicationName: String?
    /// Such as `com.example.shop`.
    public var identifier: String?
    /// The version that users see.
    public var version: String?
    /// The number of the build.
    public var build: String?
    /// The key of the app at the platform that reports go to.
    public var appKey: String?
    /// The number of reports that are kept; the oldest go first.
    public var reportLimit: Int
    /// The time that writing a report may take before the process ends with what has been written.
    public var timeLimit: TimeSpan

    /// - Parameters:
    ///   - directory: nil for `$MPAAS_CRASH_DIRECTORY`, else `mpaas/crashes` under `$XDG_DATA_HOME`.
    ///   - applicationName: The name that reports show; nil for that of the program's file.
    ///   - identifier: The bundle identifier, such as `com.example.shop`.
    ///   - version: The version that users see.
    ///   - build: The number of the build.
    ///   - appKey: The key of the app at the platform that reports go to.
    ///   - reportLimit: The number of reports that are kept.
    ///   - timeLimit: The time that writing a report may take.
    public init(
      directory: String? = nil, applicationName: String? = nil, identifier: String? = nil, version: String? = nil,
      build: String? = nil, appKey: String? = nil, reportLimit: Int = 20, timeLimit: TimeSpan = .seconds(5)
    ) {
      self.directory = directory ?? Self.defaultDirectory
      self.applicationName = applicationName
      self.identifier = identifier
      self.version = version
      self.build = build
      self.appKey = appKey
      self.reportLimit = reportLimit
      self.timeLimit = timeLimit
    }

    private static var defaultDirectory: String {
      let chosen = Environment.value("MPAAS_CRASH_DIRECTORY")
      return chosen ?? Directories(environment: Environment.relevant).crashes
    }
  }
}
