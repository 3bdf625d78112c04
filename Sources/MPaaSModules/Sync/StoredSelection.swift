import MPaaSSupport

/// The modules of the store that a user named, as `NAME` or `NAME@VERSION`; all of them where nothing is named.
package struct StoredSelection: Sendable {
  private let store: ModuleStore
  private let words: [Word]
  /// Bytes of the modules.
  package let size: UInt64

  private struct Word: Sendable {
    let name: Substring
    /// nil for every version.
    let version: String?

    init(_ text: String) {
      let parts = text.split(separator: "@", maxSplits: 1)
      name = parts.first ?? ""
      version = parts.count < 2 ? nil : String(parts[1])
    }

    func names(_ name: String, _ version: ModuleVersion) -> Bool {
      self.name == name && (self.version.map { ModuleVersion($0) == version } ?? true)
    }
  }

  /// - Throws: `ModuleError` `module-unknown` for a word that names no module of the store.
  package init(_ words: [String], in store: ModuleStore) throws(ModuleError) {
    self.store = store
    self.words = words.map(Word.init)
    let modules = try store.modules()
    for (text, word) in zip(words, self.words) where !modules.contains(where: { word.names($0.name, $0.version) }) {
      throw ModuleError(.storedUnknown, ["name": text])
    }
    let all = self.words
    size = modules.filter { module in
      all.isEmpty || all.contains { $0.names(module.name, module.version) }
    }.reduce(0) { $0 + $1.size }
  }

  /// Reads the modules and the places of projects that have them, and mends what is damaged.
  ///
  /// - Parameters:
  ///   - force: True to replace changed files of copies too.
  ///   - progress: Is told of bytes that were read.
  package func verify(
    mending: Bool, force: Bool, progress: @escaping @Sendable (UInt64) -> Void
  ) async throws(ModuleError) -> (store: StoreVerification, projects: [ProjectVerification]) {
    let words = words
    let isNamed: @Sendable (String, ModuleVersion) -> Bool = { name, version in
      words.contains { $0.names(name, version) }
    }
    let isWanted: @Sendable (StoredModule) -> Bool = { isNamed($0.name, $0.version) }
    let verification = try await store.verify(
      mending: mending, only: words.isEmpty ? nil : isWanted, progress: progress)
    // After the store, whose files mend those of projects.
    let projects = try await store.verifyProjects(
      mending: mending, force: force, only: words.isEmpty ? nil : isNamed)
    return (verification, projects)
  }
}

extension ModuleError.Code {
  static var storedUnknown: Self { Self("module-unknown", exit: .inputMissing) }
}
