package import MPaaSArchive
package import MPaaSSupport

/// The purpose of a file in the store.
package enum SymbolRole: String, Sendable, Hashable, Codable, CaseIterable {
  /// It holds DWARF.
  case debugInfo = "debuginfo"
  /// It holds the program's code, and symbols at best.
  case executable
  /// It joins the split DWARF of a program (`.dwp`).
  case package = "dwp"
  /// Breakpad's text of functions, lines and unwind rules.
  case breakpad
  /// The symbols of a library of the system, collected from a device.
  case system
}

/// One file of the store, as its metadata file describes it.
package struct StoredSymbols: Sendable, Equatable, Codable {
  package let buildID: BuildID
  package let role: SymbolRole
  /// The file's name when it was added.
  package let name: String
  /// The place of the file when it was added.
  package let origin: String
  /// Bytes.
  package let size: UInt64
  package let architecture: String
  /// The sections on offer, by section names without dots: `debug_info`, `symtab` and others.
  package let sections: [String]
  /// Seconds since 1970.
  package let added: Int64
  /// The version of the system that a library is from, as `17.4 (21E219)`; nil for everything else.
  package var system: String?

  enum CodingKeys: String, CodingKey {
    case buildID = "build_id"
    case role, name, origin, size, architecture, sections, added, system
  }
}

/// The reason why a file did not get into the store, or the store could not be used.
package enum StoreError: Error, Sendable, Equatable {
  case file(FileError)
  case object(ObjectError, path: String)
  case archive(ArchiveError, path: String)
  /// A file without a build ID cannot be found again.
  case noBuildID(path: String)
  /// Neither DWARF nor symbols: it would answer nothing.
  case nothingUseful(path: String)
  /// The metadata could not be written as JSON.
  case metadata(path: String)
  /// No build has an ID that begins so, or a file of that name.
  case unknownBuild(word: String)
  /// Several builds have.
  case ambiguousBuild(word: String, builds: [BuildID])
}

extension StoreError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    switch self {
    case .file(let error): error.diagnostic
    case .object(let error, let path): error.diagnostic(file: path)
    case .archive(let error, let path): error.diagnostic(file: path)
    case .noBuildID(let path):
      Diagnostic("symbols-no-build-id", ["file": path], at: .file(path), exit: .malformedInput)
    case .nothingUseful(let path):
      Diagnostic("symbols-nothing-useful", ["file": path], at: .file(path), exit: .malformedInput)
    case .metadata(let path):
      Diagnostic("symbols-metadata", ["file": path], at: .file(path), exit: .inputOutput)
    case .unknownBuild(let word): Diagnostic("symbols-unknown", ["word": word], exit: .inputMissing)
    case .ambiguousBuild(let word, let builds):
      Diagnostic(
        "symbols-ambiguous",
        ["word": word, "count": String(builds.count), "builds": builds.prefix(5).map(\.hex).joined(separator: ", ")],
        exit: .usage)
    }
  }
}
