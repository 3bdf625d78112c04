import MPaaSSupport

extension SearchRun {
  /// The places of a file of a build by the rules of each place.
  func candidates(_ id: BuildID, _ role: SymbolRole) -> [(SearchPlace, String)] {
    var places: [(SearchPlace, String)] = []
    if let store = search.store {
      places.append((.store, store.use(id, role) ?? store.path(of: id, role)))
      let ids = [id] + store.longerIDs(of: id)
      places += ids.dropFirst().compactMap { store.use($0, role) }.map { (.store, $0) }
      // A debug file often holds the code too.
      if role == .executable { places += ids.compactMap { store.use($0, .debugInfo) }.map { (.store, $0) } }
    }
    let hex = id.hex
    if hex.count > 2 {
      let ending = role == .debugInfo ? ".debug" : ""
      for root in search.roots + search.given.paths {
        let folder = root.hasSuffix(".build-id") ? root : root + "/.build-id"
        places += buildIDFiles(id, "\(folder)/\(hex.prefix(2))", ending)
      }
    }
    if let cache = search.debuginfodCache { places.append((.debuginfod, "\(cache)/\(hex)/\(role.rawValue)")) }
    return places
  }

  /// The file of a build in a part of a `.build-id` folder; of the 16 bytes that Breakpad keeps also those they begin.
  private func buildIDFiles(_ id: BuildID, _ folder: String, _ ending: String) -> [(SearchPlace, String)] {
    let rest = String(id.hex.dropFirst(2))
    let exact = (SearchPlace.buildIDFolder, "\(folder)/\(rest)\(ending)")
    guard id.bytes.count == 16, let names = try? FileSystem.names(in: folder) else { return [exact] }
    let longer = names.filter { name in
      name.hasPrefix(rest) && name.hasSuffix(ending) && (BuildID(hex: name.dropLast(ending.count)) != nil)
        && name.count > rest.count + ending.count
    }
    return [exact] + longer.sorted().map { (.buildIDFolder, folder + "/" + $0) }
  }

  /// The store's files of a build as Breakpad's text; of a library of the system only where the file itself is not
  /// here.
  func symbolFiles(_ id: BuildID) -> [(SearchPlace, String)] {
    guard let store = search.store else { return [] }
    let ids = [id, BuildID(id.bytes.prefix(16))].compactMap { $0 } + store.longerIDs(of: id)
    let roles: [SymbolRole] = finding.executable == nil ? [.breakpad, .system] : [.breakpad]
    return roles.compactMap { role in
      ids.lazy.compactMap { store.use($0, role) }.first.map { (.store, $0) }
    }
  }
}
