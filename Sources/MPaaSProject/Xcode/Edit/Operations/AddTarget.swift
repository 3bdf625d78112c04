import MPaaSConfig
import MPaaSSupport

/// Adds a target with its phases, settings and product, as Xcode's templates make it.
///
/// A target of that name and kind that is there already keeps its settings, and is put into its host where it is not.
package struct AddTarget: ProjectOperation {
  package static var word: String { "add-target" }

  package var name = ""
  package var kind = TargetKind.application
  /// The project's where it is nil.
  package var platform: TargetPlatform?
  /// `PRODUCT_BUNDLE_IDENTIFIER`; made of that of the host, or of another target, where it is nil.
  package var bundleIdentifier: String?
  /// The oldest version of the system, as the deployment target has it; the project's where it is nil.
  package var deployment: String?
  /// A folder that it builds all files of, by a synchronized group.
  package var folder: String?
  /// The target that it is tested in, embedded in or linked with.
  package var host: String?
  /// The extension point of an app extension: `com.apple.widgetkit-extension`.
  package var extensionPoint: String?
  package var settings: [EditAssignment] = []

  package init() {}

  package init(_ name: String, _ kind: TargetKind) {
    self.name = name
    self.kind = kind
  }

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .argument("add-target.name", "name")),
      EditParameter("kind", .option("add-target.kind", "kind").kind(.choice(TargetKind.self)).required()) {
        (input, target) throws(ProjectEditError) in target.kind = try input.requiredChoice("kind")
      },
      .choice("platform", \.platform, .option("add-target.platform", "system")),
      .text("bundle_identifier", \.bundleIdentifier, .option("add-target.bundle-identifier", "id")),
      .text("deployment", \.deployment, .option("add-target.deployment", "version")),
      .path("folder", \.folder, .option("add-target.folder", "folder")),
      .text("host", \.host, .option("add-target.host", "target")),
      .text("extension_point", \.extensionPoint, .option("add-target.extension-point", "id")),
      .assignments("settings", \.settings, .option("add-target.setting", "key=value")),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0") else {
      throw ProjectEditError(.badWord, ["word": name, "expected": "NAME"])
    }
    if extensionPoint != nil, kind != .appExtension {
      throw ProjectEditError(.badWord, ["word": "--extension-point", "expected": "--kind app-extension"])
    }
    let host = try host.map { (name) throws(ProjectEditError) in try editor.oneTarget(name) }
    if let known = try editor.targets().first(where: { editor.targetName($0) == name }) {
      guard editor.text(known, "productType") == kind.productType else {
        let type = editor.text(known, "productType") ?? editor.isa(known) ?? ""
        throw ProjectEditError(.otherKind, ["target": name, "kind": type])
      }
      return try finish(known, host, &editor)
    }
    let target = try make(host, &editor)
    try finish(target, host, &editor)
  }

  // MARK: - The target itself

  private func make(_ host: ProjectEditor.ID?, _ editor: inout ProjectEditor) throws(ProjectEditError)
    -> ProjectEditor.ID
  {
    let project = try editor.project()
    let seed = name
    var members: [(String, PBXValue)] = [
      ("buildConfigurationList", .string(try configurations(host, &editor))), ("buildPhases", []),
      ("dependencies", []), ("name", .string(name)), ("productName", .string(name)),
    ]
    if kind != .aggregate {
      members += [("buildRules", []), ("productType", .string(kind.productType ?? ""))]
      members.append(("productReference", .string(try product(&editor))))
    }
    let isa = kind == .aggregate ? "PBXAggregateTarget" : "PBXNativeTarget"
    let target = editor.add(isa, seed: seed, members)
    for phase in kind.phases { _ = try editor.madePhase(phase, of: target) }
    try editor.insert(target, into: "targets", of: project)
    try attributes(target, host, &editor)
    return target
  }

  private func product(_ editor: inout ProjectEditor) throws(ProjectEditError) -> ProjectEditor.ID {
    let path = kind.productName(name)
    let id = editor.add(
      "PBXFileReference", seed: "product " + path,
      [
        ("explicitFileType", .string(kind.fileType)), ("includeInIndex", "0"), ("path", .string(path)),
        ("sourceTree", "BUILT_PRODUCTS_DIR"),
      ])
    try editor.insert(id, named: path, into: "children", of: try editor.productGroup())
    return id
  }

  /// A configuration list with the names of the project's.
  private func configurations(
    _ host: ProjectEditor.ID?, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> ProjectEditor.ID {
    guard let model = editor.text(try editor.project(), "buildConfigurationList"), let object = editor.object(model)
    else { throw editor.broken("buildConfigurationList") }
    let settings = PBXValue.dictionary(try settings(host, &editor).members)
    var ids: [String] = []
    for id in editor.list(model, "buildConfigurations") {
      guard let title = editor.text(id, "name") else { continue }
      ids.append(
        editor.add(
          "XCBuildConfiguration", seed: name + " " + title, [("buildSettings", settings), ("name", .string(title))]))
    }
    var members = object.members.filter { $0.key != "isa" }.map { ($0.key, $0.value) }
    members.append(("buildConfigurations", .strings(ids)))
    return editor.add("XCConfigurationList", seed: name, members)
  }

  private func settings(
    _ host: ProjectEditor.ID?, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) -> TargetSettings {
    var own: [(String, PBXValue)] = []
    let known = if let platform { platform } else { try editor.platform(of: host) }
    if let platform { own.append(("SDKROOT", .string(platform.sdk))) }
    if let deployment {
      guard let known else { throw ProjectEditError(.badWord, ["word": "--deployment", "expected": "--platform"]) }
      own.append((known.deploymentSetting, .string(deployment)))
    }
    own += settings.map { ($0.key, $0.value) }
    let product = host.map { (id) -> TargetSettings.Host in
      let file = editor.text(id, "productReference").flatMap { editor.text($0, "path") } ?? editor.targetName(id)
      return .init(name: editor.targetName(id), product: file.hasSuffix(".app") ? String(file.dropLast(4)) : file)
    }
    let identifier = if let bundleIdentifier { bundleIdentifier } else { try editor.bundleIdentifier(for: name, host) }
    return TargetSettings(
      kind: kind, platform: known, bundleIdentifier: identifier, swiftVersion: try editor.swiftVersionForTarget(),
      host: kind.isTest ? product : nil, own: own)
  }

  private func attributes(
    _ target: ProjectEditor.ID, _ host: ProjectEditor.ID?, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    let project = try editor.project()
    var all = editor[project, "attributes"] ?? [:]
    var byTarget = all["TargetAttributes"] ?? [:]
    var own: PBXValue = [:]
    if let tools = byTarget.members?.compactMap({ $0.value["CreatedOnToolsVersion"] }).last {
      own["CreatedOnToolsVersion"] = tools
    }
    if kind.isTest, let host { own["TestTargetID"] = .string(host) }
    guard own.members?.isEmpty == false else { return }
    byTarget[target] = own
    all["TargetAttributes"] = byTarget
    editor.set(project, "attributes", all)
  }

  // MARK: - Its surroundings

  private func finish(
    _ target: ProjectEditor.ID, _ host: ProjectEditor.ID?, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    if let folder {
      var operation = AddSynchronizedFolder(folder)
      operation.targets = .names([target])
      try operation.apply(to: &editor)
    }
    if let extensionPoint { try describe(extensionPoint, target, &editor) }
    guard let host else { return }
    if kind.isTest {
      try depend(target, on: host, &editor)
    } else {
      try depend(host, on: target, &editor)
      try editor.put(target, kind, into: host)
    }
  }

  private func depend(
    _ target: ProjectEditor.ID, on other: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    var operation = AddDependency([other])
    operation.targets = .names([target])
    try operation.apply(to: &editor)
  }

  /// Writes the Info.plist that says what is extended; Xcode cannot generate that part.
  private func describe(
    _ point: String, _ target: ProjectEditor.ID, _ editor: inout ProjectEditor
  ) throws(ProjectEditError) {
    let place = PathWords.plain(folder ?? name)
    let path = place + "/Info.plist"
    if try editor.file(path) == nil {
      let inner = PropertyListValue(
        .dictionary([PropertyListMember("NSExtensionPointIdentifier", .string(point))]))
      let root = PropertyListValue(.dictionary([PropertyListMember("NSExtension", inner)]))
      try editor.write(try editor.propertyList(root, path), to: path)
    }
    for configuration in try editor.configurations(.names([target]), []) {
      editor.set(setting: "INFOPLIST_FILE", in: configuration, to: .string(path))
    }
    guard let folder, let node = try editor.synchronised(folder) else { return }
    try editor.set(["Info.plist"], excepted: true, in: node.id, target)
  }
}

