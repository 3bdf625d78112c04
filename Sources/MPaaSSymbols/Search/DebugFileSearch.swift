package import MPaaSSupport

/// Finds the program and the debug information of an image by build ID, by debug link and by path.
///
/// It looks, in this order: at the path itself; at the paths given; in the store; in `.build-id` folders; in
/// debuginfod's cache; where `.gnu_debuglink` points; at the symbol servers. Without servers it never goes to the
/// network.
package struct DebugFileSearch: Sendable {
  /// Debug roots, each with a `.build-id` folder or a mirrored tree.
  package var roots: [String]
  package var store: SymbolStore?
  /// The folder of debuginfod's client, as `~/.cache/debuginfod_client`.
  package var debuginfodCache: String?
  /// Asked where nothing on this machine has debug information.
  package var servers: SymbolServers?
  /// Indexes of what is found; nil goes without.
  package var indexes: SymbolIndexes?
  var given: GivenPaths

  /// - Parameter paths: Files and folders that the user named; folders are scanned at the first search.
  package init(
    paths: [String] = [], store: SymbolStore? = nil, roots: [String] = ["/usr/lib/debug"],
    debuginfodCache: String? = nil
  ) {
    given = GivenPaths(paths)
    self.store = store
    self.roots = roots
    self.debuginfodCache = debuginfodCache
  }

  /// The search of a command: its paths, the store, the system's debug root and debuginfod's cache.
  ///
  /// - Source: debuginfod(8) for `DEBUGINFOD_CACHE_PATH` and the folder's place.
  package init(paths: [String] = [], directories: Directories, environment: [String: String]) {
    let cache = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { $0 + "/.cache" }
    self.init(
      paths: paths, store: SymbolStore(directories.symbols),
      debuginfodCache: environment["DEBUGINFOD_CACHE_PATH"] ?? cache.map { $0 + "/debuginfod_client" })
    indexes = SymbolIndexes(store: store, cache: directories.indexes)
  }

  /// Searches for what belongs to an image of a process.
  ///
  /// - Parameters:
  ///   - path: Where the image was loaded from; it may be gone, or another build by now.
  ///   - buildID: The image's identity; nil trusts the file at `path`.
  package func find(path: String?, buildID: BuildID?) -> DebugFileFinding {
    var run = SearchRun(search: self, path: path, buildID: buildID)
    run.locateExecutable()
    run.locateDebugFile()
    run.locateOnServers()
    run.locateCompanions()
    run.revealNames()
    return run.finding
  }

  /// Searches for what belongs to an image that is already read.
  package func find(_ image: any ObjectImage, path: String) -> DebugFileFinding {
    var run = SearchRun(search: self, path: path, buildID: image.buildID)
    run.finding.executable = LocatedImage(path: path, image: image, place: .image)
    run.finding.searched.append(SearchedPlace(place: .image, path: path, outcome: .found))
    run.locateDebugFile()
    run.locateOnServers()
    run.locateCompanions()
    run.revealNames()
    return run.finding
  }
}

extension DebugFileSearch {
  /// The images of a file; none where it is not there or no object file.
  static func images(at path: String) -> [any ObjectImage] {
    guard let bytes = try? Bytes.mapping(path), ObjectFile.matches(bytes) else { return [] }
    return (try? ObjectFile.images(bytes)) ?? []
  }
}

/// One search: what was found so far, and the places looked at.
struct SearchRun {
  let search: DebugFileSearch
  let path: String?
  var buildID: BuildID?
  var finding = DebugFileFinding()
  /// Tells whether the layouts of the paths given were tried.
  var hasProbed = false

  init(search: DebugFileSearch, path: String?, buildID: BuildID?) {
    self.search = search
    self.path = path
    self.buildID = buildID
  }

  mutating func locateExecutable() {
    if let path, let image = look(.image, path, accept: isThisBuild) {
      finding.executable = image
      buildID = buildID ?? image.image.buildID
      return
    }
    guard let id = buildID else { return nameInGiven() }
    probeGiven()
    if finding.executable != nil { return }
    for candidate in search.given.contents.files(of: id) {
      guard let image = look(.given, candidate, accept: isThisBuild) else { continue }
      if image.image.hasCode {
        finding.executable = image
        return
      }
    }
    nameInGiven()
    for (place, candidate) in candidates(id, .executable) {
      if let image = look(place, candidate, accept: isThisBuild) {
        finding.executable = image
        return
      }
    }
  }

