import MPaaSSupport

extension ModuleError.Code {
  // What an archive is not allowed to be.

  /// Cut short, damaged, or of a kind that is not read.
  package static let archiveDamaged = malformed("module-archive-damaged")
  /// Bytes behind its end.
  package static let archiveTrailingBytes = malformed("module-archive-trailing-bytes")
  package static let archiveEncrypted = malformed("module-archive-encrypted")
  /// A compressed file inside a compressed file.
  package static let archiveNested = malformed("module-archive-nested")

  // What its entries are not allowed to be.

  /// An absolute path, or one with `..`.
  package static let archivePathOutside = refused("module-archive-path-outside")
  /// Backslashes, drive letters.
  package static let archivePathForeign = refused("module-archive-path-foreign")
  package static let archiveNameEncoding = malformed("module-archive-name-encoding")
  /// NUL, control characters and such as are not seen.
  package static let archiveNameControl = malformed("module-archive-name-control")
  package static let archiveNameLong = malformed("module-archive-name-long")
  /// A name that the store gives a file of its own.
  package static let archiveNameReserved = refused("module-archive-name-reserved")
  package static let archiveEntryTwice = malformed("module-archive-entry-twice")
  package static let archiveFileAndFolder = malformed("module-archive-file-and-folder")
  /// Two names that are one on some file systems.
  package static let archiveNameClash = malformed("module-archive-name-clash")
  package static let archiveLinkOutside = refused("module-archive-link-outside")
  package static let archiveLinkBroken = malformed("module-archive-link-broken")
  package static let archiveThroughLink = refused("module-archive-through-link")
  package static let archiveHardLink = refused("module-archive-hard-link")
  package static let archiveDevice = refused("module-archive-device")

  // How much may come out of it.

  package static let archiveTooLarge = refused("module-archive-too-large")
  package static let archiveTooManyEntries = refused("module-archive-too-many-entries")
  package static let archiveTooDeep = refused("module-archive-too-deep")

  /// libarchive is not installed.
  package static let archiveNoLibrary = Self("archive-no-library", exit: .unreachable)
}
