#if canImport(ObjectiveC)
  public import Foundation

  /// The app's log for Objective-C; `APLogToFile` logs from C.
  ///
  ///     [MPLog beginInFolder:folder error:&error];
  ///     [MPLog logLevel:MPLogLevelInfo tag:@"Pay" message:@"paid"];
  @objc(MPLog)
  public final class LogOfObjectiveC: NSObject {
    /// The weight of a record, as `LogLevel` has it.
    @objc(MPLogLevel)
    public enum Level: Int {
      case verbose, debug, info, warning, error, fatal
    }

    /// Writes records to the files of a folder from now on.
    ///
    /// - Throws: Where the folder cannot be written.
    @objc(beginInFolder:error:)
    public static func begin(folder: String) throws { Log.begin(try LogWriter(folder: folder)) }

    /// Logs a record, whose message is taken as public: the app leaves out what is private.
    @objc(logLevel:tag:message:)
    public static func log(_ level: Level, tag: String, message: String) {
      Log.log(
        LogLevel(rawValue: UInt8(clamping: level.rawValue)) ?? .info, tag, LogMessage(message, privacy: .public))
    }

    /// Logs nothing more, and returns when all that was logged survives loss of power.
    @objc public static func end() { Log.end() }
  }
#endif
