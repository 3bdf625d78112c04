import MPaaSDigests
import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The findings of a verification of the store.
package struct StoreVerification: Sendable, Equatable {
  package enum Fault: String, Sendable, Codable {
    /// Content, size or kind is another.
    case damaged
    case missing
    /// The content is right, and nothing keeps it from being changed.
    case writable
    /// The store has it and no module does; `collect` removes it.
    case extra
  }

  package struct Module: Sendable, Equatable {
    package enum State: String, Sendable, Codable {
      case good
      /// Faults were found, and there are none any more.
      case mended
      /// Faults were found and left as they are.
      case faulty
      /// Its files are lost and its archive is not there: it is out of the store until it is downloaded again.
      case lost
    }

    package let module: StoredModule
    package var faults: [File] = []
    package var state = State.good
  }

  package struct File: Sendable, Equatable {
    /// The path inside the module.
    package let path: String
    package let fault: Fault
  }

  /// By name and version.
  package var modules: [Module] = []
  /// Paths in the store that are wrong and belong to no module that can be read.
  package var others: [File] = []
  package var fileCount = 0
  package var size: UInt64 = 0

  /// Tells whether damage is left.
  package var isGood: Bool {
    modules.allSatisfy { $0.state == .good || $0.state == .mended } && !others.contains { $0.fault == .damaged }
  }
}

