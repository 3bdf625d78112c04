package import MPaaSSupport

/// The findings of a verification in the projects that use the store.
package struct ProjectVerification: Sendable, Equatable {
  package struct Place: Sendable, Equatable {
    package enum State: String, Sendable, Codable {
      case good
      /// Files were changed, and are what they were again.
      case mended
      /// Files were changed and left as they are.
      case changed
    }

    /// From the project's folder.
    package let path: String
    package let name: String
    package let version: ModuleVersion
    package let method: PlaceMethod
    package var state = State.good
    /// The files that were changed, removed or added, sorted.
    package var files: [String] = []
  }

  /// The project's folder.
  package let folder: String
  package var places: [Place] = []
  /// The reason why its places are not known.
  package var problem: Diagnostic?

  package var isGood: Bool { places.allSatisfy { $0.state != .changed } }
}

extension ModuleStore {
  /// Reads all placed files of the projects that use the store, and compares them with what the modules brought.
  ///
  /// Files that are not meant to be changed (`link`, `shared`) are put back; those of copies only when forced, as somebody
  /// may want them so.
  ///
  /// - Parameter isWanted: Which modules are looked at, by name and version.
  package func verifyProjects(
    mending: Bool, force: Bool = false, only isWanted: (@Sendable (String, ModuleVersion) -> Bool)? = nil
  ) async throws(ModuleError) -> [ProjectVerification] {
    var found: [ProjectVerification] = []
    for folder in try knownProjects().sorted().map(\.text) where FileStatus(folder)?.kind == .folder {
      guard var project = verification(of: folder) else { continue }
      project.places.removeAll { isWanted?($0.name, $0.version) == false }
      let changes = await changes(project.places.map { folder + "/" + $0.path })
      for (place, files) in changes where !files.isEmpty {
        project.places[place].files = files
        project.places[place].state = .changed
      }
      if mending, !project.isGood { mend(&project, force: force) }
      found.append(project)
    }
    return found
  }

  /// The places of a project's modules, as they stand there; nil where the folder is no project any more.
  private func verification(of folder: String) -> ProjectVerification? {
    var verification = ProjectVerification(folder: folder)
    func text(_ name: String) throws(FileError) -> String {
      String(decoding: try Bytes.reading(folder + "/" + name, limit: 16 << 20).array, as: UTF8.self)
    }
    guard FileStatus(folder + "/" + ProjectManifest.fileName) != nil,
      FileStatus(folder + "/" + ProjectLock.fileName) != nil
    else { return nil }
    do {
      let manifest = try ProjectManifest(reading: try text(ProjectManifest.fileName), file: ProjectManifest.fileName)
      let lock = try ProjectLock(
        reading: try text(ProjectLock.fileName), file: ProjectLock.fileName, settlingConflicts: false)
      for plan in PlacedPlan.all(lock, manifest, place: nil) {
        let path = folder + "/" + plan.path
        guard let placed = PlacedFolder(at: path) else { continue }
        // A link into another store is that store's.
        if FileStatus(ofLink: path)?.kind == .other,
          (try? FileSystem.target(ofLink: path))?.hasPrefix(trees + "/") != true
        {
          continue
        }
        verification.places.append(
          .init(path: plan.path, name: placed.name, version: placed.version, method: placed.method))
      }
    } catch {
      verification.problem = (error as? any DiagnosticConvertible)?.diagnostic
    }
    return verification
  }

  /// The differences in each of some placed folders; all files are read, on all cores.
  private func changes(_ folders: [String]) async -> [(Int, [String])] {
    await withTaskGroup(of: (Int, [String]).self) { group in
      for (index, folder) in folders.enumerated() {
        group.addTask { (index, changes(at: folder)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func changes(at folder: String) -> [String] {
    guard let placed = PlacedFolder(at: folder) else { return [PlacedFolder.markerName] }
    let changes = placed.changes(at: folder, readsAll: true)
    guard changes.isEmpty, let module = module(sha256: placed.sha256), let contents = try? contents(of: module)
    else { return changes }
    // The marker could have been changed with the files.
    return placed.names(contents, at: folder) ? [] : [PlacedFolder.markerName]
  }

  private func mend(_ project: inout ProjectVerification, force: Bool) {
    guard let gate = try? ProjectGate(project.folder, waiting: {}) else { return }
    defer { withExtendedLifetime(gate) {} }
    for index in project.places.indices where project.places[index].state == .changed {
      let place = project.places[index]
      let path = project.folder + "/" + place.path
      guard place.method != .copy || force, let placed = PlacedFolder(at: path),
        let module = module(sha256: placed.sha256),
        (try? self.place(module, at: path, by: place.method, force: true)) != nil
      else { continue }
      project.places[index].state = .mended
    }
  }
}
