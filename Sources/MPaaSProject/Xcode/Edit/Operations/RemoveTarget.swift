import MPaaSSupport

/// Takes targets out of the project, with all that is theirs: phases, rules, settings, product and what waits for it.
///
/// Files stay in the project and on disk.
package struct RemoveTarget: ProjectOperation {
  package static var word: String { "remove-target" }

  package var names: [String] = []

  package init() {}

  package init(_ names: [String]) {
    self.names = names
  }

  package static var parameters: [EditParameter<Self>] {
    [.requiredTexts("names", \.names, .argument("remove-target.names", "name"))]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for name in names {
      let all = try editor.targets().filter { $0 == name || editor.targetName($0) == name }
      guard !all.isEmpty else {
        editor.note(.absent, name)
        continue
      }
      for target in all { try editor.remove(target: target) }
    }
  }
}

extension ProjectEditor {
  fileprivate mutating func remove(target: ID) throws(ProjectEditError) {
    let project = try project()
    try removeUses(of: target)
    let others = try targets().filter { $0 != target }
    for phase in phases(target) where !others.contains(where: { phases($0).contains(phase) }) {
      for entry in list(phase, "files") { drop(entry) }
      removeExceptionSets(of: phase, "buildPhase")
      drop(phase)
    }
    removeExceptionSets(of: target, "target")
    for rule in buildRules(of: target) { drop(rule) }
    for dependency in dependencies(of: target) { drop(dependency: dependency) }
    for product in list(target, "packageProductDependencies") where !isUsed(product, besides: target) { drop(product) }
    // A damaged project may have one list for two owners, of which the other keeps it.
    let key = "buildConfigurationList"
    if let list = text(target, key), !(others + [project]).contains(where: { text($0, key) == list }) {
      for configuration in self.list(list, "buildConfigurations") { drop(configuration) }
      drop(list)
    }
    remove(target, from: "targets", of: project)
    try removeAttributes(of: target, project)
    drop(target)
    for scheme in try schemes(holding: "BlueprintIdentifier = \"\(target)\"") { note(.schemeTarget, scheme) }
  }

  /// Removes the uses of it in other targets: dependencies, its product in their phases, a place to be tested in.
  private mutating func removeUses(of target: ID) throws(ProjectEditError) {
    let others = try targets().filter { $0 != target }
    for other in others {
      for dependency in dependencies(of: other) where text(dependency, "target") == target {
        remove(dependency, from: "dependencies", of: other)
        drop(dependency: dependency)
      }
    }
    let project = try project()
    for proxy in all("PBXContainerItemProxy") where text(proxy, "remoteGlobalIDString") == target {
      if text(proxy, "containerPortal") == project { drop(proxy) }
    }
    guard let product = text(target, "productReference") else { return }
    removeBuildFiles(for: product, of: others)
    for other in others {
      for phase in phases(other) where isa(phase) == "PBXCopyFilesBuildPhase" && list(phase, "files").isEmpty {
        guard text(phase, "name")?.hasPrefix("Embed ") == true else { continue }
        remove(phase, from: "buildPhases", of: other)
        drop(phase)
      }
    }
    try detach(product)
    drop(product)
  }

  private mutating func drop(dependency: ID) {
    if let proxy = text(dependency, "targetProxy") { drop(proxy) }
    drop(dependency)
  }

  private func isUsed(_ product: ID, besides target: ID) -> Bool {
    guard let others = try? targets().filter({ $0 != target }) else { return false }
    return others.contains { other in
      list(other, "packageProductDependencies").contains(product)
        || phases(other).contains { buildFile(for: product, in: $0) != nil }
    }
  }

  /// Takes the exceptions that name something under a key out of synchronized folders.
  private mutating func removeExceptionSets(of owner: ID, _ key: String) {
    for folder in all("PBXFileSystemSynchronizedRootGroup") {
      for set in list(folder, "exceptions") where text(set, key) == owner {
        remove(set, from: "exceptions", of: folder)
        drop(set)
      }
      if self[folder, "exceptions"] != nil, list(folder, "exceptions").isEmpty {
        set(folder, "exceptions", PBXValue?.none)
      }
    }
  }

  private mutating func removeAttributes(of target: ID, _ project: ID) throws(ProjectEditError) {
    guard var all = self[project, "attributes"], let byTarget = all["TargetAttributes"]?.members else { return }
    var left: [PBXMember] = []
    for var member in byTarget where member.key != target {
      if member.value["TestTargetID"]?.string == target {
        member.value["TestTargetID"] = nil
        note(.testHost, targetName(member.key))
        if member.value.members?.isEmpty ?? true { continue }
      }
      left.append(member)
    }
    all["TargetAttributes"] = left.isEmpty ? nil : .dictionary(left)
    set(project, "attributes", all)
  }
}
