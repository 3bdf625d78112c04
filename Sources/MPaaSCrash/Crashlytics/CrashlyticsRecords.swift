package import MPaaSCrashReport
package import MPaaSSupport

/// Reports of Firebase Crashlytics as they lie on a device: a folder of files with a JSON object a line.
///
/// The file that tells what happened is `exception.clsrecord` (an uncaught exception), else `mach_exception.clsrecord`,
/// else `signal.clsrecord`. All records that the model has no place for are kept as `crashlytics` in the report's
/// `extra`, by the file's name, with the texts that are written as hexadecimal digits decoded.
/// - Source: firebase-ios-sdk, `Crashlytics/Crashlytics/Components` and `Handlers`.
package enum CrashlyticsRecords {
  /// The files of a folder, by name.
  package typealias Files = [String: Bytes]

  /// Tells whether names of files are those of such a folder.
  package static func recognises(names: [String]) -> Bool {
    names.contains { $0 == "metadata.clsrecord" || causes.contains($0) }
  }

  /// Tells whether the bytes are the one file that tells what happened.
  package static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard IPSReader.recognises(bytes) else { return false }
    let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let names = TopLevelNames(UnsafeRawBufferPointer(rebasing: bytes[..<line])).names
    return names.count == 1 && names.isSubset(of: ["exception", "mach_exception", "signal"]) && line < bytes.count
  }

  /// The files that tell what happened, the one that counts first.
  static let causes = ["exception.clsrecord", "mach_exception.clsrecord", "signal.clsrecord"]

  /// Reads a folder's files.
  package static func read(_ files: Files) throws(ReportError) -> CrashReport {
    var records: [String: [JSONValue.Object]] = [:]
    var isPartial = false
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where isRecord(name) {
      do throws(ReportError) {
        records[name] = try lines(bytes.buffer, &isPartial)
      } catch {
        var error = error
        error.path = name
        throw error
      }
    }
    var reader = CrashlyticsReader(records)
    var report = reader.report()
    report.isPartial = isPartial
    for (name, bytes) in files where !isRecord(name) {
      reader.keep(name, .string(bytes.text))
    }
    if !reader.rest.isEmpty { report.extra["crashlytics"] = .object(reader.rest) }
    withExtendedLifetime(files) {}
    return report
  }

  /// Reads the one file that tells what happened.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> CrashReport {
    let name = causes.first { cause in
      bytes.starts(with: "{\"\(cause.dropLast(10))\"".utf8)
    }
    return try read([name ?? causes[0]: Bytes(bytes)])
  }

  /// Tells whether a file of this name may belong to such a folder.
  static func mayBelong(_ name: String) -> Bool { isRecord(name) || name == "sdk.log" }

  private static func isRecord(_ name: String) -> Bool {
    name.hasSuffix(".clsrecord") || name.hasSuffix(".clsrecord.symbolicated")
  }

  /// The objects of a file; the last line may be cut off, as the program was ending.
  private static func lines(
    _ bytes: UnsafeRawBufferPointer, _ isPartial: inout Bool
  ) throws(ReportError) -> [JSONValue.Object] {
    var objects: [JSONValue.Object] = []
    var start = 0
    var number = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if line.contains(where: { $0 > 0x20 }) {
        var value: JSONValue?
        do throws(JSONError) {
          value = try JSONValue(reading: line)
        } catch {
          guard end == bytes.count, error.code == .endOfInput else {
            throw ReportError(.malformed(error.code), offset: start + error.offset, line: number, column: error.column)
          }
          isPartial = true
        }
        if case .object(let object)? = value {
          objects.append(object)
        } else if let value {
          throw ReportError(.wrongKind(path: "", expected: "object", found: value.kind), offset: start, line: number)
        }
      }
      start = end + 1
      number += 1
    }
    return objects
  }
}
