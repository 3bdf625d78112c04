package import MPaaSCrashReport
package import MPaaSSupport
package import MPaaSSymbols

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A crash report as a file of any format that we read.
package enum ReportFile {
  /// One format: how its files are known by their content, and how they are read.
  package struct Format: Sendable {
    package let name: String
    let recognises: @Sendable (UnsafeRawBufferPointer) -> Bool
    let read: @Sendable (UnsafeRawBufferPointer) throws(ReportError) -> CrashReport
    /// Reads with what a search finds of the report's images, by whose unwind information stacks are walked.
    ///
    /// Nil where the format keeps no memory of stacks.
    var walk: (@Sendable (UnsafeRawBufferPointer, DebugFileSearch) throws(ReportError) -> CrashReport)?
    /// Writes a report that got symbols back in this format: from the bytes that it was read from, and the report.
    ///
    /// Nil where the format cannot hold them; such reports are written as .ips files.
    var rewrite: (@Sendable (UnsafeRawBufferPointer, CrashReport) throws -> [UInt8]?)?
  }

  /// The formats that are read, in the order in which they are tried.
  package static let formats: [Format] = [
    Format(
      name: "raw", recognises: RawRecord.recognises, read: { bytes throws(ReportError) in try record(bytes) },
      walk: { (bytes, search) throws(ReportError) in try record(bytes) { search.unwindFile(of: $0) } }),
    Format(
      name: "plcrash", recognises: PLCrashReader.recognises,
      read: { bytes throws(ReportError) in
        do throws(PLCrashError) {
          return try PLCrashReader.read(bytes)
        } catch {
          throw ReportError(.plcrash(error.code), offset: error.offset)
        }
      }, rewrite: { _, report in PLCrashWriter.bytes(of: report) }),
    Format(
      name: "minidump", recognises: MinidumpReader.recognises,
      read: { bytes throws(ReportError) in try minidump(bytes) },
      walk: { (bytes, search) throws(ReportError) in try minidump(bytes) { search.unwindFile(of: $0) } }),
    Format(
      name: "kscrash", recognises: KSCrashJSON.recognises, read: KSCrashJSON.read,
      rewrite: { bytes, report in Array(try KSCrashJSON.replacingFrames(in: bytes, with: report).utf8) }),
    Format(name: "sentry", recognises: SentryEvent.recognises, read: SentryEvent.read),
    Format(name: "metrickit", recognises: MetricKitPayload.recognises, read: MetricKitPayload.read),
    Format(name: "crashlytics", recognises: CrashlyticsRecords.recognises, read: CrashlyticsRecords.read),
    Format(
      name: "ips", recognises: IPSReader.recognises, read: IPSReader.read,
      rewrite: { bytes, report in
        guard AppleCrashText.original(of: report) != nil else { return IPSWriter.bytes(of: report) }
        return Array(AppleCrashText.replacingFrames(in: String(decoding: bytes, as: UTF8.self), with: report).utf8)
      }),
    Format(
      name: "apple-text", recognises: AppleCrashText.recognises, read: AppleCrashText.read,
      rewrite: { bytes, report in
        Array(AppleCrashText.replacingFrames(in: String(decoding: bytes, as: UTF8.self), with: report).utf8)
      }),
  ]

  /// The format that `bytes` are in; nil where none is known.
  package static func format(of bytes: UnsafeRawBufferPointer) -> Format? { formats.first { $0.recognises(bytes) } }

  /// Reads a report; what it is in is found by its content.
  package static func read(_ bytes: Bytes) throws(ReportError) -> CrashReport {
    defer { withExtendedLifetime(bytes) {} }
    return try read(bytes.buffer).report
  }

  /// The same of bytes that the caller keeps.
  ///
  /// - Parameter search: Finds the unwind information that stacks are walked by of which the memory was kept.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, search: DebugFileSearch? = nil
  ) throws(ReportError) -> ReadReport {
    guard !bytes.isEmpty else { throw ReportError(.empty) }
    guard let format = format(of: bytes) else { throw ReportError(.unknownFormat) }
    return ReadReport(try format.report(of: bytes, search: search), format: format, bytes: bytes)
  }

  private static func record(
    _ bytes: UnsafeRawBufferPointer, unwind: (CrashReport.Image) -> UnwindFile? = { _ in nil }
  ) throws(ReportError) -> CrashReport {
    do throws(RawRecordError) {
      return try RawRecord.read(bytes) { $1.complete(&$0, unwind: unwind) }
    } catch {
      throw ReportError(.record(error.code), offset: error.offset)
    }
  }

  private static func minidump(
    _ bytes: UnsafeRawBufferPointer, unwind: (CrashReport.Image) -> UnwindFile? = { _ in nil }
  ) throws(ReportError) -> CrashReport {
    do throws(MinidumpError) {
      return try MinidumpReader.read(bytes, unwind: unwind)
    } catch {
      throw ReportError(.minidump(error.code), offset: error.offset)
    }
  }

  /// Reads the report in the file at `path`, or in the folder where its format is one of folders.
  ///
  /// - Throws: `FileError` where the file cannot be read, `ReportError` naming the path where it is no report.
  package static func read(_ path: String) throws -> CrashReport {
    do {
      if FileStatus(path)?.kind == .folder { return try readFolder(path) }
      return try read(try Bytes.mapping(path))
    } catch var error as ReportError {
      error.path = error.path.map { path + "/" + $0 } ?? path
      throw error
    }
  }

  /// Tells whether the folder at `path` is one report.
  package static func isFolder(_ path: String) -> Bool {
    CrashlyticsRecords.recognises(names: names(in: path))
  }

  private static func readFolder(_ path: String) throws -> CrashReport {
    let names = names(in: path)
    guard CrashlyticsRecords.recognises(names: names) else { throw ReportError(.unknownFormat) }
    var files: CrashlyticsRecords.Files = [:]
    for name in names where FileStatus(path + "/" + name)?.kind == .file {
      files[name] = try Bytes.mapping(path + "/" + name)
    }
    return try CrashlyticsRecords.read(files)
  }

  private static func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}

extension ReportFile.Format {
  /// Reads bytes that are known to be of the format.
  ///
  /// - Parameter search: Finds the unwind information that stacks are walked by of which the memory was kept.
  package func report(
    of bytes: UnsafeRawBufferPointer, search: DebugFileSearch? = nil
  ) throws(ReportError) -> CrashReport {
    if let search, let walk { return try walk(bytes, search) }
    var report = try read(bytes)
    // Our own captures mark them, and stay as they are.
    if report.origin == .foreign { report.markSignalTrampolines() }
    return report
  }
}
