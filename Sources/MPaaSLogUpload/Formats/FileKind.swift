import MPaaSLogs
import MPaaSSupport

/// The kind of a file by its first bytes.
package enum FileKind: Sendable, Equatable {
  case mplog
  case staging
  case gzip
  case zstandard
  case logan
  case xlog
  case text
  /// Bytes that are no text, and no format that is known.
  case unknown

  package static func of(_ bytes: UnsafeRawBufferPointer) -> FileKind {
    if LogFile.isLogFile(bytes) { return .mplog }
    if bytes.starts(with: LogStaging.magic) { return .staging }
    if bytes.starts(with: [0x1f, 0x8b]) { return .gzip }
    if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return .zstandard }
    if LoganHead.begins(bytes) { return .logan }
    if XlogHeader.begins(bytes) { return .xlog }
    return bytes.prefix(1 << 13).contains(0) ? .unknown : .text
  }

  package var format: LogFormat {
    switch self {
    case .mplog, .staging: .mplog
    case .logan: .logan
    case .xlog: .xlog
    default: .text
    }
  }
}
