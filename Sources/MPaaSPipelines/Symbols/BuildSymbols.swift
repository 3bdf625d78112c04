package import MPaaSSupport
package import MPaaSSymbols

/// The symbols of a build: the images below a path, and the files with debug information for them.
package struct BuildSymbols: Sendable {
  /// The outcome of adding the files to a store.
  package struct Added: Sendable {
    package var files: [AddedSymbols] = []
    package var problems: [StoreError] = []

    package init() {}
  }

  /// By path.
  package let images: [BuildImage]
  /// The files with debug information, by path.
  package let files: [String]

  /// Looks through a build.
  ///
  /// - Parameters:
  ///   - path: A folder, a file, or an archive.
  ///   - store: The store that may have debug information from earlier.
  /// - Throws: `PipelineError` `ci-symbols-none`, and where the path is not there.
  package init(of path: String, in store: SymbolStore) throws(PipelineError) {
    guard FileStatus(path) != nil else { throw PipelineError(FileError(.open, path, .noSuchFileOrDirectory)) }
    try self.init(SymbolStore.objects(below: path), of: path) { id in
      store.entries(of: id).contains { $0.role == .debugInfo || $0.role == .breakpad }
    }
  }

  /// The same of objects that were found.
  ///
  /// - Parameter isStored: True of a build that debug information is kept of.
  package init(
    _ found: [FoundObject], of path: String, isStored: (BuildID) -> Bool
  ) throws(PipelineError) {
    let programs = found.filter { [.executable, .sharedLibrary].contains($0.kind) && $0.hasCode }
    // Objects on the way to a program are in it.
    let described = found.filter { $0.hasDebugInfo && $0.buildID != nil && $0.kind != .object }
    guard !programs.isEmpty || !described.isEmpty else {
      throw PipelineError(.symbolsNone, ["path": path], at: .file(path))
    }
    let known = Set(described.compactMap(\.buildID))
    images = programs.map { image in
      BuildImage(
        path: image.path, buildID: image.buildID, architecture: image.architecture,
        symbols: image.buildID.map { known.contains($0) ? .found : isStored($0) ? .stored : .missing } ?? .unidentified)
    }
    files = Set(described.map(\.file)).sorted()
  }

  /// Puts the files into a store; one that cannot be read does not stop the others.
  package func add(to store: SymbolStore) -> Added {
    var added = Added()
    for file in files {
      do throws(StoreError) {
        added.files += try store.add(file)
      } catch {
        added.problems.append(error)
      }
    }
    return added
  }
}

extension PipelineError.Code {
  package static var symbolsNone: Self { Self("ci-symbols-none", exit: .inputMissing) }
}
