extension PBXObjects {
  /// The one `PBXProject`.
  package var project: PBXObject? {
    rootMembers.value(of: "rootObject")?.string.flatMap { object($0) } ?? objects("PBXProject").first
  }

  /// The targets in the order that the project lists them.
  package var targets: [PBXObject] {
    project?.strings("targets").compactMap { object($0) } ?? []
  }

  package func target(named name: String) -> PBXObject? {
    targets.first { $0.string("name") == name }
  }

  /// The build configurations of a target or of the project, in the order of their list.
  package func configurations(of owner: PBXObject) -> [PBXObject] {
    guard let list = owner.string("buildConfigurationList").flatMap({ object($0) }) else { return [] }
    return list.strings("buildConfigurations").compactMap { object($0) }
  }

  package func buildPhases(of target: PBXObject) -> [PBXObject] {
    target.strings("buildPhases").compactMap { object($0) }
  }

  /// The first build phase of a kind: `PBXFrameworksBuildPhase`.
  package func buildPhase(_ isa: String, of target: PBXObject) -> PBXObject? {
    buildPhases(of: target).first { $0.isa == isa }
  }

  package var mainGroup: PBXObject? { project?.string("mainGroup").flatMap { object($0) } }

  package func children(of group: PBXObject) -> [PBXObject] {
    group.strings("children").compactMap { object($0) }
  }

  package func packageReferences() -> [PBXObject] {
    project?.strings("packageReferences").compactMap { object($0) } ?? []
  }

  package func synchronizedGroups(of target: PBXObject) -> [PBXObject] {
    target.strings("fileSystemSynchronizedGroups").compactMap { object($0) }
  }
}