extension ModuleStore {
  /// Reads all files of modules again and compares them with what they should be.
  ///
  /// - Parameters:
  ///   - mending: Whether to mend what the archives in the store can give back, and to take modules out of it that
  ///     cannot be mended, so that they are downloaded again.
  ///   - isWanted: Which modules are looked at; files that belong to none are told only where all are.
  ///   - progress: Gets the bytes that were read; from any thread.
  package func verify(
    mending: Bool, only isWanted: (@Sendable (StoredModule) -> Bool)? = nil,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async throws(ModuleError) -> StoreVerification {
    guard FileStatus(folder)?.kind == .folder else { return StoreVerification() }
    let use = try use()
    defer { withExtendedLifetime(use) {} }
    var verification = StoreVerification()
    var known: [(StoredModule, StoredContents)] = []
    for sha256 in try digests() {
      let path = document(sha256)
      guard let module = module(sha256: sha256), let contents = try? contents(of: module) else {
        if isWanted == nil {
          verification.others.append(.init(path: "modules/\(sha256).json", fault: .damaged))
          // Without its list a module is lost; it comes again with the next download.
          if mending { unlink(path) }
        }
        continue
      }
      known.append((module, contents))
    }
    let wanted = known.filter { isWanted?($0.0) ?? true }
    var places: [String: UInt64] = [:]
    for (_, contents) in wanted { for file in contents.files { places[file.place] = file.size } }
    let faults = await FileCheck(store: self, progress: progress).check(places)
    verification.fileCount = places.count
    verification.size = places.values.reduce(0, +)
    for (module, contents) in wanted.sorted(by: { ($0.0.name, $0.0.version) < ($1.0.name, $1.0.version) }) {
      verification.modules.append(try judge(module, contents, faults, mending))
    }
    if isWanted == nil {
      let all = Set(known.flatMap { $0.1.files.map(\.place) })
      verification.others += try extras(besides: all)
    }
    if mending, verification.others.contains(where: { $0.fault == .damaged }) { FileSystem.settle(documents) }
    return verification
  }

  private func judge(
    _ module: StoredModule, _ contents: StoredContents, _ faults: [String: StoreVerification.Fault], _ mending: Bool
  ) throws(ModuleError) -> StoreVerification.Module {
    var found = StoreVerification.Module(module: module)
    for file in contents.files {
      if let fault = faults[file.place] { found.faults.append(.init(path: file.path, fault: fault)) }
    }
    if !found.faults.isEmpty {
      found.state = .faulty
      if mending { found.state = try mend(module, contents, faults) ? .mended : .lost }
    }
    let tree = trees + "/" + module.sha256
    if FileStatus(ofLink: tree) != nil, PlacedFolder(at: tree)?.changes(at: tree, readsAll: true).isEmpty != true {
      if found.faults.isEmpty { found.faults.append(.init(path: "", fault: .damaged)) }
      if mending, found.state != .lost {
        _ = try sharedTree(of: module, again: true)
        found.state = .mended
      } else if !mending {
        found.state = .faulty
      }
    }
    return found
  }

  /// Says whether the module is whole again; where it is not, it is out of the store.
  private func mend(
    _ module: StoredModule, _ contents: StoredContents, _ faults: [String: StoreVerification.Fault]
  ) throws(ModuleError) -> Bool {
    var lost = false
    for file in contents.files {
      let path = files + "/" + file.place
      guard let fault = faults[file.place] else { continue }
      if fault == .writable { chmod(path, file.isExecutable ? 0o555 : 0o444) } else { lost = true }
    }
    guard lost else { return true }
    let archive = archive(sha256: module.sha256)
    if FileStatus(archive)?.size == module.archiveSize, (try? readAgain(module, contents, archive)) != nil {
      return true
    }
    // First the document: what is not whole is not there.
    try withFileErrors { () throws(FileError) in try FileSystem.remove(document(module.sha256)) }
    FileSystem.settle(documents)
    for file in contents.files where faults[file.place] != nil { FolderTree.removeAny(files + "/" + file.place) }
    return false
  }

  /// Unpacks an archive again; files that are whole stay.
  private func readAgain(_ module: StoredModule, _ contents: StoredContents, _ archive: String) throws(ModuleError) {
    let manifest = ModuleManifest(name: module.name, version: module.version)
    let file = ModuleArchiveFile(
      name: "\(module.name)-\(module.version)", size: module.archiveSize, sha256: module.sha256,
      unpackedSize: module.size, fileCount: module.fileCount)
    try add(archive: archive, as: ModuleRelease(manifest: manifest, archive: file, released: 0), again: true)
  }

  /// The files that are in the store and should not be.
  private func extras(besides known: Set<String>) throws(ModuleError) -> [StoreVerification.File] {
    var extras: [StoreVerification.File] = []
    guard FileStatus(files)?.kind == .folder else { return [] }
    let isWhole = FolderTree.visit(files) { path, status in
      let place = String(decoding: path, as: UTF8.self)
      if status.st_mode & S_IFMT != S_IFDIR, !known.contains(place) {
        extras.append(.init(path: "files/" + place, fault: .extra))
      }
      return true
    }
    guard isWhole else { throw damaged("files", files) }
    return extras.sorted { $0.path < $1.path }
  }
}

/// Reads many files on all cores.
private struct FileCheck {
  let store: ModuleStore
  let progress: @Sendable (UInt64) -> Void

  /// Finds the faults, by the place of the file.
  func check(_ places: [String: UInt64]) async -> [String: StoreVerification.Fault] {
    // Dealt out by size, so that each core gets its share.
    let files = places.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    let count = Workers.count(limit: 16)
    return await withTaskGroup(of: [String: StoreVerification.Fault].self) { group in
      for first in 0..<count {
        group.addTask {
          var faults: [String: StoreVerification.Fault] = [:]
          for index in stride(from: first, to: files.count, by: count) {
            let (place, size) = files[index]
            if let fault = check(place, size) { faults[place] = fault }
            progress(size)
          }
          return faults
        }
      }
      return await group.reduce(into: [:]) { all, some in all.merge(some) { $1 } }
    }
  }

  private func check(_ place: String, _ size: UInt64) -> StoreVerification.Fault? {
    let path = store.files + "/" + place
    var status = stat()
    guard lstat(path, &status) == 0 else { return .missing }
    guard status.st_mode & S_IFMT == S_IFREG, UInt64(status.st_size) == size,
      (try? DigestAlgorithm.sha256.digest(ofFile: path).value.hexadecimal)?[...] == place.dropFirst(3).prefix(64)
    else { return .damaged }
    return status.st_mode & 0o222 == 0 ? nil : .writable
  }
}
