import MPaaSBase
import MPaaSCrashReport
import MPaaSLock

extension CrashReporter {
  /// The end of an earlier run of a program that had the crash reporter.
  public enum End: Sendable, Equatable {
    /// By a crash, of which there is a report or a record.
    case crashed
    /// By itself: it came to its end, or called `exit`.
    case ended
    /// By somebody else, or by a loss of power: it was gone without a word.
    case killed
    /// Nothing can be said: no reports were kept here, or it still runs.
    case unknown
  }

  /// Tells how an earlier run ended, from what it left in the directory of reports.
  ///
  /// It may be asked before or after the reports are processed in this run.
  ///
  /// - Parameters:
  ///   - process: The process identifier of that run.
  ///   - time: About when it began, within ten minutes, in seconds since 1970: identifiers come again.
  ///   - directory: nil for the one that was installed with, else the default one.
  public static func end(ofProcess process: Int32, at time: Double, in directory: String? = nil) -> End {
    let configuration = installed.withLock { $0 } ?? Configuration(directory: directory)
    return ReportDirectory(path: directory ?? configuration.directory).end(ofProcess: process, at: time)
  }
}

extension CrashReporter {
  /// Tells whether an earlier run was ended while it hung, from the record that it left or the report made of it.
  ///
  /// - Parameters:
  ///   - process: The process identifier of that run.
  ///   - time: The time that it began at, in seconds since 1970.
  ///   - directory: The folder of records.
  package static func wasHung(process: Int32, since time: Double, in directory: String) -> Bool {
    ReportDirectory(path: directory).wasHung(process: process, since: time)
  }
}

extension ReportDirectory {
  func wasHung(process: Int32, since time: Double) -> Bool {
    // hang-MICROSECONDS-PID.SUFFIX: the time at which it had become severe.
    func isMeant(_ name: String) -> Bool {
      let parts = name.prefix { $0 != "." }.split(separator: "-")
      guard parts.count == 3, parts[0] == "hang", Int32(parts[2]) == process, let begun = Double(parts[1]) else {
        return false
      }
      return begun / 1e6 >= time - 1
    }
    if names(in: path, suffix: ".part").contains(where: isMeant) { return true }
    let reports =
      names(in: path, suffix: ".ips").map { "\(path)/\($0)" }
      + names(in: uploaded, suffix: ".ips").map { "\(uploaded)/\($0)" }
    return reports.contains { report in
      guard isMeant(String(report.split(separator: "/").last ?? "")), let content = try? Bytes.mapping(report) else {
        return false
      }
      let (bytes, mark) = (content.array, Array("\"ended\":false".utf8))
      return bytes.indices.contains { bytes[$0...].starts(with: mark) }
    }
  }

  /// The records, by their paths without a suffix, that runs left which were killed; taken away by this process.
  static let killed = Lock<Set<String>>([])

  func end(ofProcess process: Int32, at time: Double) -> CrashReporter.End {
    guard FileStatus(path)?.kind == .folder else { return .unknown }
    func isMeant(_ name: String) -> Bool {
      // crash-MICROSECONDS-PID.SUFFIX
      let parts = name.prefix { $0 != "." }.split(separator: "-")
      guard parts.count == 3, parts[0] == "crash", Int32(parts[2]) == process, let begun = Double(parts[1]) else {
        return false
      }
      return abs(begun / 1e6 - time) <= 600
    }
    let reports = [".raw", ".ips"].flatMap { names(in: path, suffix: $0) } + names(in: uploaded, suffix: ".ips")
    if reports.contains(where: isMeant) { return .crashed }
    for name in names(in: path, suffix: ".part") where isMeant(name) {
      let record = "\(path)/\(name)"
      // A live process holds the lock of its file.
      guard let lock = LockFile.locking(record, .writing) else { return .unknown }
      defer { withExtendedLifetime(lock) {} }
      return (try? RawRecord.read(record)) == nil ? .killed : .crashed
    }
    let isKilled = Self.killed.withLock { killed in
      killed.contains { $0.hasPrefix(path + "/") && isMeant(String($0.dropFirst(path.count + 1))) }
    }
    return isKilled ? .killed : .ended
  }
}