extension ProjectEditor {
  /// The target of a name or an id.
  func oneTarget(_ name: String) throws(ProjectEditError) -> ID {
    guard let id = try named(.names([name])).first else { throw broken("targets") }
    return id
  }

  /// The group that Xcode keeps products in.
  mutating func productGroup() throws(ProjectEditError) -> ID {
    let project = try project()
    if let known = text(project, "productRefGroup"), object(known) != nil { return known }
    let main = try mainGroup()
    let known = try tree().nodes.first { $0.isGroup && $0.parent == main && $0.name == "Products" }?.id
    let group = if let known { known } else { try addGroup("Products", path: nil, in: main, at: .last).id }
    set(project, "productRefGroup", group)
    return group
  }

  /// The system that a target is built for, or the project where it does not say; nil where both are silent.
  fileprivate func platform(of target: ID?) throws(ProjectEditError) -> TargetPlatform? {
    let owners = [target, try project()].compactMap(\.self) + (try targets())
    for owner in owners {
      guard let list = text(owner, "buildConfigurationList") else { continue }
      for configuration in self.list(list, "buildConfigurations") {
        if let platform = setting("SDKROOT", in: configuration)?.string.flatMap(TargetPlatform.init(sdk:)) {
          return platform
        }
      }
    }
    return nil
  }

