package import MPaaSArchive
package import MPaaSSupport

/// The reason why a file gives no look-ups.
package enum ObjectLookupError: Error, Sendable, Equatable {
  case file(FileError)
  case object(ObjectError, path: String)
  case archive(ArchiveError, path: String)
  /// A fat file has no image for the processor.
  case noSlice(String, found: [String], path: String)
  /// The index of the file was damaged, and what it was made of is not found.
  case lostIndex(path: String)
  /// Neither the store nor the places searched have this build.
  case unknownBuild(BuildID)
}

extension ObjectLookupError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    switch self {
    case .file(let error): error.diagnostic
    case .object(let error, let path): error.diagnostic(file: path)
    case .archive(let error, let path): error.diagnostic(file: path)
    case .noSlice(let architecture, let found, let path):
      Diagnostic(
        "symbols-no-slice", ["file": path, "arch": architecture, "found": found.joined(separator: ", ")],
        at: .file(path), exit: .usage)
    case .lostIndex(let path): Diagnostic("symbols-index-lost", at: .file(path), exit: .inputMissing)
    case .unknownBuild(let id): Diagnostic("symbols-unknown-build", ["uuid": id.hex], exit: .inputMissing)
    }
  }
}
