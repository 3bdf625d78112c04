/// The members that the kinds of objects must have.
enum PBXSchema {
  /// The kinds that a reference may lead to.
  enum Target {
    case any
    /// Files, groups, and what stands for them.
    case item
    case group
    case target
    case phase
    case kinds(Set<String>)

    func allows(_ isa: String) -> Bool {
      switch self {
      case .any: true
      case .item: isa == "PBXFileReference" || isa == "PBXReferenceProxy" || Self.isGroup(isa)
      case .group: Self.isGroup(isa)
      case .target: isa.hasSuffix("Target")
      case .phase: isa.hasSuffix("BuildPhase")
      case .kinds(let kinds): kinds.contains(isa)
      }
    }

    private static func isGroup(_ isa: String) -> Bool { isa.hasSuffix("Group") }
  }

  struct Reference {
    let key: String
    let target: Target
    var isList = false
  }

  /// The members of a kind that name other objects.
  static func references(_ isa: String) -> [Reference] {
    if let known = table[isa] { return known }
    if isa.hasSuffix("BuildPhase") { return phase }
    if isa.hasSuffix("Target") { return target }
    return []
  }

  /// The members without which an object of a kind says nothing.
  static func required(_ isa: String) -> [String] {
    switch isa {
    case "PBXProject": ["buildConfigurationList", "mainGroup", "targets"]
    case "PBXNativeTarget": ["buildConfigurationList", "buildPhases", "name"]
    case "PBXAggregateTarget", "PBXLegacyTarget": ["buildConfigurationList", "name"]
    case "PBXGroup", "PBXVariantGroup", "XCVersionGroup": ["children"]
    case "XCConfigurationList": ["buildConfigurations"]
    case "XCBuildConfiguration": ["name"]
    case "PBXContainerItemProxy": ["containerPortal"]
    case "XCSwiftPackageProductDependency": ["productName"]
    case "XCRemoteSwiftPackageReference": ["repositoryURL"]
    case "XCLocalSwiftPackageReference": ["relativePath"]
    case "PBXFileReference": ["path"]
    case "PBXReferenceProxy": ["remoteRef"]
    case "PBXFileSystemSynchronizedRootGroup": ["path"]
    case "PBXFileSystemSynchronizedBuildFileExceptionSet": ["target"]
    case "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet": ["buildPhase"]
    default: []
    }
  }

  private static let phase = [Reference(key: "files", target: .kinds(["PBXBuildFile"]), isList: true)]

  private static let configurations = Reference(key: "buildConfigurationList", target: .kinds(["XCConfigurationList"]))

  private static let target = [
    configurations,
    Reference(key: "buildPhases", target: .phase, isList: true),
    Reference(key: "buildRules", target: .kinds(["PBXBuildRule"]), isList: true),
    Reference(key: "dependencies", target: .kinds(["PBXTargetDependency"]), isList: true),
    Reference(
      key: "fileSystemSynchronizedGroups", target: .kinds(["PBXFileSystemSynchronizedRootGroup"]), isList: true),
    Reference(
      key: "packageProductDependencies", target: .kinds(["XCSwiftPackageProductDependency"]), isList: true),
    Reference(key: "productReference", target: .item),
  ]

  private static let groups = [Reference(key: "children", target: .item, isList: true)]

  private static let table: [String: [Reference]] = [
    "PBXBuildFile": [
      Reference(key: "fileRef", target: .item),
      Reference(key: "productRef", target: .kinds(["XCSwiftPackageProductDependency"])),
    ],
    "PBXGroup": groups, "PBXVariantGroup": groups,
    "XCVersionGroup": groups + [Reference(key: "currentVersion", target: .item)],
    "PBXProject": [
      configurations,
      Reference(key: "mainGroup", target: .group),
      Reference(key: "productRefGroup", target: .group),
      Reference(key: "targets", target: .target, isList: true),
      Reference(
        key: "packageReferences",
        target: .kinds(["XCRemoteSwiftPackageReference", "XCLocalSwiftPackageReference"]), isList: true),
    ],
    "PBXTargetDependency": [
      Reference(key: "target", target: .target),
      Reference(key: "targetProxy", target: .kinds(["PBXContainerItemProxy"])),
      Reference(key: "productRef", target: .kinds(["XCSwiftPackageProductDependency"])),
    ],
    "PBXContainerItemProxy": [
      Reference(key: "containerPortal", target: .kinds(["PBXProject", "PBXFileReference", "PBXReferenceProxy"]))
    ],
    "PBXReferenceProxy": [Reference(key: "remoteRef", target: .kinds(["PBXContainerItemProxy"]))],
    "XCConfigurationList": [
      Reference(key: "buildConfigurations", target: .kinds(["XCBuildConfiguration"]), isList: true)
    ],
    "XCBuildConfiguration": [
      Reference(key: "baseConfigurationReference", target: .item),
      Reference(key: "baseConfigurationReferenceAnchor", target: .group),
    ],
    "XCSwiftPackageProductDependency": [
      Reference(
        key: "package", target: .kinds(["XCRemoteSwiftPackageReference", "XCLocalSwiftPackageReference"]))
    ],
    "PBXFileSystemSynchronizedRootGroup": [
      Reference(
        key: "exceptions",
        target: .kinds([
          "PBXFileSystemSynchronizedBuildFileExceptionSet",
          "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet",
        ]), isList: true)
    ],
    "PBXFileSystemSynchronizedBuildFileExceptionSet": [Reference(key: "target", target: .target)],
    "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet": [Reference(key: "buildPhase", target: .phase)],
    // Kinds without references; old projects have PBXBuildStyle for build settings.
    "PBXBuildStyle": [], "PBXBuildRule": [], "PBXFileReference": [], "XCRemoteSwiftPackageReference": [],
    "XCLocalSwiftPackageReference": [],
  ]

  /// Kinds that are known beside those of the table.
  private static let others: Set<String> = [
    "PBXNativeTarget", "PBXAggregateTarget", "PBXLegacyTarget", "PBXSourcesBuildPhase", "PBXFrameworksBuildPhase",
    "PBXResourcesBuildPhase", "PBXHeadersBuildPhase", "PBXCopyFilesBuildPhase", "PBXShellScriptBuildPhase",
    "PBXRezBuildPhase", "PBXAppleScriptBuildPhase", "PBXJavaArchiveBuildPhase", "PBXApplicationTarget",
    "PBXFrameworkTarget", "PBXLibraryTarget", "PBXToolTarget", "PBXBundleTarget", "PBXFrameworkReference",
    "PBXLibraryReference", "PBXApplicationReference", "PBXBundleReference", "PBXExecutableFileReference",
    "PBXZipArchiveReference", "PBXCopyFilesBuildPhase", "PBXStandardTarget", "PBXGroup", "PBXHeadersBuildPhase",
  ]

  static var kinds: Set<String> { others.union(table.keys) }
}