  /// The version of Swift that a new target has to say: what the other targets say mostly; nil where the project does.
  fileprivate func swiftVersionForTarget() throws(ProjectEditError) -> String? {
    var counts: [String: Int] = [:]
    for owner in [try project()] + (try targets()) {
      guard let list = text(owner, "buildConfigurationList") else { continue }
      for configuration in self.list(list, "buildConfigurations") {
        guard let version = setting("SWIFT_VERSION", in: configuration)?.string else { continue }
        if isa(owner) == "PBXProject" { return nil }
        counts[version, default: 0] += 1
      }
    }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? "5.0"
  }

  /// An identifier of a bundle beside those of the host or of another target; nil where none is known.
  fileprivate func bundleIdentifier(for name: String, _ host: ID?) throws(ProjectEditError) -> String? {
    let word = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    for owner in [host].compactMap(\.self) + (try targets()) {
      guard let list = text(owner, "buildConfigurationList") else { continue }
      for configuration in self.list(list, "buildConfigurations") {
        guard let known = setting("PRODUCT_BUNDLE_IDENTIFIER", in: configuration)?.string, known.contains(".") else {
          continue
        }
        // A target in an app has the app's identifier before its own; any other one stands beside those that are there.
        if owner == host { return known + "." + word }
        return known.split(separator: ".").dropLast().joined(separator: ".") + "." + word
      }
    }
    return nil
  }

  /// Puts what a target makes into what another one makes: embedded, linked, or both.
  fileprivate mutating func put(_ target: ID, _ kind: TargetKind, into host: ID) throws(ProjectEditError) {
    guard let product = text(target, "productReference") else { return }
    if kind == .framework || kind == .staticLibrary {
      try addBuildFile(for: product, in: try madePhase(.frameworks, of: host))
    }
    let isApplication = text(host, "productType") == TargetKind.application.productType
    guard isApplication else { return }
    switch kind {
    case .framework:
      try addBuildFile(
        for: product, in: try madePhase(.embed, of: host),
        settings: [("ATTRIBUTES", ["CodeSignOnCopy", "RemoveHeadersOnCopy"])])
    case .appExtension:
      try addBuildFile(
        for: product, in: try madeExtensionPhase(of: host), settings: [("ATTRIBUTES", ["RemoveHeadersOnCopy"])])
    case .bundle: try addBuildFile(for: product, in: try madePhase(.resources, of: host))
    default: break
    }
  }

  /// The phase that copies app extensions into an app: 13 are its plug-ins.
  private mutating func madeExtensionPhase(of target: ID) throws(ProjectEditError) -> ID {
    let known = phases(target).first { isa($0) == "PBXCopyFilesBuildPhase" && text($0, "dstSubfolderSpec") == "13" }
    if let known { return known }
    let id = add(
      "PBXCopyFilesBuildPhase", seed: target + " extensions",
      [
        ("buildActionMask", "2147483647"), ("dstPath", ""), ("dstSubfolderSpec", "13"), ("files", []),
        ("name", "Embed Foundation Extensions"), ("runOnlyForDeploymentPostprocessing", "0"),
      ])
    try insert(id, into: "buildPhases", of: target)
    return id
  }

  /// The bytes of a new property list.
  func propertyList(_ value: PropertyListValue, _ path: String) throws(ProjectEditError) -> [UInt8] {
    do throws(ConfigError) {
      return try PropertyListFile.bytes(of: value, as: .xml, file: path)
    } catch {
      throw ProjectEditError(error)
    }
  }
}
