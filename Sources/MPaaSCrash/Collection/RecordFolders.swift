import MPaaSSupport

/// The folders of Crashlytics records in an archive, gathered while its files come by in any order.
struct RecordFolders {
  private var folders: [String: CrashlyticsRecords.Files] = [:]
  private var size = 0
  /// Bytes of all that is kept.
  private static let largest = 64 << 20

  /// Keeps the file where its name is one of such a folder's; false where it is not, or no more can be kept.
  mutating func take(_ path: String, _ content: Bytes) -> Bool {
    let name = FileSystem.name(of: path)
    guard CrashlyticsRecords.mayBelong(name), content.buffer.count <= Self.largest - size else { return false }
    size += content.buffer.count
    let folder = path.dropLast(name.count)
    folders[String(folder.hasSuffix("/") ? folder.dropLast() : folder), default: [:]][name] = content
    return true
  }

  /// The folders with their files, by the alphabet; not all of them need be reports.
  var all: [(folder: String, files: CrashlyticsRecords.Files)] {
    folders.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
