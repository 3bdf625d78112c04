import MPaaSSupport

/// The targets that an operation is for.
package enum TargetWords: Sendable, Equatable {
  /// No name: the only target where one is needed.
  case unnamed
  /// By name or id.
  case names([String])
  case all

  package init(_ names: [String]) {
    self = names.isEmpty ? .unnamed : names.contains("*") ? .all : .names(names)
  }
}

extension ProjectEditor {
  func targets() throws(ProjectEditError) -> [ID] { list(try project(), "targets").filter { object($0) != nil } }

  func targetName(_ id: ID) -> String { text(id, "name") ?? id }

  /// The targets that were named, in the order of the project; none where none was named.
  func named(_ words: TargetWords) throws(ProjectEditError) -> [ID] {
    let all = try targets()
    switch words {
    case .unnamed: return []
    case .all: return all
    case .names(let names):
      for name in names where !all.contains(where: { $0 == name || targetName($0) == name }) {
        let known = all.map(targetName)
        let values = [
          "target": name, "targets": Self.shown(known), "suggestion": closestMatch(to: name, among: known) ?? "–",
        ]
        throw ProjectEditError(.noTarget, values)
      }
      return all.filter { names.contains($0) || names.contains(targetName($0)) }
    }
  }

  /// The targets that were named, or the only one.
  ///
  /// - Throws: `edit-which-target` where there are several and none was named.
  func needed(_ words: TargetWords) throws(ProjectEditError) -> [ID] {
    let named = try named(words)
    if case .unnamed = words {
      let all = try targets()
      guard all.count == 1 else {
        throw ProjectEditError(.whichTarget, ["targets": Self.shown(all.map(targetName))])
      }
      return all
    }
    return named
  }

  // MARK: - Configurations

  /// The configurations of targets, or of the project itself where none are named.
  ///
  /// - Parameter names: Which of them; all where none is named.
  func configurations(
    _ words: TargetWords, _ names: [String]
  ) throws(ProjectEditError) -> [ID] {
    let targets = try named(words)
    let owners = words == .unnamed ? [try project()] : targets
    var found: [ID] = []
    var known: [String] = []
    for owner in owners {
      guard let list = text(owner, "buildConfigurationList"), object(list) != nil else {
        throw broken("buildConfigurationList")
      }
      for id in self.list(list, "buildConfigurations") {
        let name = text(id, "name") ?? ""
        if !known.contains(name) { known.append(name) }
        if names.isEmpty || names.contains(name) { found.append(id) }
      }
    }
    for name in names where !known.contains(name) {
      let values = [
        "configuration": name, "configurations": Self.shown(known),
        "suggestion": closestMatch(to: name, among: known) ?? "–",
      ]
      throw ProjectEditError(.noConfiguration, values)
    }
    return found
  }

  /// A build setting of one configuration.
  func setting(_ key: String, in configuration: ID) -> PBXValue? {
    self[configuration, "buildSettings"]?[key]
  }

  mutating func set(setting key: String, in configuration: ID, to value: PBXValue?) {
    var settings = self[configuration, "buildSettings"]?.members ?? []
    let index = settings.lastIndex { $0.key == key }
    switch (index, value) {
    case (let index?, let value?): settings[index] = PBXMember(key, value)
    case (let index?, nil): settings.remove(at: index)
    case (nil, let value?):
      let place = settings.firstIndex { $0.key > key } ?? settings.count
      settings.insert(PBXMember(key, value), at: place)
    case (nil, nil): return
    }
    set(configuration, "buildSettings", PBXValue.dictionary(settings))
  }
}

// MARK: - Build phases

extension ProjectEditor {
  static let buildPhases: [FileKind.Phase: String] = [
    .sources: "PBXSourcesBuildPhase", .resources: "PBXResourcesBuildPhase", .frameworks: "PBXFrameworksBuildPhase",
    .headers: "PBXHeadersBuildPhase", .embed: "PBXCopyFilesBuildPhase",
  ]

  /// As Xcode shows it.
  func phaseName(_ id: ID) -> String {
    if let name = text(id, "name") { return name }
    return switch isa(id) {
    case "PBXSourcesBuildPhase": "Sources"
    case "PBXResourcesBuildPhase": "Resources"
    case "PBXFrameworksBuildPhase": "Frameworks"
    case "PBXHeadersBuildPhase": "Headers"
    case "PBXCopyFilesBuildPhase": "CopyFiles"
    case "PBXShellScriptBuildPhase": "ShellScript"
    case "PBXRezBuildPhase": "Rez"
    default: id
    }
  }

