import MPaaSCrashReport
import MPaaSSupport

/// Files of the kernel, which have no size until they are read.
package enum ProcFile {
  /// The whole file as text, or nil where it cannot be read (the process is gone, no permission).
  package static func text(_ path: String) -> String? {
    bytes(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The whole file, at most 16 MiB.
  package static func bytes(_ path: String) -> [UInt8]? {
    try? Bytes.reading(path, limit: 1 << 24).array
  }

  static func isRegular(_ path: String) -> Bool { FileStatus(path)?.kind == .file }

  /// The time when a file was last written.
  static func modificationTime(_ path: String) -> CrashReport.Timestamp? {
    FileStatus(path).map { status in
      let nanoseconds = status.modifiedNanoseconds &- status.modified &* 1_000_000_000
      return CrashReport.Timestamp(seconds: status.modified, nanoseconds: UInt32(clamping: nanoseconds))
    }
  }
}

extension StringProtocol {
  /// Without blanks and line ends at both sides.
  var trimmed: String {
    let blank: (Character) -> Bool = { $0.isWhitespace }
    guard let first = firstIndex(where: { !blank($0) }), let last = lastIndex(where: { !blank($0) }) else { return "" }
    return String(self[first...last])
  }
}
