import MPaaSSupport

extension SearchRun {
  /// Looks where a layout would have the build's files below the folders given, before any of them is gone through.
  mutating func probeGiven() {
    guard let id = buildID, !hasProbed else { return }
    hasProbed = true
    let name = path.map(FileSystem.name(of:))
    var others: [String] = []
    for root in search.given.paths where FileStatus(root)?.kind == .folder {
      var isStore = false
      for role in [SymbolRole.executable, .debugInfo, .breakpad] {
        guard let image = probe(root, SymbolLayout.Query(id, role, name: name)) else { continue }
        isStore = true
        if role == .executable, finding.executable == nil { finding.executable = image }
        if role != .executable, finding.debugFile?.image.hasDebugInfo != true { finding.debugFile = image }
      }
      if isStore { search.given.markStore(root) } else { others.append(root) }
    }
    // Going through the folders comes next, unless this was enough.
    guard finding.debugFile == nil, search.given.contents.files(of: id).isEmpty else { return }
    finding.searched += others.map { SearchedPlace(place: .given, path: $0, outcome: .absent) }
  }

  /// Finds the file where one of the layouts has it; places without one are not noted, they are many.
  private mutating func probe(_ root: String, _ query: SymbolLayout.Query) -> LocatedImage? {
    for path in SymbolLayout.localPaths(for: query) {
      guard let file = Self.file(at: root + "/" + path) else { continue }
      let accept = query.role == .executable ? isThisBuild : isDebugFile
      if let image = look(.given, file, accept: accept) { return image }
    }
    return nil
  }

  /// The file at a path; of a folder, as a dSYM bundle is, the one that holds its DWARF.
  private static func file(at path: String) -> String? {
    switch FileStatus(path)?.kind {
    case .file: return path
    case .folder:
      let folder = path + "/Contents/Resources/DWARF"
      return (try? FileSystem.names(in: folder))?.first.map { folder + "/" + $0 }
    default: return nil
    }
  }

  /// Asks the servers for what nothing on this machine has: debug information, else the program, else Breakpad's text.
  mutating func locateOnServers() {
    guard search.servers != nil, let id = buildID, finding.status != .complete else { return }
    let name = path.map(FileSystem.name(of:))
    if let debug = fetch(SymbolLayout.Query(id, .debugInfo, name: name), accept: isDebugFile) {
      finding.debugFile = debug
      if debug.image.hasDebugInfo { return }
    }
    if let symbols = fetch(SymbolLayout.Query(id, .breakpad, name: name), accept: isDebugFile) {
      finding.debugFile = symbols
      return
    }
    guard finding.executable == nil, finding.status == .missing else { return }
    guard let program = fetch(SymbolLayout.Query(id, .executable, name: name), accept: isThisBuild) else { return }
    finding.executable = program
    finding.debugFile = finding.debugFile ?? program
  }

  mutating func fetch(
    _ query: SymbolLayout.Query, accept: (any ObjectImage) -> SearchedPlace.Outcome
  ) -> LocatedImage? {
    guard let result = search.servers?.fetch(query) else { return nil }
    finding.searched += result.searched
    guard let path = result.path else { return nil }
    for image in DebugFileSearch.images(at: path) {
      switch accept(image) {
      case .found, .withoutDebugInfo: return LocatedImage(path: path, image: image, place: .server)
      default: continue
      }
    }
    return nil
  }
}
