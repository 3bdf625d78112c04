import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Debug files kept by build ID, so that reports of any age find theirs.
///
/// A build has a folder `<first two digits>/<rest>/` with a file for each role (`debuginfo`, `executable`, `dwp`) and
/// beside each `<role>.json`, which is written last: without it the file does not count. Other files of the folder,
/// as an index, go with the build. Writers wait for each other on the file `lock`; readers need not.
package struct SymbolStore: Sendable {
  /// The name of an index in the folder of its build.
  static let indexName = "index"
  /// The name of a symbol map in the folder of its build.
  static let symbolMapName = "bcsymbolmap"

  package let folder: String
  /// Seconds since 1970.
  package var now: @Sendable () -> Int64

  package init(
    _ folder: String, now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    self.folder = folder
    self.now = now
  }

  /// The folder of a build; it need not exist.
  package func folder(of id: BuildID) -> String {
    let hex = id.hex
    return "\(folder)/\(hex.prefix(2))/\(hex.count > 2 ? String(hex.dropFirst(2)) : "_")"
  }

  package func path(of id: BuildID, _ role: SymbolRole) -> String {
    folder(of: id) + "/" + role.rawValue
  }

  package func path(of stored: StoredSymbols) -> String {
    path(of: stored.buildID, stored.role)
  }

  /// The store's entries of a build.
  package func entries(of id: BuildID) -> [StoredSymbols] {
    SymbolRole.allCases.compactMap { entry(id, $0) }
  }

  /// A file of a build and its description; it counts as used now.
  package func use(_ id: BuildID, _ role: SymbolRole) -> String? {
    guard entry(id, role) != nil else { return nil }
    let path = path(of: id, role)
    // Once a day is exact enough for a collection by age.
    if let status = FileStatus(path), status.modified < now() - 86_400 { FileSystem.touch(path) }
    return path
  }

  /// All that the store has, by build ID.
  package func list() throws(StoreError) -> [StoredSymbols] {
    var all: [StoredSymbols] = []
    for id in try builds() { all += entries(of: id) }
    return all
  }

  /// The time when a stored file was last added or looked at, in seconds since 1970.
  package func lastUse(of stored: StoredSymbols) -> Int64 {
    FileStatus(path(of: stored))?.modified ?? stored.added
  }

  func entry(_ id: BuildID, _ role: SymbolRole) -> StoredSymbols? {
    let path = path(of: id, role)
    guard let bytes = try? Bytes.mapping(path + ".json"),
      let entry = try? JSONDecoder().decode(StoredSymbols.self, from: Data(bytes.buffer)),
      entry.buildID == id, entry.role == role, FileStatus(path)?.size == entry.size
    else { return nil }
    return entry
  }

  /// The build IDs in the store that begin with the 16 bytes that Breakpad keeps of one; none for another length.
  func longerIDs(of id: BuildID) -> [BuildID] {
    guard id.bytes.count == 16 else { return [] }
    let rest = String(id.hex.dropFirst(2))
    let names = (try? names("\(folder)/\(id.hex.prefix(2))")) ?? []
    return names.filter { $0.hasPrefix(rest) && $0.count > rest.count }.sorted()
      .compactMap { BuildID(hex: id.hex.prefix(2) + $0) }
  }

  /// The builds whose IDs begin with `start`, with their files.
  ///
  /// - Parameter limit: The most builds whose files are read; of more, the IDs alone are handed over.
  package func builds(
    beginningWith start: String, limit: Int
  ) throws(StoreError) -> [(id: BuildID, files: [StoredSymbols])] {
    let ids = try builds().filter { $0.hex.hasPrefix(start) }
    return ids.map { ($0, ids.count > limit ? [] : entries(of: $0)) }
  }

  /// The build IDs that have a folder.
  func builds() throws(StoreError) -> [BuildID] {
    var ids: [BuildID] = []
    for prefix in try names(folder) where prefix.count == 2 && BuildID(hex: prefix) != nil {
      for rest in try names(folder + "/" + prefix) {
        if let id = BuildID(hex: rest == "_" ? prefix : prefix + rest) { ids.append(id) }
      }
    }
    return ids
  }

  func names(_ folder: String) throws(StoreError) -> [String] {
    guard FileStatus(folder)?.kind == .folder else { return [] }
    do throws(FileError) {
      return try FileSystem.names(in: folder)
    } catch {
      // Removed meanwhile by another process.
      if FileStatus(folder) == nil { return [] }
      throw .file(error)
    }
  }

  /// Runs `body` while no other process changes the store; makes the store's folder first.
  func changing<Value>(_ body: () throws(FileError) -> Value) throws(StoreError) -> Value {
    do throws(FileError) {
      try Directories.create(folder)
      return try FileSystem.withLock(folder + "/lock", body)
    } catch {
      throw .file(error)
    }
  }
}
