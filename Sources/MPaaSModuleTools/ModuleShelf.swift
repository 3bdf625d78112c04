package import MPaaSModules
package import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

/// The modules that a signed repository offers, while they are changed.
///
/// Each has `sdk/NAME/index.json` with all its versions, and its archives beside it; what is staged counts as being there.
package struct ModuleShelf: Sendable {
  package private(set) var indexes: [String: ModuleIndex] = [:]
  /// New archives by their target names: the files to take.
  private var archives: [String: String] = [:]
  private var removed: Set<String> = []
  private var changed: Set<String> = []

  private static let folder = "sdk/"
  private static let indexName = "index.json"

  /// The name of a module's file in a repository.
  package static func target(_ module: String, _ file: String = indexName) -> String { "\(folder)\(module)/\(file)" }

  /// Reads the indexes of a repository.
  ///
  /// - Throws: `ModuleError` of an index that cannot be read, and those of the repository.
  package init(reading draft: inout RepositoryDraft) throws(ModuleError) {
    do throws(TrustError) {
      for target in try draft.allTargets().keys.sorted() {
        let parts = target.split(separator: "/")
        guard target.hasPrefix(Self.folder), parts.count == 3, parts[2] == Self.indexName else { continue }
        guard let bytes = try draft.bytes(of: target) else { continue }
        do throws(ModuleError) {
          let index = try ModuleIndex(reading: bytes, file: target)
          indexes[index.name] = index
        } catch {
          throw error.trustError
        }
      }
    } catch {
      throw ModuleError(error)
    }
  }

  /// Puts a version on offer.
  ///
  /// - Parameters:
  ///   - file: The path of the archive.
  ///   - time: Seconds since 1970.
  /// - Returns: Whether it is new; false where the same archive is offered already.
  /// - Throws: `ModuleError` `module-version-exists` where another archive has the version, `module-name-case` where
  ///   another module has the name in other letters.
  package mutating func add(_ check: ModuleArchiveCheck, file: String, at time: Int64) throws(ModuleError) -> Bool {
    let name = check.manifest.name
    if indexes[name] == nil, let other = indexes.keys.sorted().first(where: { $0.lowercased() == name.lowercased() }) {
      throw ModuleError(.nameCase, ["file": file, "name": name, "other": other], at: .file(file))
    }
    var index = indexes[name] ?? ModuleIndex(name: name)
    if let release = index.release(check.manifest.version) {
      if release.archive.sha256 == check.archive.sha256 { return false }
      let values = ["file": file, "name": name, "version": release.version.text]
      throw ModuleError(.versionExists, values, at: .file(file))
    }
    index.releases.append(ModuleRelease(manifest: check.manifest, archive: check.archive, released: time))
    put(index)
    let target = Self.target(name, check.archive.name)
    archives[target] = file
    removed.remove(target)
    return true
  }

  /// Takes versions out of the offer; all of them where `version` is nil.
  ///
  /// - Throws: `ModuleError` `module-not-offered`.
  package mutating func remove(_ name: String, _ version: ModuleVersion?) throws(ModuleError) {
    var index = try offered(name, version)
    for release in index.releases where version == nil || release.version == version {
      removed.insert(Self.target(name, release.archive.name))
    }
    index.releases.removeAll { version == nil || $0.version == version }
    put(index)
  }

  /// Warns of a version, or takes the warning back.
  ///
  /// - Parameter reason: Empty where there is none to tell; nil takes the warning back.
  package mutating func yank(_ name: String, _ version: ModuleVersion, reason: String?) throws(ModuleError) {
    var index = try offered(name, version)
    for place in index.releases.indices where index.releases[place].version == version {
      index.releases[place].yanked = reason
    }
    put(index)
  }

  /// The index of a module; with a version, one that lists it.
  private func offered(_ name: String, _ version: ModuleVersion?) throws(ModuleError) -> ModuleIndex {
    if let index = indexes[name], version.map({ index.release($0) != nil }) ?? true { return index }
    let shown = version.map { "\(name)@\($0.text)" } ?? name
    throw ModuleError(.notOffered, ["name": shown, "module": name])
  }

  private mutating func put(_ index: ModuleIndex) {
    var index = index
    index.releases.sort { $0.version > $1.version }
    index.summary = index.newest?.manifest.summary ?? index.summary
    indexes[index.name] = index
    changed.insert(index.name)
  }

  /// Stages all changes.
  ///
  /// - Parameter role: Who vouches for the files; nil for the role that clients ask first for their names.
  package func write(to draft: inout RepositoryDraft, role: String?) throws(TrustError) {
    for target in removed.sorted() where try draft.target(target) != nil { try draft.remove(target) }
    var contents = archives.mapValues { TargetContent.file($0) }
    for name in changed {
      guard let index = indexes[name] else { continue }
      if index.releases.isEmpty {
        if try draft.target(Self.target(name)) != nil { try draft.remove(Self.target(name)) }
      } else {
        contents[Self.target(name)] = .bytes(index.encoded)
      }
    }
    try draft.add(ExactMap(contents), role: role)
  }
}

extension ModuleError {
  /// The same for who changes a repository.
  package var trustError: TrustError { TrustError(TrustError.Code(code.id, exit: code.exit), values, at: place) }
}

extension ModuleError.Code {
  package static var versionExists: Self { refused("module-version-exists") }
  package static var nameCase: Self { refused("module-name-case") }
  package static var notOffered: Self { Self("module-not-offered", exit: .inputMissing) }
}
