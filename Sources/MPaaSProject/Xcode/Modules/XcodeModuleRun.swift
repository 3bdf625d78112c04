import MPaaSModules
import MPaaSSupport

/// One run that brings a project into step with the modules of its targets.
struct XcodeModuleRun {
  typealias ID = ProjectEditor.ID

  var editor: ProjectEditor
  private let modules: XcodeModules
  private let moduleFolder: String
  /// Our objects that stay.
  private var wanted: Set<ID> = []
  private(set) var targets: [String] = []
  private(set) var notes: [XcodeModuleNote] = []

  init(_ modules: XcodeModules, moduleFolder: String) {
    editor = ProjectEditor(modules.project)
    self.modules = modules
    self.moduleFolder = moduleFolder
  }

  mutating func wire(_ wirings: [ModuleWiring]) throws(ProjectEditError) {
    let all = try editor.targets()
    var byTarget: [ID: ModuleWiring] = [:]
    for wiring in wirings {
      for target in chosen(wiring, of: all) { byTarget[target] = wiring }
    }
    for target in all {
      let wiring = byTarget[target] ?? ModuleWiring(target: nil)
      try wire(target, wiring)
      if !wiring.isEmpty { targets.append(editor.targetName(target)) }
    }
    try removeUnwanted(all)
  }

  /// The project's targets that one of `mpaas.toml` stands for: that of its name; for one without a name the apps, else
  /// all that are no tests.
  private mutating func chosen(_ wiring: ModuleWiring, of all: [ID]) -> [ID] {
    guard let name = wiring.target else {
      let apps = all.filter { kind($0).hasPrefix("application") }
      return apps.isEmpty ? all.filter { editor.isa($0) == "PBXNativeTarget" && !kind($0).hasPrefix("bundle.") } : apps
    }
    let found = all.filter { editor.targetName($0) == name }
    if found.isEmpty, !wiring.isEmpty { notes.append(XcodeModuleNote(kind: .noTarget, target: name)) }
    return found
  }

  /// The kind of product: `application`, `framework`, `bundle.unit-test`.
  private func kind(_ target: ID) -> String {
    editor.text(target, "productType")?.wordsBehind("com.apple.product-type.") ?? ""
  }

  // MARK: - One target

  private mutating func wire(_ target: ID, _ wiring: ModuleWiring) throws(ProjectEditError) {
    let name = editor.targetName(target)
    let isIncluded = !wiring.isEmpty && includesModules(target)
    if isIncluded { notes.append(XcodeModuleNote(kind: .included, target: name)) }
    set(settings: isIncluded ? ModuleWiring(target: nil) : wiring, of: target)
    if !isIncluded {
      for path in wiring.frameworks + wiring.xcframeworks + wiring.libraries {
        try add(try reference(path), to: .frameworks, of: target)
      }
      for framework in wiring.systemFrameworks { try link(LinkedWord(framework), target) }
      for framework in wiring.weakSystemFrameworks { try link(LinkedWord(framework), target, isWeak: true) }
      for library in wiring.systemLibraries { try link(LinkedWord(library, isLibrary: true), target) }
    }
    if kind(target).hasPrefix("application") {
      for path in wiring.frameworks + wiring.xcframeworks
      where DynamicLibrary.isDynamic(at: modules.folder + "/" + path) {
        try add(
          try reference(path), to: .embed, of: target,
          [("ATTRIBUTES", ["CodeSignOnCopy", "RemoveHeadersOnCopy"])])
      }
    }
    let holdsBundles = !kind(target).hasPrefix("library.static") && !kind(target).hasPrefix("tool")
    if !holdsBundles, !wiring.bundles.isEmpty { notes.append(XcodeModuleNote(kind: .noBundles, target: name)) }
    if holdsBundles {
      for path in wiring.bundles { try add(try reference(path), to: .resources, of: target) }
    }
    for path in wiring.sources.flatMap(sources) { try add(try reference(path), to: .sources, of: target) }
  }

  /// The sources of a file or a folder that are compiled.
  private func sources(_ path: String) -> [String] {
    let place = modules.folder + "/" + path
    guard FileStatus(place)?.kind == .folder else { return [path] }
    let names = ((try? FileSystem.names(in: place)) ?? []).sorted().filter { !$0.hasPrefix(".") }
    return names.flatMap { name in
      FileStatus(place + "/" + name)?.kind == .folder || FileKind(path: name).phase == .sources
        ? sources(path + "/" + name) : []
    }
  }

  /// Puts a reference into a phase of a target; both are ours, or the entry alone.
  private mutating func add(
    _ reference: ID, to kind: FileKind.Phase, of target: ID, _ settings: [(String, PBXValue)] = []
  ) throws(ProjectEditError) {
    let made = EditID.module("phase \(kind.rawValue) \(target)")
    let phase = try editor.madePhase(kind, of: target, id: made)
    // An entry that the user put there already serves as well.
    if let entry = editor.buildFile(for: reference, in: phase), !EditID.isModule(entry) { return }
    let id = EditID.module("build \(kind.rawValue) \(target) \(reference)")
    wanted.insert(try editor.addBuildFile(for: reference, in: phase, settings: settings, id: id))
  }

