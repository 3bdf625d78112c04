package import MPaaSSupport

extension LogError.Code {
  /// The error for a `.mplog` file that is none.
  package static var fileMalformed: LogError.Code { .malformed("log-file-malformed") }
  /// A block is not what was written: a checksum, the code of authentication or the content itself says so.
  package static var blockDamaged: LogError.Code { .malformed("log-block-damaged") }
  /// A block is encrypted, and none of the keys opens it.
  package static var keyMissing: LogError.Code { .refused("log-key-missing") }
}
