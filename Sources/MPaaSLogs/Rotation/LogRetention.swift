import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps a folder within its limits: of the files that may go, acknowledged ones first, then the oldest.
///
/// For one thread at a time.
final class LogRetention {
  struct Limits: Sendable {
    /// Bytes of all files.
    var total: Int
    /// Seconds.
    var age: Int64
    /// Tells whether the server has a file, by its path.
    var isAcknowledged: (@Sendable (String) -> Bool)?
  }

  private let folder: LogFolder
  private let limits: Limits
  private let lane: Int
  private let now: () -> Int64
  /// Files that are being written.
  private let openPaths: () -> Set<String>
  /// Told how many records of a type are gone that were never read.
  private let lost: (LogType, UInt64, String) -> Void
  private var total: Int?
  private var checkedHour: LogHour?

  init(
    _ folder: LogFolder, _ limits: Limits, lane: Int, now: @escaping () -> Int64,
    openPaths: @escaping () -> Set<String>, lost: @escaping (LogType, UInt64, String) -> Void
  ) {
    self.folder = folder
    self.limits = limits
    self.lane = lane
    self.now = now
    self.openPaths = openPaths
    self.lost = lost
  }

  /// Takes note of what was written; removes what is too much.
  func wrote(_ bytes: Int) {
    let hour = LogHour(now())
    if let total, hour == checkedHour, total + bytes <= limits.total {
      self.total = total + bytes
      return
    }
    checkedHour = hour
    check()
  }

  /// Removes what is too old or too much.
  func check() {
    let files = candidates()
    var total = folder.files.reduce(0) { $0 + Int(clamping: $1.size) }
    let oldest = now() / 1_000_000_000 - limits.age
    for file in files where file.modified < oldest || total > limits.total {
      if remove(file, reason: file.modified < oldest ? "age" : "size") { total -= Int(clamping: file.size) }
    }
    self.total = total
  }

  /// Removes one file for want of room on the disk; false where none may go.
  func makeRoom(except path: String) -> Bool {
    guard let file = candidates().first(where: { $0.path != path }) else { return false }
    total = nil
    return remove(file, reason: "disk-full")
  }

  /// The files that may go, in the order in which they do.
  private func candidates() -> [LogFolder.Entry] {
    let open = openPaths()
    let recent = now() / 1_000_000_000 - 3600
    let files = folder.files.filter { file in
      // Files that another process may be writing stay.
      !open.contains(file.path) && (file.lane == lane || file.modified < recent)
    }
    guard let isAcknowledged = limits.isAcknowledged else { return files }
    let known = files.map { (file: $0, isAcknowledged: isAcknowledged($0.path)) }
    return known.filter(\.isAcknowledged).map(\.file) + known.filter { !$0.isAcknowledged }.map(\.file)
  }

  private func remove(_ file: LogFolder.Entry, reason: String) -> Bool {
    let isAcknowledged = limits.isAcknowledged?(file.path) ?? false
    let count = isAcknowledged ? 0 : (try? LogFile(path: file.path))?.recordCount ?? 0
    guard unlink(file.path) == 0 else { return false }
    _ = FileSystem.removeIfEmpty(FileSystem.folder(of: file.path))
    if count > 0 { lost(file.type, UInt64(count), reason) }
    return true
  }
}
