import MPaaSSupport
import Synchronization

/// The object files at and below the paths that a user gave, by build ID and by name; scanned once, at the first question.
///
/// Of each file only the header, the tables and the notes are read.
final class GivenPaths: Sendable {
  struct Index: Sendable {
    /// Files of a build, those with DWARF first.
    var builds: [BuildID: [String]] = [:]
    /// Images by file name without `.debug`, for near misses.
    var names: [String: [(path: String, id: BuildID?)]] = [:]
    /// Split files (`.dwo`) by name.
    var splits: [String: [String]] = [:]
    /// The same as `builds` by the 16 bytes that Breakpad keeps of a build ID.
    var prefixes: [BuildID: [String]] = [:]

    /// Files of a build, those with DWARF first; also those that only know 16 bytes of its ID.
    func files(of id: BuildID) -> [String] {
      builds[id] ?? BuildID(id.bytes.prefix(16)).flatMap { prefixes[$0] } ?? []
    }
  }

  let paths: [String]
  private let index = Mutex<Index?>(nil)
  /// Folders that a layout arranges: a build is found in them by its path.
  private let stores = Mutex<Set<String>>([])

  /// Folders below folders are followed this far.
  private static let deepest = 40

  init(_ paths: [String]) {
    self.paths = paths
  }

  var contents: Index {
    index.withLock { index in
      if let known = index { return known }
      var scan = Scan()
      let stores = stores.withLock { $0 }
      for path in paths where !stores.contains(path) && !Self.isArranged(path) { scan.visit(path, depth: 0) }
      index = scan.index
      return scan.index
    }
  }

  /// From now on the folder is not gone through, unless it was already.
  func markStore(_ root: String) {
    _ = stores.withLock { $0.insert(root) }
  }

  private static func isArranged(_ path: String) -> Bool {
    (try? FileSystem.names(in: path)).map(SymbolLayout.arranges) ?? false
  }

  /// A file's name as far as an image and its debug file share it.
  static func stem(_ path: String) -> String {
    let name = FileSystem.name(of: path)
    for ending in [".debug", ".dbg", ".sym"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
    return name
  }

  private struct Scan {
    var index = Index()
    var folders: Set<[UInt64]> = []

    mutating func visit(_ path: String, depth: Int) {
      guard let status = FileStatus(path), depth <= GivenPaths.deepest else { return }
      switch status.kind {
      case .file: add(path)
      case .folder:
        // A link may lead back up.
        guard folders.insert(status.identity).inserted, let names = try? FileSystem.names(in: path) else { return }
        let base = path.hasSuffix("/") ? path : path + "/"
        for name in names { visit(base + name, depth: depth + 1) }
      case .other: break
      }
    }

    private mutating func add(_ path: String) {
      for image in DebugFileSearch.images(at: path) {
        let id = image.buildID
        if image.hasSplitSections, id == nil { index.splits[FileSystem.name(of: path), default: []].append(path) }
        index.names[GivenPaths.stem(path), default: []].append((path, id))
        guard let id else { continue }
        if let prefix = BuildID(id.bytes.prefix(16)) { index.prefixes[prefix, default: []].append(path) }
        if image.hasDebugInfo {
          index.builds[id, default: []].insert(path, at: 0)
        } else {
          index.builds[id, default: []].append(path)
        }
      }
    }
  }
}
