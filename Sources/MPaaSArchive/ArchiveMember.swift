import CArchive

/// The facts of an archive about one of its members.
package struct ArchiveMember: Sendable {
  package enum Kind: Sendable, Hashable {
    case file(isExecutable: Bool)
    case folder
    case link
    /// A second name of a file before it in the archive.
    case hardLink
    /// A device, a pipe or a socket.
    case other
  }

  /// A name as its bytes stand in an archive.
  package struct Name: Sendable, Equatable {
    /// The characters; nil where the bytes are none.
    package let text: String?
    /// The characters, with replacements where the bytes are none.
    package let shown: String

    init?(_ raw: UnsafePointer<CChar>?) {
      guard let raw else { return nil }
      text = String(validatingCString: raw)
      shown = text ?? String(cString: raw)
    }
  }

  package let kind: Kind
  package let path: Name?
  /// The target of a symbolic link.
  package let target: Name?
  /// Bytes, where the archive tells them before the content.
  package let size: UInt64?
  /// Seconds since 1970.
  package let modified: Int64
  package let isEncrypted: Bool
  /// Something that libarchive found in it and that should not be.
  package let doubt: String?
  /// The number of compressions around the whole archive.
  package let compressions: Int

  init(_ member: mp_archive_member, doubt: String?) {
    kind =
      switch member.kind {
      case MP_ARCHIVE_FILE: .file(isExecutable: member.is_executable)
      case MP_ARCHIVE_FOLDER: .folder
      case MP_ARCHIVE_LINK: .link
      case MP_ARCHIVE_HARD_LINK: .hardLink
      default: .other
      }
    path = Name(member.path)
    target = Name(member.target)
    size = UInt64(exactly: member.size)
    modified = member.modified
    isEncrypted = member.is_encrypted
    self.doubt = doubt
    compressions = Int(member.compressions)
  }

  package var isFile: Bool {
    if case .file = kind { true } else { false }
  }
}
