/// The comments that Xcode writes behind an id to tell people which object it is: `/* A.swift in Sources */`.
struct PBXComments {
  /// The habits of the Xcode that wrote a file.
  struct Style {
    /// Xcode 26.3 and later: `Debug configuration for PBXNativeTarget "App"`.
    var namesOwnersOfConfigurations = false
    /// Xcode 16.3 and later: `Exceptions for "App" folder in "App" target`.
    var namesExceptionSets = true
    /// A file without comments stays so.
    var isSilent = false
  }

  let objects: any PBXObjects
  let style: Style
  /// By the id of a build file: what its phase is called.
  private let phases: [String: String]
  /// By the id of a configuration list: who has it.
  private let owners: [String: PBXObject]
  /// By the id of a configuration: the list.
  private let lists: [String: String]
  /// By the id of an exception set: the synchronised group.
  private let groups: [String: PBXObject]

  init(_ objects: any PBXObjects, style: Style, isas: [String]) {
    self.objects = objects
    self.style = style
    var phases: [String: String] = [:]
    var owners: [String: PBXObject] = [:]
    var lists: [String: String] = [:]
    var groups: [String: PBXObject] = [:]
    if !style.isSilent {
      for isa in isas {
        if isa.hasSuffix("BuildPhase") {
          for phase in objects.objects(isa) {
            let name = Self.phaseName(phase)
            for file in phase.strings("files") { phases[file] = name }
          }
        } else if isa.hasSuffix("Target") || isa == "PBXProject" {
          for owner in objects.objects(isa) {
            if let list = owner.string("buildConfigurationList") { owners[list] = owner }
          }
        } else if isa == "PBXFileSystemSynchronizedRootGroup" {
          for group in objects.objects(isa) { for id in group.strings("exceptions") { groups[id] = group } }
        }
      }
      if style.namesOwnersOfConfigurations {
        for list in objects.objects("XCConfigurationList") {
          for id in list.strings("buildConfigurations") { lists[id] = list.id }
        }
      }
    }
    self.phases = phases
    self.owners = owners
    self.lists = lists
    self.groups = groups
  }

  /// The comment behind the id; nil where nothing does.
  func comment(of id: String) -> String? {
    guard !style.isSilent, let object = objects.object(id) else { return nil }
    return comment(of: object)?.replacing("*/", with: "* /")
  }

  private func comment(of object: PBXObject) -> String? {
    switch object.isa {
    case "PBXProject": "Project object"
    case "PBXBuildFile": buildFile(object)
    case "XCConfigurationList":
      owners[object.id].map { "Build configuration list for \($0.isa) \"\(ownerName($0))\"" }
    case "XCBuildConfiguration": configuration(object)
    case "PBXContainerItemProxy", "PBXTargetDependency", "PBXBuildRule": object.isa
    case "XCRemoteSwiftPackageReference":
      "\(object.isa) \"\(Self.repositoryName(object.string("repositoryURL") ?? ""))\""
    case "XCLocalSwiftPackageReference": "\(object.isa) \"\(object.string("relativePath") ?? "")\""
    case "XCSwiftPackageProductDependency": Self.productName(object.string("productName") ?? "")
    case "PBXFileSystemSynchronizedBuildFileExceptionSet",
      "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet":
      exceptionSet(object)
    case let isa where isa.hasSuffix("BuildPhase"): Self.phaseName(object)
    default: object.string("name") ?? object.string("path").map(Self.lastPart)
    }
  }

  private func buildFile(_ object: PBXObject) -> String {
    let name = (object.string("fileRef") ?? object.string("productRef")).flatMap { objects.object($0) }
      .flatMap { comment(of: $0) }
    return "\(name ?? "(null)") in \(phases[object.id] ?? "(null)")"
  }

  private func configuration(_ object: PBXObject) -> String? {
    guard let name = object.string("name") else { return nil }
    guard style.namesOwnersOfConfigurations, let owner = lists[object.id].flatMap({ owners[$0] }) else { return name }
    return "\(name) configuration for \(owner.isa) \"\(ownerName(owner))\""
  }

  /// The name of a target; a project has no name of its own, its file has.
  private func ownerName(_ owner: PBXObject) -> String {
    owner.string("name") ?? owner.string("productName") ?? ""
  }

  private func exceptionSet(_ object: PBXObject) -> String {
    guard style.namesExceptionSets, let group = groups[object.id] else { return object.isa }
    let folder = group.displayName.map(Self.lastPart) ?? ""
    if let target = object.string("target").flatMap({ objects.object($0) }) {
      return "Exceptions for \"\(folder)\" folder in \"\(ownerName(target))\" target"
    }
    let id = object.string("buildPhase") ?? ""
    let phase = objects.object(id).map(Self.phaseName) ?? ""
    let target = objects.targets.first { $0.strings("buildPhases").contains(id) }
    return "Exceptions for \"\(folder)\" folder in \"\(phase)\" phase from \"\(target.map(ownerName) ?? "")\" target"
  }

  static func phaseName(_ phase: PBXObject) -> String {
    phase.string("name") ?? String(phase.isa.dropFirst(3).dropLast("BuildPhase".count))
  }

  private static func lastPart(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init) ?? path
  }

  /// A plug-in's product is `plugin:Lint`, and is told as it is.
  private static func productName(_ name: String) -> String { name }

  private static func repositoryName(_ address: String) -> String {
    let name = lastPart(address)
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }
}
