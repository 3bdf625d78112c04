package import MPaaSArchive
package import MPaaSSupport

/// The reason why the content of a file, or of one inside an archive, could not be had.
package enum ContentError: Error, Sendable, Equatable {
  case file(FileError)
  case archive(ArchiveError, path: String)
}

extension ContentError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    switch self {
    case .file(let error): error.diagnostic
    case .archive(let error, let path): error.diagnostic(file: path)
    }
  }
}

/// Files by paths that may lead into an archive (`archive.zip/folder/file`) or name a dSYM bundle.
package enum FileContent {
  /// The bytes of a file: mapped, or read into memory where it is inside an archive.
  ///
  /// - Parameter sparsely: Whether little of it will be read.
  package static func bytes(at path: String, sparsely: Bool = false) throws(ContentError) -> Bytes {
    do throws(FileError) {
      return try Bytes.mapping(path, sparsely: sparsely)
    } catch {
      guard error.operation == .open, let parts = split(path) else { throw .file(error) }
      return try member(parts.member, of: parts.archive)
    }
  }

  /// The bytes of a file inside an archive.
  static func member(_ member: String, of path: String) throws(ContentError) -> Bytes {
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.mapping(path) } catch { throw .file(error) }
    do throws(ArchiveError) {
      return try ArchiveReader().member(member, of: bytes, name: FileSystem.name(of: path))
    } catch {
      throw .archive(error, path: path)
    }
  }

  /// A path in its two parts where it leads through a file that is an archive; nil otherwise.
  package static func split(_ path: String) -> (archive: String, member: String)? {
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      let outer = String(path[..<slash])
      if let status = FileStatus(outer) {
        let member = String(path[path.index(after: slash)...])
        return status.kind == .file && isArchive(outer) && !member.isEmpty ? (outer, member) : nil
      }
      end = slash
    }
    return nil
  }

  /// Tells whether the file at `path` begins as an archive does.
  package static func isArchive(_ path: String) -> Bool {
    guard FileStatus(path)?.kind == .file, let bytes = try? Bytes.mapping(path) else { return false }
    return ArchiveReader.matches(bytes)
  }
}
