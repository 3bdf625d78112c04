import MPaaSArchive
import MPaaSSupport
import Synchronization

/// The object files at and below the paths that a user gave, by build ID and by name; scanned once, at the first question.
///
/// Only the header, the tables and the notes of each file are read.
final class GivenPaths: Sendable {
  struct Index: Sendable {
    /// Files of a build, those with DWARF first.
    var builds: [BuildID: [String]] = [:]
    /// Images by file name without `.debug`, for near misses.
    var names: [String: [(path: String, id: BuildID?)]] = [:]
    /// Split files (`.dwo`) by name.
    var splits: [String: [String]] = [:]
    /// Object files of Mach-O and libraries of them, by name: what a debug map may point to.
    var objects: [String: [String]] = [:]
    /// Symbol maps by the UUID that names them.
    var symbolMaps: [BuildID: String] = [:]
    /// Archives that could not be read to their end.
    var unreadable: [String: ArchiveError] = [:]
    /// The same as `builds` by the 16 bytes that Breakpad keeps of a build ID.
    var prefixes: [BuildID: [String]] = [:]

    /// Files of a build, those with DWARF first; also those that only know 16 bytes of its ID.
    func files(of id: BuildID) -> [String] {
      let exact = builds[id] ?? []
      guard let others = BuildID(id.bytes.prefix(16)).flatMap({ prefixes[$0] }) else { return exact }
      return exact + others.filter { !exact.contains($0) }
    }
  }

  let paths: [String]
  private let archives = GivenArchives()
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
      var scan = Scan(archives: archives)
      let stores = stores.withLock { $0 }
      for path in paths where !stores.contains(path) && !Self.isArranged(path) { scan.visit(path, depth: 0) }
      index = scan.index
      return scan.index
    }
  }

  /// The content of a file, also of one inside an archive given; nil where there is none.
  func bytes(at path: String) -> Bytes? {
    if FileStatus(path)?.kind == .file { return try? Bytes.mapping(path) }
    guard !paths.isEmpty, FileContent.split(path) != nil else { return nil }
    _ = contents
    return archives.bytes(at: path)
  }

  /// The images of a file, also of one inside an archive given; nil where there is no such file.
  func images(at path: String) -> [any ObjectImage]? {
    bytes(at: path).map { ObjectFile.matches($0) ? (try? ObjectFile.images($0)) ?? [] : [] }
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
    let archives: GivenArchives
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
      if let id = SymbolMapSearch.buildID(ofName: FileSystem.name(of: path)) { index.symbolMaps[id] = path }
      guard let bytes = try? Bytes.mapping(path) else { return }
      if StaticLibrary.matches(bytes) {
        index.objects[FileSystem.name(of: path), default: []].append(path)
      } else if ArchiveReader.matches(bytes) {
        addMembers(of: bytes, path)
      } else {
        add(bytes, path)
      }
    }

    /// Notes what an archive holds that symbolication can use: object files, symbol maps and lists of UUIDs.
    private mutating func addMembers(of bytes: Bytes, _ path: String) {
      do throws(ArchiveError) {
        try ArchiveReader().entries(of: bytes, name: FileSystem.name(of: path)) { (entry) throws(ArchiveError) in
          let inner = path + "/" + entry.path
          let mapID = SymbolMapSearch.buildID(ofName: FileSystem.name(of: inner))
          if let mapID { index.symbolMaps[mapID] = inner }
          let isObject = ObjectFile.matches(try entry.head(ObjectFile.headSize))
          guard isObject || mapID != nil || inner.hasSuffix(".plist") else { return true }
          let content = try entry.body()
          archives.add(inner, archive: path, member: entry.path, content: content)
          if isObject { add(content, inner) }
          return true
        }
      } catch {
        index.unreadable[path] = error
      }
    }

    private mutating func add(_ bytes: Bytes, _ path: String) {
      guard ObjectFile.matches(bytes), let images = try? ObjectFile.images(bytes) else { return }
      for image in images {
        let id = image.buildID
        if image.format == .machO, image.kind == .object {
          index.objects[FileSystem.name(of: path), default: []].append(path)
        }
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
