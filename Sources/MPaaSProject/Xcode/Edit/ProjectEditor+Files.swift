import MPaaSSupport

extension ProjectEditor {
  /// The group of a name, a path of names, a path of folders or an id.
  ///
  /// - Throws: `edit-no-group`, `edit-ambiguous`.
  mutating func group(_ word: String) throws(ProjectEditError) -> ProjectTree.Node {
    let tree = try tree()
    guard let main = tree.main else { throw broken("mainGroup") }
    if ["", "/", "."].contains(word) { return main }
    let groups = tree.nodes.filter { $0.isGroup && $0.id != main.id }
    let word = word.hasSuffix("/") ? String(word.dropLast()) : word
    for matches in [
      groups.filter { $0.id == word }, groups.filter { $0.names == word }, groups.filter { $0.path == word },
      groups.filter { $0.name == word },
    ] where !matches.isEmpty { return try one(of: matches, word) }
    let names = groups.flatMap { [$0.names, $0.name] }
    throw ProjectEditError(.noGroup, ["group": word, "suggestion": closestMatch(to: word, among: names) ?? "–"])
  }

  /// Files, groups and synchronised folders of a path, a path of names, a name or an id.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: `edit-ambiguous`.
  mutating func node(_ word: String) throws(ProjectEditError) -> ProjectTree.Node? {
    let tree = try tree()
    let nodes = tree.nodes.dropFirst()
    let plain = PathWords.plain(word)
    for matches in [
      nodes.filter { $0.id == word }, nodes.filter { $0.path == plain }, nodes.filter { $0.names == word },
      nodes.filter { $0.name == word }, nodes.filter { text($0.id, "path") == word },
    ] where !matches.isEmpty { return try one(of: matches, word) }
    return nil
  }

  /// As `node`, for what has to be there.
  ///
  /// - Throws: `edit-no-file`, `edit-ambiguous`.
  mutating func existing(_ word: String) throws(ProjectEditError) -> ProjectTree.Node {
    if let node = try node(word) { return node }
    let names = try tree().nodes.dropFirst().flatMap { [$0.path, $0.name] }
    throw ProjectEditError(.noFile, ["file": word, "suggestion": closestMatch(to: word, among: names) ?? "–"])
  }

  /// A file is rather meant than a group of the same name and place.
  private func one(of matches: [ProjectTree.Node], _ word: String) throws(ProjectEditError) -> ProjectTree.Node {
    let files = matches.filter { !$0.isGroup }
    let best = files.count == 1 ? files : matches
    guard let first = best.first, best.count == 1 else {
      let found = best.map { "\($0.names) (\($0.id))" }
      throw ProjectEditError(.ambiguous, ["name": word, "found": Self.shown(found)])
    }
    return first
  }

  /// The group for a folder; groups for folders that have none are made.
  mutating func madeGroup(for folder: String) throws(ProjectEditError) -> ProjectTree.Node {
    guard let (node, rest) = try tree().group(for: folder) else { throw broken("mainGroup") }
    var parent = node
    for (index, part) in rest.enumerated() {
      // A way up leads to no group of its own.
      let path = part == ".." ? rest[index...].joined(separator: "/") : part
      parent = try addGroup(PathWords.last(path), path: path, in: parent.id, at: .last)
      if part == ".." { break }
    }
    return parent
  }

  @discardableResult
  mutating func addGroup(
    _ name: String, path: String?, in parent: ID, at position: EditPosition, id: ID? = nil
  ) throws(ProjectEditError) -> ProjectTree.Node {
    var members: [(String, PBXValue)] = [("children", .array([])), ("sourceTree", .string("<group>"))]
    if let path { members.append(("path", .string(path))) }
    if path.map(PathWords.last) != name { members.append(("name", .string(name))) }
    let id = add("PBXGroup", seed: parent + "\0" + name, members, id: id)
    try insert(id, into: "children", of: parent, at: position)
    guard let node = try tree()[id] else { throw broken("children") }
    return node
  }

  // MARK: - References

  /// The properties of a reference to a file besides its place.
  struct ReferenceLook {
    var name: String?
    var type: String?
    /// nil for what follows from the path.
    var sourceTree: String?
    var attributes: [(String, PBXValue)] = []
    var id: ID?
  }

  /// Adds a reference to a file to a group, or finds the one that is there.
  ///
  /// - Parameter path: From the project's folder, or absolute; with a source tree from that.
  mutating func reference(
    _ path: String, in group: ProjectTree.Node, _ look: ReferenceLook = ReferenceLook(), at position: EditPosition
  ) throws(ProjectEditError) -> ID {
    let way = path.hasPrefix("/") ? nil : PathWords.way(to: path, from: group.path)
    let root = look.sourceTree ?? (path.hasPrefix("/") ? "<absolute>" : way == nil ? "SOURCE_ROOT" : "<group>")
    let own = look.sourceTree == nil ? way ?? path : path
    let name = look.name ?? PathWords.last(path)
    var members =
      look.attributes + [
        ("lastKnownFileType", .string(look.type ?? FileKind(path: path).type)), ("path", .string(own)),
        ("sourceTree", .string(root)),
      ]
    if name != own { members.append(("name", .string(name))) }
    let id = add("PBXFileReference", seed: group.id + "\0" + own, members, id: look.id)
    try insert(id, named: name, into: "children", of: group.id, at: position)
    return id
  }

  /// Takes a file or a group with all that is in it out of the project.
  ///
  /// - Throws: `edit-product` where it is made by a target.
  mutating func removeNode(_ id: ID) throws(ProjectEditError) {
    let targets = try targets()
    for child in list(id, "children") { try removeNode(child) }
    if let maker = targets.first(where: { text($0, "productReference") == id }) {
      throw ProjectEditError(
        .product, ["file": names(of: id).first ?? id, "target": targetName(maker)])
    }
    removeBuildFiles(for: id, of: targets)
    for configuration in all("XCBuildConfiguration") where text(configuration, "baseConfigurationReference") == id {
      set(configuration, "baseConfigurationReference", String?.none)
    }
    try detach(id)
    drop(id)
  }

  /// Takes something out of the groups that it is in.
  mutating func detach(_ id: ID) throws(ProjectEditError) {
    for isa in ["PBXGroup", "PBXVariantGroup", "XCVersionGroup"] {
      for group in all(isa) { remove(id, from: "children", of: group) }
    }
  }
}
