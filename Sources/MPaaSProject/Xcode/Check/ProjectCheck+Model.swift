import MPaaSConfig

extension ProjectCheck {
  /// Groups that hold themselves, and what stands in two groups.
  mutating func checkGroups() {
    let isas = file.isas.filter { $0.hasSuffix("Group") }
    var children: [String: [String]] = [:]
    for isa in isas {
      for group in file.objects(isa) { children[group.id] = group.strings("children") }
    }
    for id in cycles(children) {
      report(.groupCycle, ["id": id, "name": file.object(id).map(name) ?? id], id: id, at: offset(of: id))
    }
    var parents: [String: String] = [:]
    for (group, members) in children.sorted(by: { offset(of: $0.key) < offset(of: $1.key) }) {
      for id in Set(members) where file.contains(id) {
        if let other = parents[id], other != group {
          report(
            .twoGroups, ["id": id, "name": file.object(id).map(name) ?? id, "group": other], id: id,
            at: offset(of: group, "children", id))
        }
        parents[id] = group
      }
    }
    // A user cannot find a file that is built and stands in no group.
    for item in file.objects("PBXBuildFile") {
      guard let id = item.string("fileRef"), file.contains(id), parents[id] == nil else { continue }
      report(.noGroup, ["id": id, "name": file.object(id).map(name) ?? id], id: id, at: offset(of: id))
    }
  }

  /// The nodes by which a walk comes back to where it is, one of each cycle.
  private func cycles(_ edges: [String: [String]]) -> [String] {
    var states: [String: Bool] = [:]
    var found: [String] = []
    for start in edges.keys.sorted() where states[start] == nil {
      var stack: [(id: String, next: Int)] = [(start, 0)]
      states[start] = false
      while let top = stack.last {
        let targets = edges[top.id] ?? []
        guard top.next < targets.count else {
          states[top.id] = true
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = targets[top.next]
        switch states[target] {
        case nil where edges[target] != nil:
          states[target] = false
          stack.append((target, 0))
        case false: found.append(target)
        default: break
        }
      }
    }
    return found
  }

  /// Files that are built twice, by two phases, or not at all.
  mutating func checkPhases() {
    for isa in file.isas where isa.hasSuffix("BuildPhase") {
      for phase in file.objects(isa) {
        var seen: Set<String> = []
        for id in phase.strings("files") {
          guard let item = file.object(id), let reference = item.string("fileRef") ?? item.string("productRef") else {
            continue
          }
          if !seen.insert(reference).inserted, file.contains(reference) {
            report(
              .duplicateBuildFile,
              ["id": id, "name": file.object(reference).map(name) ?? reference, "phase": PBXComments.phaseName(phase)],
              id: id, at: offset(of: phase.id, "files", id))
          }
        }
        checkOwners(phase, "buildPhases", .twoOwners)
      }
    }
    for item in file.objects("PBXBuildFile") {
      if item["fileRef"] == nil, item["productRef"] == nil {
        report(.emptyBuildFile, ["id": item.id], id: item.id, at: offset(of: item.id))
      }
      checkOwners(item, "files", .twoPhases)
    }
    for list in file.objects("XCConfigurationList") { checkOwners(list, "buildConfigurationList", .twoOwners) }
    for item in file.objects("XCBuildConfiguration") { checkOwners(item, "buildConfigurations", .twoOwners) }
  }

  /// Checks that what belongs to one object belongs to no other.
  private mutating func checkOwners(_ object: PBXObject, _ key: String, _ rule: ProjectFinding.Rule) {
    let owners = Set(referrers(of: object.id, key)).sorted()
    guard owners.count > 1 else { return }
    let names = owners.map { id in
      file.object(id).map { $0.isa.hasSuffix("BuildPhase") ? "\(PBXComments.phaseName($0)) \(id)" : name($0) } ?? id
    }
    report(
      rule, ["id": object.id, "isa": object.isa, "owners": names.joined(separator: ", ")], id: object.id,
      at: offset(of: object.id))
  }

  mutating func checkTargets() {
    var names: [String: String] = [:]
    var edges: [String: [String]] = [:]
    let projectNames = Set(file.project.map { file.configurations(of: $0).compactMap { $0.string("name") } } ?? [])
    for target in file.targets {
      if let text = target.string("name") {
        if names[text] != nil {
          report(.duplicateTarget, ["id": target.id, "name": text], id: target.id, at: offset(of: target.id))
        }
        names[text] = target.id
      }
      edges[target.id] = target.strings("dependencies").compactMap { file.object($0)?.string("target") }
      checkConfigurations(target, projectNames)
    }
    if let project = file.project { checkConfigurations(project, []) }
    for id in cycles(edges) {
      report(.targetCycle, ["id": id, "name": file.object(id).map(name) ?? id], id: id, at: offset(of: id))
    }
  }

  private mutating func checkConfigurations(_ owner: PBXObject, _ expected: Set<String>) {
    guard let list = owner.string("buildConfigurationList").flatMap({ file.object($0) }),
      list["buildConfigurations"] != nil
    else { return }
    let names = file.configurations(of: owner).compactMap { $0.string("name") }
    let values = ["id": list.id, "name": owner.isa == "PBXProject" ? owner.isa : name(owner)]
    guard !names.isEmpty else { return report(.noConfigurations, values, id: list.id, at: offset(of: list.id)) }
    if let usual = list.string("defaultConfigurationName"), !names.contains(usual) {
      report(
        .defaultConfiguration, values.merging(["configuration": usual]) { $1 }, id: list.id,
        at: offset(of: list.id, "defaultConfigurationName"))
    }
    for text in Set(names).sorted() where names.filter({ $0 == text }).count > 1 {
      report(
        .duplicateConfiguration, values.merging(["configuration": text]) { $1 }, id: list.id, at: offset(of: list.id))
    }
    for text in expected.subtracting(names).sorted() {
      report(
        .missingConfiguration, values.merging(["configuration": text]) { $1 }, id: list.id, at: offset(of: list.id))
    }
  }

  /// Objects that no way leads to from the root: Xcode drops them when it saves the project.
  mutating func checkReach() {
    guard let root = file.project, root.isa == "PBXProject" else { return }
    var reached: Set<String> = [root.id]
    var waiting = [root.id]
    while let id = waiting.popLast() {
      guard let entry = file.entry(id) else { continue }
      let value = file.entries[entry].value
      for node in value..<Int(file.tape.nodes[value].next) where file.tape.isString(node) {
        let text = file.tape.string(node)
        if file.contains(text), reached.insert(text).inserted { waiting.append(text) }
      }
    }
    for entry in file.entries {
      let id = file.tape.string(entry.node)
      guard !reached.contains(id) else { continue }
      let isa = file.kinds[entry.kind]
      report(
        .orphan, ["id": id, "isa": isa, "name": file.object(id).map(name) ?? id], id: id,
        at: Int(file.tape.nodes[entry.node].start))
    }
  }
}
