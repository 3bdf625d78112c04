import MPaaSSupport

/// The symbols that a collection removed, or would have.
package struct CollectedSymbols: Sendable, Equatable {
  package var removed: [StoredSymbols] = []
  /// Files that belong to no entry: left over from what was interrupted.
  package var orphans: [String] = []
  /// Bytes given back.
  package var size: UInt64 = 0
}

extension SymbolStore {
  /// Removes all files of a build and says which they were; none where the store did not have it.
  package func remove(_ id: BuildID) throws(StoreError) -> [StoredSymbols] {
    let known = entries(of: id)
    guard FileStatus(folder(of: id)) != nil else { return [] }
    try changing { () throws(FileError) in
      guard FileStatus(folder(of: id)) != nil else { return }
      try removeFolder(of: id)
    }
    return known
  }

  /// Removes all files of the builds that words name; all words are looked up before any file goes.
  ///
  /// - Parameter seen: Is told of each file while it is still there.
  /// - Throws: `StoreError.unknownBuild`, `.ambiguousBuild`.
  package func remove(matching words: [String], seen: (StoredSymbols) -> Void) throws(StoreError) {
    let ids = try words.map { word throws(StoreError) in try build(matching: word) }
    for id in ids {
      for entry in entries(of: id) { seen(entry) }
      _ = try remove(id)
    }
  }

  /// The one build that a word names, by the beginning of its ID or by the name of a file.
  ///
  /// - Throws: `StoreError.unknownBuild`, `.ambiguousBuild`.
  package func build(matching word: String) throws(StoreError) -> BuildID {
    let found = word.isEmpty ? [] : try builds(matching: word)
    guard found.count <= 1 else { throw .ambiguousBuild(word: word, builds: found) }
    guard let id = found.first else { throw .unknownBuild(word: word) }
    return id
  }

  /// The builds whose ID starts with the digits, or that have a file of that name.
  package func builds(matching word: String) throws(StoreError) -> [BuildID] {
    let digits = word.lowercased().filter { $0 != "-" }
    var found: [BuildID] = []
    for id in try builds() {
      if id.hex.hasPrefix(digits) || entries(of: id).contains(where: { $0.name == word }) { found.append(id) }
    }
    return found
  }

  /// Removes what was not used for `age` seconds, and files that belong to no entry.
  ///
  /// - Parameters:
  ///   - age: nil leaves all entries and removes only what belongs to none.
  ///   - dryRun: Only tells what would be removed.
  package func collect(olderThan age: Int64?, dryRun: Bool = false) throws(StoreError) -> CollectedSymbols {
    guard FileStatus(folder)?.kind == .folder else { return CollectedSymbols() }
    let ids = try builds()
    return try changing { () throws(FileError) in
      var collected = CollectedSymbols()
      for id in ids {
        // Another process may have removed it before this one's turn came.
        guard FileStatus(folder(of: id)) != nil else { continue }
        let entries = entries(of: id)
        let isOld = age.map { age in entries.allSatisfy { lastUse(of: $0) <= now() - age } } ?? false
        if isOld, !entries.isEmpty {
          collected.removed += entries
          collected.size += entries.reduce(0) { $0 + $1.size }
          if !dryRun { try removeFolder(of: id) }
        } else {
          try collectOrphans(id, entries, dryRun, &collected)
        }
      }
      return collected
    }
  }

  private func collectOrphans(
    _ id: BuildID, _ entries: [StoredSymbols], _ dryRun: Bool, _ collected: inout CollectedSymbols
  ) throws(FileError) {
    let folder = folder(of: id)
    let names = try FileSystem.names(in: folder)
    let kept = Set(entries.flatMap { [$0.role.rawValue, $0.role.rawValue + ".json"] })
    // Ours are the roles, their descriptions, what was being written of them and of the index; the rest, as the index,
    // is left while an entry lives.
    let ours = SymbolRole.allCases.map(\.rawValue) + [Self.indexName + "."]
    for name in names where !kept.contains(name) && (entries.isEmpty || ours.contains { name.hasPrefix($0) }) {
      let path = folder + "/" + name
      collected.orphans.append(path)
      collected.size += FileStatus(ofLink: path)?.size ?? 0
      if !dryRun { try FileSystem.remove(path) }
    }
    if !dryRun { removeIfEmpty(folder) }
  }

  private func removeFolder(of id: BuildID) throws(FileError) {
    let folder = folder(of: id)
    // Descriptions first: a reader never sees one without its file.
    let names = try FileSystem.names(in: folder).sorted { $0.hasSuffix(".json") && !$1.hasSuffix(".json") }
    for name in names { try FileSystem.remove(folder + "/" + name) }
    removeIfEmpty(folder)
  }

  private func removeIfEmpty(_ folder: String) {
    if FileSystem.removeIfEmpty(folder) { FileSystem.removeIfEmpty(FileSystem.folder(of: folder)) }
  }
}