  mutating func locateDebugFile() {
    if let executable = finding.executable, executable.image.hasDebugInfo {
      finding.debugFile = executable
      return
    }
    probeGiven()
    if finding.debugFile?.image.hasDebugInfo == true { return }
    if let id = buildID, byBuildID(id) { return }
    if byDebugLink() { return }
    if byDebugMap() { return }
    if buildID == nil, byNameInGiven() { return }
    // Without DWARF anywhere, the tables that strip moved out are better than none.
    finding.debugFile = finding.debugFile ?? finding.executable
  }

  private mutating func byBuildID(_ id: BuildID) -> Bool {
    let given = search.given.contents.files(of: id).map { (SearchPlace.given, $0) }
    let isApples = finding.executable.map { $0.image.format == .machO } ?? true
    let bundles = isApples ? (finding.executable?.path ?? path).map(DSYMBundle.candidates) ?? [] : []
    for (place, candidate) in bundles.map({ (.dSYM, $0) }) + given + candidates(id, .debugInfo) + symbolFiles(id) {
      guard let image = look(place, candidate, accept: isDebugFile) else { continue }
      let isWhole = image.image.hasDebugInfo
      if isWhole || finding.debugFile == nil { finding.debugFile = image }
      if isWhole { return true }
    }
    return false
  }

  /// Without a build ID and a debug link, a file of the same name that the user gave is what is meant.
  private mutating func byNameInGiven() -> Bool {
    guard let path else { return false }
    for (candidate, id) in search.given.contents.names[GivenPaths.stem(path)] ?? [] where id == nil {
      guard let image = look(.given, candidate, accept: isDebugFile), image.image.hasDebugInfo else { continue }
      finding.debugFile = image
      return true
    }
    return false
  }

  /// Images of the same name among the paths given that are another build: what a user most often has.
  private mutating func nameInGiven() {
    guard let path else { return }
    for (candidate, id) in search.given.contents.names[GivenPaths.stem(path)] ?? [] {
      if buildID == nil {
        guard let image = look(.given, candidate, accept: { _ in .found }) else { continue }
        finding.executable = image
        buildID = image.image.buildID
        return
      }
      guard let buildID else { continue }
      let isThis = id?.isSameBuild(as: buildID) == true
      if !isThis, search.given.contents.builds[buildID]?.contains(candidate) != true {
        finding.searched.append(SearchedPlace(place: .given, path: candidate, outcome: .otherBuild(id)))
      }
    }
  }
}

// MARK: - Links

extension SearchRun {
  /// The file of `.gnu_debuglink`: beside the program, in `.debug`, below the debug roots; its checksum must match.
  ///
  /// - Source: GDB manual, "Separate Debug Files".
  private mutating func byDebugLink() -> Bool {
    guard let executable = finding.executable, let link = executable.image.debugLink else { return false }
    let real = FileSystem.resolved(executable.path) ?? executable.path
    let folder = FileSystem.folder(of: real)
    var paths = [folder + "/" + link.name, folder + "/.debug/" + link.name]
    for root in search.roots { paths.append(root + (folder.hasPrefix("/") ? "" : "/") + folder + "/" + link.name) }
    paths += search.given.paths.map { $0 + "/" + link.name }
    paths += (search.given.contents.names[GivenPaths.stem(link.name)] ?? []).map(\.path)
    let own = executable.image.buildID
    for path in unique(paths) where path != real {
      let found = look(.debugLink, path) { image in
        if let own, let theirs = image.buildID, own != theirs { return .otherBuild(theirs) }
        let checksum = image.bytes.crc32
        if checksum != link.checksum { return .wrongChecksum(expected: link.checksum, found: checksum) }
        return .found
      }
      guard let found else { continue }
      finding.debugFile = found
      if found.image.hasDebugInfo { return true }
    }
    return false
  }

