package import MPaaSLogs
import MPaaSSupport

extension MonitorFiles {
  /// A file of a type and an hour.
  struct Name: Sendable {
    let type: LogType
    /// `behavior/2026-01-31/09.log`.
    let name: String

    /// `2026-01-31/09.log`, in whose order hours come.
    var time: Substring { name.drop { $0 != "/" }.dropFirst() }
  }

  /// The types that have files.
  package var types: [LogType] {
    var types: [LogType] = []
    for file in Self.files(in: folder) where types.last != file.type { types.append(file.type) }
    return types
  }

  /// The files of a folder, by type, then by hour.
  static func files(in folder: String) -> [Name] {
    var files: [Name] = []
    for (type, kind) in entries(folder) where kind == .folder {
      for (day, kind) in entries(folder + "/" + type) where kind == .folder {
        for (hour, kind) in entries("\(folder)/\(type)/\(day)") where kind == .file && hour.hasSuffix(".log") {
          files.append(Name(type: Self.type(ofFolder: type), name: "\(type)/\(day)/\(hour)"))
        }
      }
    }
    return files
  }

  private static func entries(_ folder: String) -> [(name: String, kind: FileStatus.Kind)] {
    (try? FileSystem.entries(in: folder)) ?? []
  }

  /// The count of what waits in a file.
  static func count(_ path: String) -> MonitorCount {
    var count = MonitorCount()
    guard let file = try? MonitorFile(marking: path) else { return count }
    MonitorScan.waiting(in: file) { line in
      count += MonitorCount(records: 1, bytes: line.end - line.start)
      return true
    }
    return count
  }

  /// The folder of a type: its name, what no path takes as `%XX`; nil for a type without a name.
  static func folderName(_ type: LogType) -> String? {
    let name = PercentEncoding.encode(type.rawValue.utf8.prefix(64), isUppercase: false) {
      PercentEncoding.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    return name.isEmpty ? nil : name
  }

  /// The type whose files a folder has.
  static func type(ofFolder name: String) -> LogType {
    LogType(rawValue: PercentEncoding.decodeLeniently(name.utf8))
  }
}
