import MPaaSSupport

/// Files that are put into a store one after another: those that were named, and the object files below folders.
package struct SymbolAddition: Sendable {
  /// The outcome for one file.
  package enum Outcome: Sendable, Equatable {
    case taken([AddedSymbols])
    case failed(StoreError)
  }

  /// The files in their order.
  package let files: [String]
  private let named: Set<String>

  /// Finds the files that paths stand for.
  package init(_ paths: [String]) {
    files = paths.flatMap { path in
      FileStatus(path)?.kind == .folder ? SymbolStore.files(below: path) : [path]
    }
    named = Set(paths)
  }

  /// Adds each file.
  ///
  /// - Parameters:
  ///   - isSystem: True for libraries of a system.
  ///   - done: Gets each file with what became of it. Files below a folder that are of no use here are passed over.
  /// - Throws: The error of a file that is the only one.
  package func run(
    in store: SymbolStore, isSystem: Bool = false, done: (_ file: String, _ outcome: Outcome) -> Void
  ) throws(StoreError) {
    for file in files {
      do throws(StoreError) {
        done(file, .taken(isSystem ? try store.addSystem(file) : try store.add(file)))
      } catch {
        // Below a folder stand files that are of no use here; one that was named must be.
        guard named.contains(file) || !error.isAboutContent else { continue }
        if files.count == 1 { throw error }
        done(file, .failed(error))
      }
    }
  }
}

extension StoreError {
  /// True where it is about what the file holds, not about reading or writing.
  fileprivate var isAboutContent: Bool {
    switch self {
    case .object, .archive, .noBuildID, .nothingUseful: true
    case .file, .metadata, .unknownBuild, .ambiguousBuild: false
    }
  }
}
