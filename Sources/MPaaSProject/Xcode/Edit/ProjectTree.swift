/// Groups and files of a project, from the main group down, with the places they stand for.
struct ProjectTree {
  struct Node {
    let id: ProjectEditor.ID
    let parent: ProjectEditor.ID?
    /// As Xcode shows it.
    let name: String
    /// The names from the main group down, joined by slashes; empty for the main group.
    let names: String
    /// From the project's folder, or with a root of its own: `/usr/lib/x`, `$(SDKROOT)/usr/lib/x`.
    let path: String
    let isGroup: Bool
    /// Tells whether it is a group that goes by a folder.
    let isSynchronised: Bool
  }

  /// In the order in which Xcode shows them.
  private(set) var nodes: [Node] = []
  private var indices: [ProjectEditor.ID: Int] = [:]

  /// - Parameter root: Where paths begin: the project's `projectDirPath`, from the folder of its `.xcodeproj`.
  init(_ objects: some PBXObjects, from main: ProjectEditor.ID, root: String = "") {
    var rest: [(id: ProjectEditor.ID, parent: Int?)] = [(main, nil)]
    while let (id, parent) = rest.popLast() {
      // An object that is in two groups, or in itself, counts where it comes first.
      guard indices[id] == nil, let object = objects.object(id) else { continue }
      let above = parent.map { nodes[$0] }
      let path = object.string("path")
      let name = object.string("name") ?? path.map(PathWords.last) ?? ""
      let isGroup = object["children"] != nil
      let node = Node(
        id: id, parent: above?.id, name: name,
        names: above.map { $0.names.isEmpty ? name : $0.names + "/" + name } ?? "",
        path: Self.place(path ?? "", object.string("sourceTree"), above?.path ?? root, root), isGroup: isGroup,
        isSynchronised: object.isa == "PBXFileSystemSynchronizedRootGroup")
      indices[id] = nodes.count
      nodes.append(node)
      let index = nodes.count - 1
      if isGroup { rest += object.strings("children").reversed().map { ($0, index) } }
    }
  }

  private static func place(_ path: String, _ sourceTree: String?, _ parent: String, _ root: String) -> String {
    switch sourceTree {
    case nil, "<group>": PathWords.joined(parent, path)
    case "SOURCE_ROOT": PathWords.joined(root, path)
    case "<absolute>": path
    case let root?: "$(" + root + ")/" + path
    }
  }

  subscript(id: ProjectEditor.ID) -> Node? { indices[id].map { nodes[$0] } }

  var main: Node? { nodes.first }

  /// The group for a folder and the rest of the way to it: the deepest group that stands for the folder or one above
  /// it.
  func group(for folder: String) -> (node: Node, rest: [String])? {
    guard let main else { return nil }
    var best = (node: main, depth: -1)
    let wanted = folder.split(separator: "/").map(String.init)
    for node in nodes
    where node.isGroup && !node.path.hasPrefix("$(") && node.path.hasPrefix("/") == folder.hasPrefix("/") {
      let own = node.path.split(separator: "/").map(String.init)
      guard own.count > best.depth, wanted.starts(with: own) else { continue }
      // The first of several for the same folder is taken; a group without a path of its own only where it is the main
      // one.
      best = (node, own.count)
    }
    guard best.depth >= 0 else { return (main, folder.hasPrefix("/") ? [] : wanted) }
    return (best.node, Array(wanted.dropFirst(best.depth)))
  }
}

// MARK: - Synchronized folders

/// A path that lies in a synchronized folder.
struct SynchronizedFile {
  let folder: ProjectTree.Node
  /// From the folder.
  let file: String
}

extension ProjectTree {
  /// The synchronized folders that a path lies in, the innermost first; each may be another target's.
  func synchronized(holding path: String) -> [SynchronizedFile] {
    nodes.filter(\.isSynchronised).compactMap { node in
      if node.path.isEmpty {
        return path.hasPrefix("/") || path.hasPrefix("..") || path.hasPrefix("$")
          ? nil : SynchronizedFile(folder: node, file: path)
      }
      guard path.hasPrefix(node.path + "/") else { return nil }
      return SynchronizedFile(folder: node, file: String(path.dropFirst(node.path.count + 1)))
    }.sorted { $0.folder.path.count > $1.folder.path.count }
  }
}

extension PBXObjects {
  /// Tells if a target builds a file of a synchronized folder because it lies there.
  ///
  /// An exception turns round what holds for the folder: a target that has it does without the file, another has the
  /// file.
  func builds(_ place: SynchronizedFile, _ target: String) -> Bool {
    isGiven(place.folder.id, target) != (exception(for: place, target) != nil)
  }

  func isGiven(_ folder: String, _ target: String) -> Bool {
    object(target)?.strings("fileSystemSynchronizedGroups").contains(folder) ?? false
  }

  /// The entry by which a target's exceptions name a file: its path, that of a folder around it, or its name where it
  /// is localized; nil where they do not name it.
  func exception(for place: SynchronizedFile, _ target: String) -> String? {
    let entries = (object(place.folder.id)?.strings("exceptions") ?? []).compactMap { object($0) }
      .filter { $0.isa == "PBXFileSystemSynchronizedBuildFileExceptionSet" && $0.string("target") == target }
      .flatMap { $0.strings("membershipExceptions") }
    let localized = RegionalPath(place.file).map { "/Localized: " + $0.name }
    return entries.first { $0 == place.file }
      ?? entries.first { place.file.hasPrefix($0 + "/") || $0 == localized }
  }
}
