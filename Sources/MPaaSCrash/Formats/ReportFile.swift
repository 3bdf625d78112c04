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
    package let recognises: @Sendable (UnsafeRawBufferPointer) -> Bool
    package let read: @Sendable (UnsafeRawBufferPointer) throws(ReportError) -> CrashReport
    /// Writes a report that got symbols back in this format: from the bytes that it was read from, and the report.
    ///
    /// Nil where the format cannot hold them; such reports are written as .ips files.
    package var rewrite: (@Sendable (UnsafeRawBufferPointer, CrashReport) throws -> [UInt8]?)?
  }

  /// The formats that are read, in the order in which they are tried.
  package static let formats: [Format] = [
    Format(name: "raw", recognises: RawRecord.recognises) { bytes throws(ReportError) in
      try record(bytes)
    },
    Format(
      name: "plcrash", recognises: PLCrashReader.recognises,
      read: { bytes throws(ReportError) in
        do throws(PLCrashError) {
          return try PLCrashReader.read(bytes)
        } catch {
          throw ReportError(.plcrash(error.code), offset: error.offset)
        }
      }, rewrite: { _, report in PLCrashWriter.bytes(of: report) }),
    Format(name: "minidump", recognises: MinidumpReader.recognises) { bytes throws(ReportError) in
      try minidump(bytes)
    },
    Format(name: "kscrash", recognises: KSCrashJSON.recognises, read: KSCrashJSON.read) { bytes, report in
      Array(try KSCrashJSON.replacingFrames(in: bytes, with: report).utf8)
    },
    Format(name: "sentry", recognises: SentryEvent.recognises, read: SentryEvent.read),
    Format(name: "crashlytics", recognises: CrashlyticsRecords.recognises, read: CrashlyticsRecords.read),
    Format(name: "ips", recognises: IPSReader.recognises, read: IPSReader.read) { bytes, report in
      guard AppleCrashText.original(of: report) != nil else { return IPSWriter.bytes(of: report) }
      return Array(AppleCrashText.replacingFrames(in: String(decoding: bytes, as: UTF8.self), with: report).utf8)
    },
    Format(name: "apple-text", recognises: AppleCrashText.recognises, read: AppleCrashText.read) { bytes, report in
      Array(AppleCrashText.replacingFrames(in: String(decoding: bytes, as: UTF8.self), with: report).utf8)
    },
  ]

  /// The name of the format that `bytes` are in; nil where none is known.
  package static func format(of bytes: UnsafeRawBufferPointer) -> String? {
    formats.first { $0.recognises(bytes) }?.name
  }

  /// A report that got symbols, in the format of the bytes that it was read from; nil where that cannot hold them.
  ///
  /// - Parameter original: The report as it was read. Where it had the same calls, the bytes stay as they are.
  package static func rewritten(
    _ bytes: UnsafeRawBufferPointer, of original: CrashReport, with report: CrashReport
  ) throws -> [UInt8]? {
    guard let rewrite = formats.first(where: { $0.recognises(bytes) })?.rewrite else { return nil }
    return report.hasCalls(of: original) ? Array(bytes) : try rewrite(bytes, report)
  }

  /// Reads a report; what it is in is found by its content.
  package static func read(_ bytes: Bytes) throws(ReportError) -> CrashReport {
    defer { withExtendedLifetime(bytes) {} }
    return try read(bytes.buffer)
  }

  /// The same of bytes that somebody else keeps.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    guard !bytes.isEmpty else { throw ReportError(.empty) }
    guard let format = formats.first(where: { $0.recognises(bytes) }) else { throw ReportError(.unknownFormat) }
    var report = try format.read(bytes)
    // Our own captures mark them, and stay as they are.
    if report.origin == .foreign { report.markSignalTrampolines() }
    return report
  }

  /// The same with what `search` finds of the report's images: stacks of which the memory was kept are walked by their
  /// unwind information.
  package static func read(
    _ bytes: UnsafeRawBufferPointer, search: DebugFileSearch
  ) throws(ReportError) -> CrashReport {
    if RawRecord.recognises(bytes) { return try record(bytes) { search.unwindFile(of: $0) } }
    guard MinidumpReader.recognises(bytes) else { return try read(bytes) }
    return try minidump(bytes) { search.unwindFile(of: $0) }
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

  /// Whether the folder at `path` is one report.
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
