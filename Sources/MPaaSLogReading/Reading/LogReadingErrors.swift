package import MPaaSLogs
package import MPaaSSupport

extension LogError.Code {
  package static var loganKeyMalformed: Self { LogError.Code("log-logan-key-malformed", exit: .usage) }
  /// A file of Logan is there, and no key for it.
  package static var loganKeyMissing: Self { .refused("log-logan-key-missing") }
  /// A unit of Logan's or xlog's cannot be read.
  package static var unitDamaged: Self { .malformed("log-unit-damaged") }
  /// A compressed file ends in its middle.
  package static var streamTorn: Self { .malformed("log-stream-torn") }
  package static var streamDamaged: Self { .malformed("log-stream-damaged") }
  package static var xlogKeyMalformed: Self { LogError.Code("log-xlog-key-malformed", exit: .usage) }
  /// An encrypted file of xlog is there, and no key for it.
  package static var xlogKeyMissing: Self { .refused("log-xlog-key-missing") }
  /// The curve of xlog's keys is libcrypto's to know.
  package static var xlogNoLibrary: Self { LogError.Code("log-xlog-no-library", exit: .inputMissing) }
  /// A file of an archive is not what the manifest says.
  package static var packDamaged: Self { .malformed("log-pack-damaged") }
  /// The manifest names a file that the archive does not have.
  package static var packFileMissing: Self { .malformed("log-pack-file-missing") }
  /// An archive has a file that the manifest does not name, or whose name is none.
  package static var packFileUnlisted: Self { .malformed("log-pack-file-unlisted") }
  /// An archive is damaged, cut short or encrypted, or has no manifest that can be read.
  package static var packUnreadable: Self { .malformed("log-pack-unreadable") }
  /// More would come out of an archive than the limits allow.
  package static var packTooLarge: Self { .malformed("log-pack-too-large") }
  /// A file ends in the middle of a block, as it does after the end of a process or the disk's.
  package static var fileTorn: Self { .malformed("log-file-torn") }
  /// Bytes between blocks are none.
  package static var fileGap: Self { .malformed("log-file-gap") }
  /// A file is neither text nor a format of logs that is known.
  package static var formatUnknown: Self { .malformed("log-format-unknown") }
  /// A note: a file begins with bytes of 0, and is read as text.
  package static var fileBinary: Self { LogError.Code("log-file-binary", exit: .done) }
  /// A followed file was cut short, and no copy of it is there.
  package static var followCut: Self { LogError.Code("log-follow-cut", exit: .done) }
  /// A file that was written and compressed between two looks cannot be decompressed.
  package static var followUnread: Self { LogError.Code("log-follow-unread", exit: .done) }
  package static var patternMalformed: Self { LogError.Code("log-pattern-malformed", exit: .usage) }
  /// A line that should be a JSON object is none.
  package static var lineMalformed: LogError.Code { .malformed("log-line-malformed") }
}