  private mutating func link(
    _ word: LinkedWord, _ target: ID, isWeak: Bool = false
  ) throws(ProjectEditError) {
    let id: ID
    if let known = try editor.linked(word) {
      id = known
    } else {
      let made = EditID.module("reference " + word.path)
      var look = ProjectEditor.ReferenceLook()
      (look.sourceTree, look.id) = (word.sourceTree, made)
      id = try editor.reference(word.path, in: try group(), look, at: .last)
    }
    if EditID.isModule(id) { wanted.insert(id) }
    try add(id, to: .frameworks, of: target, isWeak ? [("ATTRIBUTES", ["Weak"])] : [])
  }

  // MARK: - Groups and references

  private mutating func group() throws(ProjectEditError) -> ProjectTree.Node {
    let id = EditID.module("group")
    wanted.insert(id)
    if let node = try editor.tree()[id] { return node }
    let main = try editor.mainGroup()
    return try editor.addGroup(
      PathWords.last(moduleFolder), path: modules.projectPath(moduleFolder), in: main, at: .last, id: id)
  }

  /// The group of the module that a path lies in: `MPaaS/Modules/APLog`, `MPaaS/Targets/Watch/APLog`.
  private mutating func group(of path: String) throws(ProjectEditError) -> ProjectTree.Node {
    let parent = try group()
    let own = PathWords.relative(path, from: moduleFolder).split(separator: "/").map(String.init)
    let depth = own.first == "Targets" ? 3 : 2
    guard own.count > depth else { return parent }
    let folder = own.prefix(depth).joined(separator: "/")
    let id = EditID.module("group " + folder)
    wanted.insert(id)
    if let node = try editor.tree()[id] { return node }
    let name = depth == 3 ? "\(own[2]) (\(own[1]))" : own[1]
    return try editor.addGroup(name, path: folder, in: parent.id, at: .sorted, id: id)
  }

  private mutating func reference(_ path: String) throws(ProjectEditError) -> ID {
    let id = EditID.module("reference " + path)
    wanted.insert(id)
    if editor.object(id) != nil { return id }
    var look = ProjectEditor.ReferenceLook()
    look.id = id
    return try editor.reference(modules.projectPath(path), in: try group(of: path), look, at: .sorted)
  }

  // MARK: - Settings

  private mutating func set(settings wiring: ModuleWiring, of target: ID) {
    let lists: [(key: String, values: [String])] = [
      ("FRAMEWORK_SEARCH_PATHS", wiring.frameworkFolders.map(rooted)),
      ("HEADER_SEARCH_PATHS", wiring.headerFolders.map(rooted)),
      ("LIBRARY_SEARCH_PATHS", wiring.libraryFolders.map(rooted)), ("OTHER_LDFLAGS", wiring.flags),
    ]
    guard let list = editor.text(target, "buildConfigurationList") else { return }
    for configuration in editor.list(list, "buildConfigurations") {
      for (key, values) in lists {
        let own = "MPAAS_" + key
        let old = editor.setting(key, in: configuration)
        editor.set(setting: own, in: configuration, to: values.isEmpty ? nil : .strings(values))
        let new = values.isEmpty ? ModuleMark.removed(own, from: old) : ModuleMark.added(own, to: old)
        if new != old { editor.set(setting: key, in: configuration, to: new) }
      }
    }
  }

  private func rooted(_ path: String) -> String { "\"$(SRCROOT)/" + modules.projectPath(path) + "\"" }

  /// Tells whether a configuration of a target takes the modules' `.xcconfig`, by itself or by one that it includes.
  private mutating func includesModules(_ target: ID) -> Bool {
    guard let list = editor.text(target, "buildConfigurationList"), let tree = try? editor.tree() else { return false }
    return editor.list(list, "buildConfigurations").contains { configuration in
      guard let base = editor.text(configuration, "baseConfigurationReference"), let path = tree[base]?.path,
        !path.hasPrefix("$(")
      else { return false }
      return ModuleInclude.includes(
        PathWords.joined(PathWords.joined(modules.folder, modules.place), path), moduleFolder: moduleFolder)
    }
  }

  // MARK: - What is no longer used

  private mutating func removeUnwanted(_ targets: [ID]) throws(ProjectEditError) {
    for target in targets {
      for phase in editor.phases(target) {
        for entry in editor.list(phase, "files") where EditID.isModule(entry) && !wanted.contains(entry) {
          editor.remove(entry, from: "files", of: phase)
          editor.drop(entry)
        }
        if EditID.isModule(phase), editor.list(phase, "files").isEmpty {
          editor.remove(phase, from: "buildPhases", of: target)
          editor.drop(phase)
        }
      }
    }
    let nodes = try editor.tree().nodes.filter { EditID.isModule($0.id) && !wanted.contains($0.id) }
    // From the inside out; a group that holds something of the user's stays.
    for node in nodes.reversed() where editor.list(node.id, "children").isEmpty {
      if let parent = node.parent { editor.remove(node.id, from: "children", of: parent) }
      editor.drop(node.id)
    }
  }
}
