import CCrashHandler
import MPaaSBase
import MPaaSLock
import MPaaSTime

extension CrashReporter {
  /// The configuration in force, for processing reports.
  static let installed = Lock<Configuration?>(nil)

  /// The folder of records: that of the configuration in force, else the default one.
  package static var folder: String { (installed.withLock { $0 } ?? Configuration()).directory }

  /// Begins to catch crashes of this process; a second call changes nothing.
  ///
  /// Call it before other threads are started where possible: threads that are there already get their stack for signal
  /// handlers by a signal. Room for a report is reserved on the disk at once.
  /// - Throws: `InstallError` where a report could not be written later: directory, disk, limits.
  public static func install(_ configuration: Configuration = Configuration()) throws(InstallError) {
    let directory = configuration.directory
    do {
      try Directories.create(directory)
    } catch {
      throw InstallError(.directory, directory: directory, systemError: error.code.rawValue)
    }
    let result = withCConfiguration(configuration) { mp_crash_install(&$0) }
    switch result.status {
    case MP_CRASH_INSTALLED: installed.withLock { $0 = configuration }
    case MP_CRASH_ALREADY_INSTALLED: break
    case MP_CRASH_DISK_FULL: throw InstallError(.diskFull, directory: directory, systemError: result.error)
    case MP_CRASH_LIMIT: throw InstallError(.limit, directory: directory, systemError: result.error)
    case MP_CRASH_UNSUPPORTED: throw InstallError(.unsupported, directory: directory, systemError: result.error)
    default: throw InstallError(.directory, directory: directory, systemError: result.error)
    }
  }

  /// The handler copies all texts, so they need to live only during the call.
  private static func withCConfiguration(
    _ configuration: Configuration, _ body: (inout mp_crash_configuration) -> mp_crash_result
  ) -> mp_crash_result {
    let texts = [
      configuration.directory, configuration.applicationName, configuration.identifier, configuration.version,
      configuration.build, configuration.appKey,
    ]
    let copies = texts.map { $0.map { text in Array(text.utf8CString) } }
    func withTexts(_ rest: ArraySlice<[CChar]?>, _ pointers: [UnsafePointer<CChar>?]) -> mp_crash_result {
      if let next = rest.first {
        guard let next else { return withTexts(rest.dropFirst(), pointers + [nil]) }
        return next.withUnsafeBufferPointer { withTexts(rest.dropFirst(), pointers + [$0.baseAddress]) }
      }
      var target = mp_crash_configuration()
      target.directory = pointers[0]
      target.application_name = pointers[1]
      target.identifier = pointers[2]
      target.version = pointers[3]
      target.build = pointers[4]
      target.app_key = pointers[5]
      target.time_limit_ms = milliseconds(configuration.timeLimit)
      return body(&target)
    }
    return withTexts(copies[...], [])
  }

  /// At least one and at most a day.
  private static func milliseconds(_ duration: TimeSpan) -> UInt32 {
    UInt32(clamping: min(max(duration, .milliseconds(1)), .seconds(86_400)).milliseconds)
  }
}
