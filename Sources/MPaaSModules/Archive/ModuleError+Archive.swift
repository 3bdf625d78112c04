package import MPaaSSupport

extension ModuleError.Code {
  // Faults of an archive.

  /// Cut short, damaged, or of a kind that is not read.
  package static var archiveDamaged: Self { malformed("module-archive-damaged") }
  /// Bytes behind its end.
  package static var archiveTrailingBytes: Self { malformed("module-archive-trailing-bytes") }
  package static var archiveEncrypted: Self { malformed("module-archive-encrypted") }
  /// A compressed file inside a compressed file.
  package static var archiveNested: Self { malformed("module-archive-nested") }

  // Faults of its entries.

  /// An absolute path, or one with `..`.
  package static var archivePathOutside: Self { refused("module-archive-path-outside") }
  /// Backslashes, drive letters.
  package static var archivePathForeign: Self { refused("module-archive-path-foreign") }
  package static var archiveNameEncoding: Self { malformed("module-archive-name-encoding") }
  /// NUL, control characters and such as are not seen.
  package static var archiveNameControl: Self { malformed("module-archive-name-control") }
  package static var archiveNameLong: Self { malformed("module-archive-name-long") }
  /// A name that the store gives a file of its own.
  package static var archiveNameReserved: Self { refused("module-archive-name-reserved") }
  /// The folder of Git, or what a file system takes for it.
  package static var archiveNameGit: Self { refused("module-archive-name-git") }
  /// The name of a Windows device, or one that Windows cuts.
  package static var archiveNameSystem: Self { refused("module-archive-name-system") }
  package static var archiveEntryTwice: Self { malformed("module-archive-entry-twice") }
  package static var archiveFileAndFolder: Self { malformed("module-archive-file-and-folder") }
  /// Two names that are one on some file systems.
  package static var archiveNameClash: Self { malformed("module-archive-name-clash") }
  package static var archiveLinkOutside: Self { refused("module-archive-link-outside") }
  package static var archiveLinkBroken: Self { malformed("module-archive-link-broken") }
  package static var archiveThroughLink: Self { refused("module-archive-through-link") }
  package static var archiveHardLink: Self { refused("module-archive-hard-link") }
  package static var archiveDevice: Self { refused("module-archive-device") }

  // Limits to what may come out of it.

  package static var archiveTooLarge: Self { refused("module-archive-too-large") }
  package static var archiveTooManyEntries: Self { refused("module-archive-too-many-entries") }
  package static var archiveTooDeep: Self { refused("module-archive-too-deep") }

  /// libarchive is not installed.
  package static var archiveNoLibrary: Self { Self("archive-no-library", exit: .unreachable) }
}
