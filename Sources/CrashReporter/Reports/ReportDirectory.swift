import MPaaSBase
import MPaaSCrashReport
import MPaaSLock

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folder that records and reports are kept in.
///
/// Names begin with `hang-` where the program hung, and it goes for them as for crashes. `crash-TIME-PID.part` is a live process' unused record, `.raw` a whole one, `.crumbs` a ring of breadcrumbs, `.ips`
/// a report, `.ips.retry` the mark of a report that could not be handed over; `uploaded/` holds those that were.
struct ReportDirectory: Sendable {
  let path: String

  var uploaded: String { path + "/uploaded" }

  private static let beginnings = ["crash-", "hang-"]

  func names(in folder: String, suffix: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(utf8: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 }))
      }
      if Self.beginnings.contains(where: name.hasPrefix), name.hasSuffix(suffix) { names.append(name) }
    }
    // The time follows, so this is the order of their age.
    func time(_ name: String) -> Substring { name.drop { $0 != "-" } }
    return names.sorted { (time($0), $0) < (time($1), $1) }
  }

  private func paths(_ suffix: String) -> [String] {
    names(in: path, suffix: suffix).map { "\(path)/\($0)" }
  }

  /// Keeps a second process out while this one works; nil where one is at it already.
  func lock() -> LockFile? { .locking(path + "/.lock") }

  /// Turns the records of processes that are gone into reports, and takes what is of no use away.
  func convertRecords() throws(FileError) -> [String] {
    var made: [String] = []
    for record in paths(".raw") {
      if let report = try convert(record) { made.append(report) }
    }
    for record in paths(".part") {
      // A live process holds the lock of its file.
      guard let lock = LockFile.locking(record, .writing) else { continue }
      defer { withExtendedLifetime(lock) {} }
      if let report = try convert(record) {
        made.append(report)
      } else if record.dropFirst(path.count + 1).hasPrefix("crash-") {
        let stem = record.dropping(".part")
        Self.killed.withLock { _ = $0.insert(stem) }
      }
      unlink(record.dropping(".part") + ".crumbs")
    }
    for crumbs in paths(".crumbs") where access(crumbs.dropping(".crumbs") + ".part", F_OK) != 0 {
      unlink(crumbs)
    }
    return made
  }

  /// Writes the report of a record and takes the record away; nil where nothing can be read from it.
  private func convert(_ record: String) throws(FileError) -> String? {
    let report: CrashReport
    do {
      report = try RawRecord.read(record)
    } catch let error as RawRecordError where error.code == .newerVersion {
      return nil
    } catch {
      unlink(record)
      return nil
    }
    let target = record.dropping(".raw").dropping(".part") + ".ips"
    try IPSWriter.write(report, to: target)
    unlink(record)
    return target
  }

  /// Reports that have not been taken over yet, oldest first.
  func waiting() -> [CrashReporter.SavedReport] {
    paths(".ips").map(saved)
  }

  func saved(_ report: String) -> CrashReporter.SavedReport {
    CrashReporter.SavedReport(path: report, attempts: attempts(of: report))
  }

  private func attempts(of report: String) -> Int {
    guard let mark = try? Bytes.mapping(report + ".retry") else { return 0 }
    return String(decoding: mark.array, as: UTF8.self).split(separator: "\n").count
  }

  /// Notes that a report could not be handed over: a line for each time.
  func markFailed(_ report: CrashReporter.SavedReport, because error: any Error) {
    let known = (try? Bytes.mapping(report.path + ".retry"))?.array ?? []
    let line = "\(time(nil)) \(error)".map { $0.isNewline ? " " : $0 }
    try? Bytes(known + Array((String(line) + "\n").utf8)).write(to: report.path + ".retry", mode: 0o600)
  }

  func markUploaded(_ report: CrashReporter.SavedReport) throws(FileError) {
    try Directories.create(uploaded)
    let name = report.path.split(separator: "/").last.map(String.init) ?? ""
    guard rename(report.path, "\(uploaded)/\(name)") == 0 else { throw .last(.rename, report.path) }
    unlink(report.path + ".retry")
  }

  /// Keeps the newest reports and removes the others.
  func trim(to limit: Int) {
    for (folder, extra) in [(path, ".retry"), (uploaded, "")] {
      for name in names(in: folder, suffix: ".ips").dropLast(max(limit, 0)) {
        unlink("\(folder)/\(name)")
        if !extra.isEmpty { unlink("\(folder)/\(name)\(extra)") }
      }
    }
  }
}

extension String {
  fileprivate func dropping(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
