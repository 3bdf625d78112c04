package import MPaaSSupport

/// A crash report as a file of any format that we read.
package enum ReportFile {
  /// One format: how its files are known by their content, and how they are read.
  package struct Format: Sendable {
    package let name: String
    package let recognises: @Sendable (UnsafeRawBufferPointer) -> Bool
    package let read: @Sendable (UnsafeRawBufferPointer) throws(ReportError) -> CrashReport
  }

  /// The formats that are read, in the order in which they are tried.
  package static let formats: [Format] = [
    Format(name: "ips", recognises: IPSReader.recognises, read: IPSReader.read),
    Format(name: "raw", recognises: RawRecord.recognises) { bytes throws(ReportError) in
      do throws(RawRecordError) {
        return try RawRecord.read(bytes)
      } catch {
        throw ReportError(.record(error.code), offset: error.offset)
      }
    },
    Format(name: "plcrash", recognises: PLCrashReader.recognises) { bytes throws(ReportError) in
      do throws(PLCrashError) {
        return try PLCrashReader.read(bytes)
      } catch {
        throw ReportError(.plcrash(error.code), offset: error.offset)
      }
    },
    Format(name: "minidump", recognises: MinidumpReader.recognises) { bytes throws(ReportError) in
      do throws(MinidumpError) {
        return try MinidumpReader.read(bytes)
      } catch {
        throw ReportError(.minidump(error.code), offset: error.offset)
      }
    },
  ]

  /// The name of the format that `bytes` are in; nil where none is known.
  package static func format(of bytes: UnsafeRawBufferPointer) -> String? {
    formats.first { $0.recognises(bytes) }?.name
  }

  /// Reads a report; what it is in is found by its content.
  package static func read(_ bytes: Bytes) throws(ReportError) -> CrashReport {
    defer { withExtendedLifetime(bytes) {} }
    guard !bytes.isEmpty else { throw ReportError(.empty) }
    guard let format = formats.first(where: { $0.recognises(bytes.buffer) }) else {
      throw ReportError(.unknownFormat)
    }
    return try format.read(bytes.buffer)
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
