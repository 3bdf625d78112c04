import MPaaSSupport
package import MPaaSTOML

extension ProjectManifest {
  /// Reads the text of an `mpaas.toml`.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `ModuleError` with the line: not TOML, a key that nothing is known of, a value that cannot be.
  package init(reading text: String, file: String) throws(ModuleError) {
    try self.init(try Self.document(text, file: file), file: file)
  }

  /// - Throws: `ModuleError` `project-merge-conflict` where a merge left its marks, `toml-malformed`.
  package static func document(_ text: String, file: String) throws(ModuleError) -> TOMLDocument {
    do throws(TOMLError) {
      return try TOMLDocument(text, file: file)
    } catch {
      guard let line = ProjectLock.conflictLine(text) else { throw ModuleError(error) }
      throw ModuleError(.projectMergeConflict, ["file": file], at: .text(file: file, line: line, column: nil))
    }
  }

  /// - Throws: As reading the text does.
  package init(_ document: TOMLDocument, file: String) throws(ModuleError) {
    let top = ProjectTable(document, file: file)
    try top.allow(["project", "registries", "modules", "targets"])
    self.init(file: file)
    if let table = try top.table("project") { try readProject(table) }
    if let table = try top.table("registries") { try readRegistries(table) }
    let shared = try top.table("modules").map { table throws(ModuleError) in try readModules(table) }
    modules = shared?.map(\.value).compactMap(\.self).sorted { $0.name < $1.name } ?? []
    try readTargets(top)
  }

  private mutating func readProject(_ table: ProjectTable) throws(ModuleError) {
    try table.allow(["name", "platform", "minimum", "place", "folder", "xcode"])
    name = try table.text("name", expected: "\"Shop\"")
    platform = try table.choice("platform")
    minimum = try table.version("minimum")
    place = try table.choice("place") ?? place
    if let text = try table.text("folder", expected: "\"MPaaS\"") {
      guard let path = Self.innerPath(text) else { throw table.badValue("folder", expected: "\"MPaaS\"") }
      folder = path
    }
    if table.members["xcode"] == .bool(false) {
      xcode = .off
    } else if let path = try table.text("xcode", expected: "\"App/Shop.xcodeproj\"") {
      guard !path.hasPrefix("/") else { throw table.badValue("xcode", expected: "\"App/Shop.xcodeproj\"") }
      xcode = .path(path)
    }
  }

  private mutating func readRegistries(_ table: ProjectTable) throws(ModuleError) {
    for name in table.keys {
      guard ModuleName.isValid(name) else { throw table.error(.projectBadName, name, ["name": name]) }
      guard let registry = try table.table(name) else { continue }
      try registry.allow(["url", "mirrors", "root"])
      guard let url = try registry.text("url", expected: "\"https://sdk.example.com/\"") else {
        throw table.error(.projectKeyMissing, name, ["missing": "url"])
      }
      registries.append(
        ProjectRegistry(
          name: name, url: url,
          mirrors: try registry.texts("mirrors", expected: "[\"https://mirror.example.com/\"]"),
          root: try registry.text("root", expected: "\"\(name).root.json\""), line: table.line(name)))
    }
  }

  private mutating func readTargets(_ top: ProjectTable) throws(ModuleError) {
    let table = try top.table("targets")
    for name in table?.keys ?? [] {
      guard let table, let target = try table.table(name) else { continue }
      let isTaken = targets.contains { $0.name?.lowercased() == name.lowercased() }
      guard Self.isTargetName(name), !isTaken else { throw table.error(.projectBadName, name, ["name": name]) }
      try target.allow(["platform", "minimum", "modules"])
      var all = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0) })
      if let own = try target.table("modules") {
        for (name, module) in try readModules(own) { all[name] = module }
      }
      let system: ModulePlatform? = try target.choice("platform")
      // The project's lowest version is one of the project's system.
      let lowest = try target.version("minimum") ?? (system == nil || system == platform ? minimum : nil)
      targets.append(
        ProjectTarget(name: name, platform: system ?? platform, minimum: lowest, modules: Array(all.values)))
    }
    if targets.isEmpty { targets = [ProjectTarget(platform: platform, minimum: minimum, modules: modules)] }
    for index in targets.indices {
      try checkCase(targets[index].modules)
      let system = targets[index].platform
      targets[index].modules = targets[index].modules.filter { $0.applies(on: system) }.sorted { $0.name < $1.name }
    }
  }

  /// Modules stand in folders, and not all systems tell `APLog` from `aplog` there.
  private func checkCase(_ modules: [ProjectModule]) throws(ModuleError) {
    var seen: [String: String] = [:]
    for module in modules.sorted(by: { ($0.line ?? 0) < ($1.line ?? 0) }) {
      if let other = seen.updateValue(module.name, forKey: module.name.lowercased()) {
        let place = module.line.map { Place.text(file: file, line: $0, column: nil) } ?? .file(file)
        throw ModuleError(.projectNameCase, ["name": module.name, "other": other], at: place)
      }
    }
  }

  /// Reads a table of modules; nil stands for a module that a target does without.
  private func readModules(_ table: ProjectTable) throws(ModuleError) -> [String: ProjectModule?] {
    var modules: [String: ProjectModule?] = [:]
    for name in table.keys {
      guard ModuleName.isValid(name) else { throw table.error(.projectBadName, name, ["name": name]) }
      if table.members[name] == .bool(false), table.path.first == "targets" {
        modules.updateValue(nil, forKey: name)
      } else {
        modules.updateValue(try readModule(name, in: table), forKey: name)
      }
    }
    return modules
  }

  private func readModule(_ name: String, in table: ProjectTable) throws(ModuleError) -> ProjectModule {
    if let text = table.members[name]?.string {
      guard let requirement = VersionRequirement(text) else {
        throw table.error(.projectBadRequirement, name, ["value": text])
      }
      return ProjectModule(name, requirement, line: table.line(name))
    }
    guard table.members[name]?.object != nil, let details = try table.table(name) else {
      throw table.badValue(name, expected: "\"^1.0\"")
    }
    try details.allow(["version", "registry", "platforms", "place", "with"])
    let text = try details.text("version", expected: "\"^1.0\"") ?? "*"
    guard let requirement = VersionRequirement(text) else {
      throw details.error(.projectBadRequirement, "version", ["value": text])
    }
    var module = ProjectModule(name, requirement, line: table.line(name))
    module.registry = try details.text("registry", expected: "\"main\"")
    module.place = try details.choice("place")
    module.with = try details.texts("with", expected: "[\"UTDID\"]").sorted()
    for word in try details.texts("platforms", expected: "[\"ios\"]") {
      guard let platform = ModulePlatform(rawValue: word) else {
        let known = ModulePlatform.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw details.badValue("platforms", expected: known)
      }
      module.platforms.insert(platform)
    }
    return module
  }

  /// A path without `.`, `..` and doubled slashes that stays inside its folder; nil where it does not, or is that folder.
  private static func innerPath(_ text: String) -> String? {
    let parts = text.split(separator: "/").filter { $0 != "." }
    guard !text.hasPrefix("/"), !parts.isEmpty, !parts.contains("..") else { return nil }
    return parts.joined(separator: "/")
  }

  /// Targets give folders and files their names.
  private static func isTargetName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && name.utf8.count <= 200 && name.isPlainText
  }
}
