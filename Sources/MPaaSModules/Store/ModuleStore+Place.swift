import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The actions of placing a module.
package struct Placement: Sendable, Equatable {
  package enum Outcome: String, Sendable { case placed, replaced, unchanged }
  /// The way of the files to their place; `shared` is a link to the store's tree.
  package enum Way: String, Sendable {
    case clone, readOnlyCopy = "read_only_copy", copy, shared
  }
  package let outcome: Outcome
  /// nil where nothing had to be done.
  package let way: Way?
}

extension ModuleStore {
  /// The folder where the tree is built before it gets its place: one folder for each place, so that a look finds what
  /// was left.
  static func aside(_ folder: String) -> String {
    FileSystem.folder(of: folder) + "/.mpaas-" + FileSystem.name(of: folder)
  }

  /// Has a folder hold a module's files; what stood there is replaced at once, not file by file.
  ///
  /// A module that stands there already as it was placed is left as it is. A store that cannot be written and has no
  /// tree to share gives files of the project's own.
  ///
  /// - Parameters:
  ///   - folder: Made with those above it.
  ///   - force: Whether to overwrite files that somebody changed, and a folder that is no module's.
  /// - Throws: `ModuleError`: `module-files-changed` naming some, `module-place-taken`, `module-store-damaged`.
  @discardableResult
  package func place(
    _ module: StoredModule, at folder: String, by method: PlaceMethod, force: Bool = false
  ) throws(ModuleError) -> Placement {
    let use = try use()
    defer { withExtendedLifetime(use) {} }
    let isThere = FileStatus(ofLink: folder) != nil
    let aside = Self.aside(folder)
    if isThere, try isPlaced(module, at: folder, by: method, force) {
      if FileStatus(ofLink: aside) != nil { Workspace.remove(aside) }
      return Placement(outcome: .unchanged, way: nil)
    }
    let parent = FileSystem.folder(of: folder)
    try withFileErrors { () throws(FileError) in try Directories.create(parent) }
    let workspace = try Workspace.claim(aside)
    let new = workspace.path + "/new"
    let way: Placement.Way
    if method == .shared, let tree = try sharedTree(of: module) {
      guard symlink(tree, new) == 0 else { throw ModuleError(FileError.last(.create, new)) }
      way = .shared
    } else {
      way = try build(module, in: new, by: method)
    }
    try withFileErrors { () throws(FileError) in try FolderTree.exchange(new, folder) }
    return Placement(outcome: isThere ? .replaced : .placed, way: way)
  }

  /// Tells whether nothing has to be done; what may not be replaced is an error.
  private func isPlaced(
    _ module: StoredModule, at folder: String, by method: PlaceMethod, _ force: Bool
  ) throws(ModuleError) -> Bool {
    if let target = try? FileSystem.target(ofLink: folder) {
      // A link of ours leads into the trees; any other is somebody's.
      let isOurs =
        target.hasSuffix("/trees/" + FileSystem.name(of: target)) && Self.isDigest(FileSystem.name(of: target))
      guard isOurs || force else { throw taken(folder) }
      return method == .shared && target == trees + "/" + module.sha256 && hasTree(module)
    }
    guard let placed = PlacedFolder(at: folder) else {
      guard force || (try? FileSystem.names(in: folder))?.isEmpty == true else { throw taken(folder) }
      return false
    }
    let isSame = placed.sha256 == module.sha256 && placed.method == method
    switch placed.state(at: folder) {
    case .untouched: return isSame
    case .unsettled:
      if isSame { placed.record(at: folder) }
      return isSame
    case .reshaped: return false
    case .changed(let changes):
      if !force { throw Self.changed(placed, folder, changes) }
      return false
    }
  }

  private func taken(_ folder: String) -> ModuleError {
    ModuleError(.placeTaken, ["path": folder], at: .file(folder))
  }

  private static func changed(_ placed: PlacedFolder, _ folder: String, _ changes: [String]) -> ModuleError {
    let shown = changes.prefix(3).joined(separator: ", ") + (changes.count > 3 ? ", …" : "")
    return ModuleError(
      .filesChanged, ["name": placed.name, "path": folder, "files": shown, "count": String(changes.count)],
      at: .file(folder))
  }

  /// Takes a placed module away; a folder that is not there is fine.
  ///
  /// - Throws: `ModuleError` as `place`.
  package static func removePlaced(at folder: String, force: Bool = false) throws(ModuleError) {
    guard let status = FileStatus(ofLink: folder) else { return }
    if status.kind == .folder, !force {
      guard let placed = PlacedFolder(at: folder) else {
        throw ModuleError(.placeTaken, ["path": folder], at: .file(folder))
      }
      if case .changed(let changes) = placed.state(at: folder) { throw changed(placed, folder, changes) }
    }
    guard status.kind == .folder else {
      return try withFileErrors { () throws(FileError) in try FileSystem.remove(folder) }
    }
    let workspace = try Workspace.claim(aside(folder))
    guard rename(folder, workspace.path + "/old") == 0 else { throw ModuleError(FileError.last(.remove, folder)) }
  }

  // MARK: - Building

  private func build(_ module: StoredModule, in folder: String, by method: PlaceMethod) throws(ModuleError)
    -> Placement.Way
  {
    guard mkdir(folder, 0o755) == 0 else { throw ModuleError(FileError.last(.create, folder)) }
    let contents = try contents(of: module)
    var builder = try TreeBuilder(module, in: folder, from: files, isWritable: method == .copy)
    // Before any file is made: what is changed from here on is read by the next look.
    let settled = Identity.settled
    let (fingerprint, placed) = try builder.build(contents)
    let marker = PlacedFolder(module, method, fingerprint: fingerprint, settled: settled)
    let path = folder + "/" + PlacedFolder.markerName
    let text = Bytes(marker.encoded(placed))
    try withFileErrors { () throws(FileError) in try OpenFile(path, .emptying(0o644)).append(text.buffer) }
    withExtendedLifetime(text) {}
    return builder.way
  }

  private func hasTree(_ module: StoredModule) -> Bool {
    let tree = trees + "/" + module.sha256
    guard let placed = PlacedFolder(at: tree) else { return false }
    switch placed.state(at: tree) {
    case .untouched: return true
    case .unsettled:
      placed.record(at: tree)
      return true
    case .reshaped, .changed: return false
    }
  }

  /// The tree that projects share; made once, and anew where somebody changed it or `again`.
  ///
  /// - Returns: nil where there is none and the store cannot be written.
  func sharedTree(of module: StoredModule, again: Bool = false) throws(ModuleError) -> String? {
    let tree = trees + "/" + module.sha256
    if !again, hasTree(module) { return tree }
    if isReadOnly { return nil }
    for folder in [trees, temporary] {
      try withFileErrors { () throws(FileError) in try Directories.create(folder) }
    }
    let workspace = try Workspace.make(in: temporary, prefix: "")
    _ = try build(module, in: workspace.path + "/new", by: .shared)
    try withFileErrors { () throws(FileError) in
      do throws(FileError) {
        try FolderTree.exchange(workspace.path + "/new", tree)
      } catch {
        // Another process was faster; its tree is the same.
        if FileStatus(tree) == nil { throw error }
      }
    }
    return tree
  }
}
