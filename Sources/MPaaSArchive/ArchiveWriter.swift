import CArchive
package import MPaaSSupport

/// An archive that libarchive writes to a file, front to back.
///
/// The same members give the same bytes with the same libarchive: times, owners and groups are 0, and of the permissions
/// only whether a file is executable is kept.
package final class ArchiveWriter {
  package enum Format: String, Sendable, CaseIterable {
    case zip
    case tarZstandard = "tar.zst"
  }

  package enum Kind: Sendable, Hashable {
    case file(isExecutable: Bool)
    case folder
    case link(target: String)
  }

  /// The reason why an archive could not be written: what libarchive says, or its name where it is not installed.
  package struct Failure: Error {
    package let reason: String
  }

  private let writer: OpaquePointer
  private let file: PartialFile

  /// - Throws: `Failure`: no library, or one that cannot write the format.
  package init(_ format: Format, into file: PartialFile) throws(Failure) {
    let sink: mp_archive_sink = { context, bytes, size in
      guard let context else { return false }
      let file = Unmanaged<PartialFile>.fromOpaque(context).takeUnretainedValue()
      return (try? file.append(UnsafeRawBufferPointer(start: bytes, count: size))) != nil
    }
    let context = Unmanaged.passUnretained(file).toOpaque()
    guard let writer = mp_archive_write_open(format == .zip, sink, context) else {
      throw Failure(reason: ArchiveError.noLibrary.reason)
    }
    self.writer = writer
    self.file = file
  }

  deinit {
    mp_archive_write_close(writer)
    withExtendedLifetime(file) {}
  }

  /// Adds a member, whose content the pieces are one behind the other.
  package func add(_ path: String, _ kind: Kind, _ pieces: [Bytes] = []) throws(Failure) {
    defer { withExtendedLifetime(pieces) {} }
    let size = pieces.reduce(0) { $0 + $1.count }
    guard mp_archive_write_entry(writer, kind.code, path, kind.target, Int64(size)) else { throw failure }
    for piece in pieces {
      guard let start = piece.buffer.baseAddress else { continue }
      guard mp_archive_write_data(writer, start, piece.count) else { throw failure }
    }
  }

  /// Writes what is left; nothing more may be added then.
  package func finish() throws(Failure) {
    guard mp_archive_write_end(writer) else { throw failure }
  }

  private var failure: Failure {
    Failure(reason: mp_archive_write_error(writer).map { String(cString: $0) } ?? "")
  }
}

extension ArchiveWriter.Kind {
  fileprivate var code: mp_archive_write_kind {
    switch self {
    case .file(let isExecutable): isExecutable ? MP_ARCHIVE_WRITE_EXECUTABLE : MP_ARCHIVE_WRITE_FILE
    case .folder: MP_ARCHIVE_WRITE_FOLDER
    case .link: MP_ARCHIVE_WRITE_LINK
    }
  }

  fileprivate var target: String? {
    if case .link(let target) = self { target } else { nil }
  }
}
