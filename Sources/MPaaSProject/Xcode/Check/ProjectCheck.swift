import MPaaSConfig
import MPaaSSupport

/// Looks through a project for what does not hold together.
///
/// It finds what no reader of the syntax does: references to nothing, ids that stand there twice, objects that no
/// object names, cycles, versions that no Xcode knows, files that are not on disk.
package struct ProjectCheck {
  let file: PBXProjectFile
  /// The files around the project.
  let surroundings: ProjectSurroundings
  /// Groups and files; nil where the project has no main group.
  let tree: ProjectTree?
  let lines: OldStyleLines
  private(set) var findings: [ProjectFinding] = []
  /// By an object's id: who refers to it, and by which member.
  private var referrers: [String: [(id: String, key: String)]] = [:]

  private init(_ file: PBXProjectFile, _ surroundings: ProjectSurroundings) {
    self.file = file
    self.surroundings = surroundings
    let root = PathWords.plain(file.project?.string("projectDirPath") ?? "")
    tree = file.mainGroup.map { ProjectTree(file, from: $0.id, root: root) }
    lines = OldStyleLines(file.tape, file: file.file)
  }

  /// The faults of a project, by line; a file that is none has its syntax error as the only finding.
  ///
  /// - Parameter surroundings: What lies around the project; where that is not complete, no file is looked for.
  package static func findings(
    in bytes: [UInt8], file: String, surroundings: ProjectSurroundings = .none()
  ) -> [ProjectFinding] {
    let project: PBXProjectFile
    do throws(ConfigError) {
      project = try PBXProjectFile(bytes, file: file)
    } catch {
      return [ProjectFinding(error, file: file)]
    }
    return findings(in: project, surroundings: surroundings)
  }

  package static func findings(
    in file: PBXProjectFile, surroundings: ProjectSurroundings = .none()
  ) -> [ProjectFinding] {
    var check = ProjectCheck(file, surroundings)
    check.checkText()
    check.checkRoot()
    check.checkObjects()
    check.checkGroups()
    check.checkPhases()
    check.checkTargets()
    check.checkReach()
    check.checkFolders()
    check.checkDisk()
    return check.findings.enumerated().sorted { left, right in
      (left.element.place.line, left.offset) < (right.element.place.line, right.offset)
    }.map(\.element)
  }

  mutating func report(
    _ rule: ProjectFinding.Rule, _ values: [String: String] = [:], id: String = "",
    severity: ProjectFinding.Severity? = nil, at offset: Int
  ) {
    findings.append(ProjectFinding(rule, values, id: id, severity: severity, at: lines.place(at: offset)))
  }

  /// The offset of an object's id.
  func offset(of id: String) -> Int {
    file.entry(id).map { Int(file.tape.nodes[file.entries[$0].node].start) } ?? 0
  }

  /// The offset of a member of an object: its value, or a string in it.
  func offset(of id: String, _ key: String, _ text: String? = nil) -> Int {
    guard let entry = file.entry(id), file.tape.nodes[file.entries[entry].value].kind == .dictionary else {
      return offset(of: id)
    }
    for keyNode in file.tape.children(of: file.entries[entry].value) where file.tape.string(keyNode) == key {
      if let text, file.tape.nodes[keyNode + 1].kind == .array {
        for child in file.tape.children(of: keyNode + 1) where file.tape.string(child) == text {
          return Int(file.tape.nodes[child].start)
        }
      }
      return Int(file.tape.nodes[keyNode + 1].start)
    }
    return offset(of: id)
  }

  /// The name of an object in findings.
  func name(_ object: PBXObject) -> String {
    if object.isa.hasSuffix("BuildPhase") { return PBXComments.phaseName(object) }
    return object.displayName ?? object.string("productName") ?? object.id
  }

  // MARK: Objects

  private mutating func checkObjects() {
    var seen: Set<String> = []
    let known = PBXSchema.kinds
    for entry in file.entries {
      let id = file.tape.string(entry.node)
      let start = Int(file.tape.nodes[entry.node].start)
      if !seen.insert(id).inserted { report(.duplicateID, ["id": id], id: id, at: start) }
      guard file.tape.nodes[entry.value].kind == .dictionary else {
        report(.wrongType, ["id": id, "key": id], id: id, at: start)
        continue
      }
      let isa = file.kinds[entry.kind]
      guard !isa.isEmpty else {
        report(.noKind, ["id": id], id: id, at: start)
        continue
      }
      if !known.contains(isa) {
        report(
          .unknownKind, ["id": id, "isa": isa, "near": closestMatch(to: isa, among: known) ?? ""], id: id, at: start)
      }
      check(PBXObject(id: id, members: file.tape.project(entry.value).members ?? []))
    }
  }

  private mutating func check(_ object: PBXObject) {
    for key in PBXSchema.required(object.isa) where object[key] == nil {
      // Files and groups may have a name instead; a product's path comes from its target.
      if key == "path", object["name"] != nil { continue }
      report(
        .missingMember, ["id": object.id, "isa": object.isa, "key": key, "name": name(object)], id: object.id,
        at: offset(of: object.id))
    }
    for reference in PBXSchema.references(object.isa) {
      guard let value = object[reference.key] else { continue }
      switch (value, reference.isList) {
      case (.string(let id), false): follow(id, reference, from: object)
      case (.array(let values), true):
        for value in values {
          if let id = value.string { follow(id, reference, from: object) } else { wrongType(object, reference.key) }
        }
        checkTwice(values, reference.key, object)
      // Some write nothing as an empty string or list.
      case (.string(""), true), (.array([]), false): continue
      default: wrongType(object, reference.key)
      }
    }
    if object.isa == "PBXContainerItemProxy", object.string("containerPortal") == file.project?.id,
      let id = object.string("remoteGlobalIDString"), object.string("proxyType") == "1"
    {
      follow(id, PBXSchema.Reference(key: "remoteGlobalIDString", target: .target), from: object)
    }
    for key in ["buildSettings", "attributes", "settings"] {
      if let value = object[key], value.members == nil { wrongType(object, key) }
    }
  }

  private mutating func wrongType(_ object: PBXObject, _ key: String) {
    report(.wrongType, ["id": object.id, "key": key], id: object.id, at: offset(of: object.id, key))
  }

  private mutating func follow(_ id: String, _ reference: PBXSchema.Reference, from object: PBXObject) {
    guard !id.isEmpty else { return }
    let values = ["id": object.id, "isa": object.isa, "key": reference.key, "name": name(object), "to": id]
    guard let entry = file.entry(id) else {
      report(.dangling, values, id: object.id, at: offset(of: object.id, reference.key, id))
      return
    }
    referrers[id, default: []].append((object.id, reference.key))
    let isa = file.kinds[file.entries[entry].kind]
    guard !isa.isEmpty, PBXSchema.kinds.contains(isa), !reference.target.allows(isa) else { return }
    report(
      .wrongKind, values.merging(["found": isa]) { $1 }, id: object.id, at: offset(of: object.id, reference.key, id))
  }

  private mutating func checkTwice(_ values: [PBXValue], _ key: String, _ object: PBXObject) {
    var seen: Set<String> = []
    for id in values.compactMap(\.string) where !seen.insert(id).inserted {
      report(
        .twice, ["id": object.id, "key": key, "name": name(object), "to": id], id: object.id,
        at: offset(of: object.id, key, id))
    }
  }

  /// The objects that name an object by a member.
  func referrers(of id: String, _ key: String) -> [String] {
    (referrers[id] ?? []).filter { $0.key == key }.map(\.id)
  }
}

extension Place {
  fileprivate var line: Int {
    if case .text(_, let line, _) = self { line } else { 0 }
  }
}
