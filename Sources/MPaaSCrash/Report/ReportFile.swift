package import MPaaSSupport

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
    Format(name: "ips", recognises: IPSReader.recognises, read: IPSReader.read) { _, report in
      IPSWriter.bytes(of: report)
    },
    Format(name: "raw", recognises: RawRecord.recognises) { bytes throws(ReportError) in
      do throws(RawRecordError) {
        return try RawRecord.read(bytes)
      } catch {
        throw ReportError(.record(error.code), offset: error.offset)
      }
    },
  ]

  /// The name of the format that `bytes` are in; nil where none is known.
  package static func format(of bytes: UnsafeRawBufferPointer) -> String? {
    formats.first { $0.recognises(bytes) }?.name
  }

  /// A report that got symbols, in the format of the bytes that it was read from; nil where that cannot hold them.
  package static func rewritten(_ bytes: UnsafeRawBufferPointer, with report: CrashReport) throws -> [UInt8]? {
    try formats.first { $0.recognises(bytes) }?.rewrite?(bytes, report)
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
    return try format.read(bytes)
  }

  /// Reads the report in the file at `path`.
  ///
  /// - Throws: `FileError` where the file cannot be read, `ReportError` naming the path where it is no report.
  package static func read(_ path: String) throws -> CrashReport {
    let bytes = try Bytes.mapping(path)
    do {
      return try read(bytes)
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }
}