  func phases(_ target: ID) -> [ID] { list(target, "buildPhases").filter { object($0) != nil } }

  /// The phase of a target for a kind of file; nil where it has none.
  func phase(_ kind: FileKind.Phase, of target: ID) -> ID? {
    phases(target).first { id in
      guard isa(id) == Self.buildPhases[kind] else { return false }
      // 10 are the frameworks of a product.
      return kind != .embed || text(id, "dstSubfolderSpec") == "10" && text(id, "dstPath") ?? "" == ""
    }
  }

  /// The phase of a target for a kind of file, made where it has none: after those that stand before it in Xcode's
  /// templates.
  mutating func madePhase(_ kind: FileKind.Phase, of target: ID, id: ID? = nil) throws(ProjectEditError) -> ID {
    if let phase = phase(kind, of: target) { return phase }
    guard let isa = Self.buildPhases[kind] else { throw broken("buildPhases") }
    var members: [(String, PBXValue)] = [
      ("buildActionMask", .string("2147483647")), ("files", .array([])),
      ("runOnlyForDeploymentPostprocessing", .string("0")),
    ]
    if kind == .embed {
      members += [("dstPath", .string("")), ("dstSubfolderSpec", .string("10")), ("name", .string("Embed Frameworks"))]
    }
    let made = add(isa, seed: target, members, id: id)
    let before: [FileKind.Phase] =
      switch kind {
      case .headers: []
      case .sources: [.headers]
      case .frameworks: [.headers, .sources]
      case .resources: [.headers, .sources, .frameworks]
      default: []
      }
    let phases = phases(target)
    let earlier = phases.lastIndex { phase in before.contains { Self.buildPhases[$0] == self.isa(phase) } }
    let index = kind == .embed ? phases.count : earlier.map { $0 + 1 } ?? 0
    try insert(made, into: "buildPhases", of: target, at: .index(index))
    return made
  }

  /// The entry of a phase for a file or a product; nil where it is not in it.
  func buildFile(for reference: ID, in phase: ID) -> ID? {
    list(phase, "files").first { id in
      guard let entry = object(id) else { return false }
      return entry.string("fileRef") == reference || entry.string("productRef") == reference
    }
  }

  /// Puts a file or a package's product into a phase, or gives the entry that is there its settings.
  @discardableResult
  mutating func addBuildFile(
    for reference: ID, product: Bool = false, in phase: ID, settings: [(String, PBXValue)] = [],
    at position: EditPosition = .last, id: ID? = nil
  ) throws(ProjectEditError) -> ID {
    if let entry = buildFile(for: reference, in: phase) {
      for (key, value) in settings { set(buildSetting: key, of: entry, to: value) }
      return entry
    }
    var members: [(String, PBXValue)] = [(product ? "productRef" : "fileRef", .string(reference))]
    if !settings.isEmpty {
      members.append(("settings", .dictionary(settings.sorted { $0.0 < $1.0 }.map { PBXMember($0.0, $0.1) })))
    }
    let entry = add("PBXBuildFile", seed: phase + "\0" + reference, members, id: id)
    let name = names(of: reference).first
    try insert(entry, named: name, into: "files", of: phase, at: position)
    return entry
  }

  private mutating func set(buildSetting key: String, of entry: ID, to value: PBXValue) {
    var members = self[entry, "settings"]?.members ?? []
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index] = PBXMember(key, value)
    } else {
      members.insert(PBXMember(key, value), at: members.firstIndex { $0.key > key } ?? members.count)
    }
    set(entry, "settings", PBXValue.dictionary(members))
  }

  /// Takes a file or a product out of the phases of targets.
  ///
  /// - Parameter kinds: Which phases; all where it is nil.
  /// - Returns: How many entries went.
  @discardableResult
  mutating func removeBuildFiles(for reference: ID, of targets: [ID], phases isas: Set<String>? = nil) -> Int {
    var count = 0
    for target in targets {
      for phase in phases(target) where isas?.contains(isa(phase) ?? "") ?? true {
        while let entry = buildFile(for: reference, in: phase) {
          remove(entry, from: "files", of: phase)
          drop(entry)
          count += 1
        }
      }
    }
    return count
  }

  /// Tells whether any target builds it.
  func isBuilt(_ reference: ID) throws(ProjectEditError) -> Bool {
    for target in try targets() {
      for phase in phases(target) where buildFile(for: reference, in: phase) != nil { return true }
    }
    return false
  }
}
