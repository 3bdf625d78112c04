import MPaaSSupport

/// The mark that tells one state of a file from another: the file itself, its size and when it was changed.
struct FileMark: Sendable, Equatable {
  let size: UInt64
  let text: String

  /// nil where no file stands at the path.
  init?(_ path: String) {
    guard let status = FileStatus(path), status.kind == .file, let number = status.identity.last else { return nil }
    size = status.size
    let nanoseconds = status.modifiedNanoseconds &- status.modified &* 1_000_000_000
    text = "\(number).\(size).\(status.modified).\(nanoseconds)"
  }
}
