import CArchive
package import MPaaSSupport

/// An archive in memory that libarchive reads front to back: the members, and the content of the one that it is at.
///
/// It knows no limits: whoever reads pieces counts them. libarchive is loaded at the first use.
package final class ArchiveStream {
  package enum Form: Sendable {
    /// A zip, a tar or a 7-Zip, plain or compressed, or one compressed file, which is a member called `data`.
    case any
    case zip
    /// A tar, plain or compressed.
    case tar
  }

  private let archive: OpaquePointer
  private let form: Form
  private let bytes: Bytes
  private var buffer: UnsafeMutableRawBufferPointer?

  /// - Throws: `ArchiveError`: no library, or nothing to read.
  package init(_ bytes: Bytes, _ form: Form) throws(ArchiveError) {
    guard mp_archive_load() else { throw .noLibrary }
    let kind =
      switch form {
      case .any: MP_ARCHIVE_ANY
      case .zip: MP_ARCHIVE_ZIP
      case .tar: MP_ARCHIVE_TAR
      }
    guard let start = bytes.buffer.baseAddress, let archive = mp_archive_open(start, bytes.count, kind) else {
      throw ArchiveError(.damaged)
    }
    self.archive = archive
    self.form = form
    self.bytes = bytes
  }

  deinit {
    mp_archive_close(archive)
    buffer?.deallocate()
    withExtendedLifetime(bytes) {}
  }

  /// libarchive's version, nil where it is not installed.
  package static var libraryVersion: String? { mp_archive_version().map { String(cString: $0) } }

  /// Steps to the next member, of whatever kind; nil at the end.
  ///
  /// A header that could be passed over, as one with a wrong checksum, is damage where the form was told.
  package func next() throws(ArchiveError) -> ArchiveMember? {
    var member = mp_archive_member()
    while true {
      switch mp_archive_next(archive, &member) {
      case MP_ARCHIVE_ENTRY:
        if form == .any, let characters = member.characters { member.path = characters }
        return ArchiveMember(member, doubt: member.is_doubtful ? failure.reason : nil)
      case MP_ARCHIVE_END: return nil
      case MP_ARCHIVE_RETRY where form == .any: continue
      default: throw failure
      }
    }
  }

  /// Steps to the next file that has a path; folders and links are left out.
  package func nextFile() throws(ArchiveError) -> ArchiveMember? {
    while let member = try next() {
      if member.isFile || member.kind == .hardLink, member.path != nil { return member }
    }
    return nil
  }

  /// The next piece of the content, valid until the next call; empty at its end.
  package func piece() throws(ArchiveError) -> UnsafeRawBufferPointer {
    let room = buffer ?? .allocate(byteCount: 1 << 18, alignment: 64)
    buffer = room
    return UnsafeRawBufferPointer(rebasing: room[..<(try read(into: room))])
  }

  /// Reads on in the content.
  ///
  /// - Returns: How many bytes came; 0 at its end.
  package func read(into room: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
    guard let start = room.baseAddress else { return 0 }
    let count = mp_archive_read(archive, start, room.count)
    guard count >= 0 else { throw failure }
    return count
  }

  private var failure: ArchiveError {
    ArchiveError(.damaged, mp_archive_error(archive).map { String(cString: $0) } ?? "")
  }
}

extension ArchiveError {
  static var noLibrary: Self {
    ArchiveError(.noLibrary, mp_archive_missing().map { String(cString: $0) } ?? "libarchive")
  }
}