  /// The dwz file, the `.dwp` file, and where `.dwo` files may be.
  mutating func locateCompanions() {
    finding.splitFolders = unique(
      [finding.executable, finding.debugFile].compactMap { $0.map { FileSystem.folder(of: $0.path) } }
        + search.given.paths.filter { FileStatus($0)?.kind == .folder })
    finding.given = search.given
    locatePackage()
    guard let debug = finding.debugFile, let link = debug.image.alternateDebugLink else { return }
    for (place, path) in alternatePaths(link, beside: FileSystem.folder(of: debug.path)) {
      let found = look(place, path) { image in
        link.buildID == nil || image.buildID == link.buildID ? .found : .otherBuild(image.buildID)
      }
      if let found {
        finding.alternate = found
        return
      }
    }
    if let id = link.buildID { finding.alternate = fetch(SymbolLayout.Query(id, .debugInfo)) { _ in .found } }
  }

  private func alternatePaths(_ link: AlternateDebugLink, beside folder: String) -> [(SearchPlace, String)] {
    let name = FileSystem.name(of: link.path)
    let real = finding.debugFile.flatMap { FileSystem.resolved($0.path) }.map { FileSystem.folder(of: $0) }
    var paths = [link.path.hasPrefix("/") ? link.path : (real ?? folder) + "/" + link.path, folder + "/" + name]
    paths += search.roots.map { $0 + "/.dwz/" + name }
    let byLink = unique(paths).map { (SearchPlace.alternateLink, $0) }
    guard let id = link.buildID else { return byLink }
    return byLink + search.given.contents.files(of: id).map { (.given, $0) } + candidates(id, .debugInfo)
  }

  private mutating func locatePackage() {
    if let debug = finding.debugFile, debug.image.hasSplitSections {
      // Some linkers' post-processing puts the split units into the debug file itself.
      finding.package = debug
      return
    }
    var paths = unique([finding.executable, finding.debugFile].compactMap { $0.map { $0.path + ".dwp" } })
    if let debug = finding.debugFile?.path, debug.hasSuffix(".debug") || debug.hasSuffix(".dbg") {
      paths.append(FileSystem.folder(of: debug) + "/" + GivenPaths.stem(debug) + ".dwp")
    }
    if let id = buildID, let stored = search.store?.use(id, .package) { paths.append(stored) }
    for path in paths where FileStatus(path)?.kind == .file {
      if let found = look(.image, path, accept: { $0.hasSplitSections ? .found : .unreadable }) {
        finding.package = found
        return
      }
    }
  }

  private func unique(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }
}

// MARK: - Looking

extension SearchRun {
  /// Looks at one path, notes the outcome, and gives the image where `accept` finds it right.
  mutating func look(
    _ place: SearchPlace, _ path: String, accept: (any ObjectImage) -> SearchedPlace.Outcome
  ) -> LocatedImage? {
    var outcome = SearchedPlace.Outcome.absent
    defer {
      let searched = SearchedPlace(place: place, path: path, outcome: outcome)
      if !finding.searched.contains(searched) { finding.searched.append(searched) }
    }
    // An empty file in debuginfod's cache says that no server has it.
    if place == .debuginfod, FileStatus(path)?.size == 0 { return nil }
    guard let images = search.given.images(at: path) else { return nil }
    outcome = .unreadable
    for image in images {
      outcome = accept(image)
      switch outcome {
      case .found, .withoutDebugInfo: return LocatedImage(path: path, image: image, place: place)
      default: continue
      }
    }
    return nil
  }

  var isThisBuild: (any ObjectImage) -> SearchedPlace.Outcome {
    { [buildID] image in
      guard let buildID else { return .found }
      return image.buildID?.isSameBuild(as: buildID) == true ? .found : .otherBuild(image.buildID)
    }
  }

  var isDebugFile: (any ObjectImage) -> SearchedPlace.Outcome {
    { [buildID] image in
      if let buildID, image.buildID?.isSameBuild(as: buildID) != true { return .otherBuild(image.buildID) }
      return image.hasDebugInfo ? .found : .withoutDebugInfo
    }
  }
}
