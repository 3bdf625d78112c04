import MPaaSSupport

/// The sources of an app.
package struct SourceFiles: Sendable {
  package private(set) var paths: [String] = []
  private let excluded: Set<String>

  /// Files as they are named, and those of folders whose names say that they are sources.
  ///
  /// - Parameter excluded: Names of folders and files that are passed over; hidden ones always are.
  /// - Throws: `i18n-no-source` for a file that is none; `FileError`.
  package init(_ paths: [String], excluding excluded: [String] = []) throws {
    self.excluded = Set(excluded)
    for path in paths {
      if FileStatus(path)?.kind == .folder {
        try walk(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0)
      } else if SourceLanguage(path: path) != nil {
        self.paths.append(path)
      } else {
        throw LanguageError(.noSource, ["path": path], at: .file(path))
      }
    }
  }

  private mutating func walk(_ folder: String, depth: Int) throws {
    guard depth < 64 else { return }
    for (name, kind) in try FileSystem.entries(in: folder) where !name.hasPrefix(".") && !excluded.contains(name) {
      let path = folder + "/" + name
      if kind == .folder {
        guard FileStatus(ofLink: path)?.kind == .folder else { continue }
        try walk(path, depth: depth + 1)
      } else if kind == .file, SourceLanguage(path: path) != nil {
        paths.append(path)
      }
    }
  }

  /// The texts that all of them ask for.
  ///
  /// - Parameter packages: Sources of packages that the app uses: only what they declare counts.
  package func texts(_ options: ExtractionOptions, packages: SourceFiles? = nil) throws -> SourceTexts {
    var declarations = SwiftDeclarations.system
    if options.includesSwiftUI { declarations.append(.swiftUI) }
    for path in paths + (packages?.paths ?? []) where SourceLanguage(path: path) == .swift {
      declarations.append(SourceExtraction.declarations(in: try Bytes.mapping(path)).shared)
    }
    let extraction = SourceExtraction(options, declarations: declarations.ofKeys())
    var all = SourceTexts()
    for path in paths {
      guard let language = SourceLanguage(path: path) else { continue }
      all.append(extraction.texts(in: try Bytes.mapping(path), file: path, language: language))
    }
    return all
  }
}
