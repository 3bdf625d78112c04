import MPaaSSupport
import MPaaSTOML

extension ProjectLock {
  /// The text of the file: the same lock gives the same bytes everywhere, one fact a line so that changes merge.
  package var text: String {
    var text = "# Written by mpaas. Keep it under version control; \"mpaas module update\" changes it.\nversion = 1\n"
    for target in targets {
      text += "\n[[target]]\n"
      if let name = target.name { text += "name = \(TOMLKey.quoted(name))\n" }
      if let platform = target.platform { text += "platform = \(TOMLKey.quoted(platform.rawValue))\n" }
      if let minimum = target.minimum { text += "minimum = \(TOMLKey.quoted(minimum.text))\n" }
      text += Self.list("with", target.options)
    }
    for module in modules {
      text += "\n[[module]]\n"
      text += "name = \(TOMLKey.quoted(module.name))\n"
      text += "version = \(TOMLKey.quoted(module.version.text))\n"
      text += "registry = \(TOMLKey.quoted(module.registry))\n"
      text += "sha256 = \(TOMLKey.quoted(module.sha256))\n"
      text += "size = \(module.size)\n"
      text += Self.list("dependencies", module.dependencies.map { "\($0.name) \($0.requirement.text)" })
      text += Self.list("targets", module.targets)
    }
    return text
  }

  private static func list(_ key: String, _ values: [String]) -> String {
    guard !values.isEmpty else { return "" }
    return "\(key) = [\n" + values.map { "  \(TOMLKey.quoted($0)),\n" }.joined() + "]\n"
  }

  /// Reads the text of an `mpaas.lock`.
  ///
  /// - Throws: `ModuleError` with the line: `lock-merge-conflict` where a merge left its marks, `lock-newer` where a newer
  ///   kit wrote it, `lock-malformed`.
  package init(reading text: String, file: String) throws(ModuleError) {
    if let line = Self.conflictLine(text) {
      throw ModuleError(.lockMergeConflict, ["file": file], at: .text(file: file, line: line, column: nil))
    }
    let document: TOMLDocument
    do throws(TOMLError) {
      document = try TOMLDocument(text, file: file)
    } catch {
      throw ModuleError(error)
    }
    let top = ProjectTable(document, file: file)
    guard let version = top.members["version"]?.integer(Int.self) else { throw Self.wrong(top, "version") }
    guard version == 1 else { throw top.error(.lockNewer, "version", ["file": file, "version": String(version)]) }
    var modules: [LockedModule] = []
    if let list = top.members["module"] {
      guard let list = list.array else { throw Self.wrong(top, "module") }
      for (index, element) in list.enumerated() {
        modules.append(try Self.module(element, line: document.line(ofElement: index, in: ["module"]), file: file))
      }
    }
    self.init(modules: modules, targets: try Self.targets(top))
  }

  private static func targets(_ top: ProjectTable) throws(ModuleError) -> [LockedTarget] {
    guard let list = top.members["target"] else { return [] }
    guard let list = list.array else { throw wrong(top, "target") }
    var targets: [LockedTarget] = []
    for (index, element) in list.enumerated() {
      guard let members = element.object else { throw wrong(top, "target") }
      let line = top.document.line(ofElement: index, in: ["target"])
      func text(_ key: String) throws(ModuleError) -> String? {
        guard let value = members[key] else { return nil }
        guard let text = value.string, !text.isEmpty else { throw wrong(top.file, key, line) }
        return text
      }
      var target = LockedTarget(name: try text("name"))
      if let word = try text("platform") {
        target.platform = ModulePlatform(rawValue: word)
        guard target.platform != nil else { throw wrong(top.file, "platform", line) }
      }
      if let word = try text("minimum") {
        target.minimum = ModuleVersion(word)
        guard target.minimum != nil else { throw wrong(top.file, "minimum", line) }
      }
      target.options = (members["with"]?.array ?? []).compactMap(\.string)
      targets.append(target)
    }
    return targets
  }

  private static func wrong(_ file: String, _ key: String, _ line: Int?) -> ModuleError {
    let place = line.map { Place.text(file: file, line: $0, column: nil) } ?? .file(file)
    return ModuleError(.lockMalformed, ["file": file, "key": key], at: place)
  }

  private static func wrong(_ table: ProjectTable, _ key: String) -> ModuleError {
    table.error(.lockMalformed, key, ["file": table.file])
  }

  private static func module(_ value: JSONValue, line: Int?, file: String) throws(ModuleError) -> LockedModule {
    func wrong(_ key: String) -> ModuleError { Self.wrong(file, key, line) }
    guard let members = value.object else { throw wrong("module") }
    guard let name = members["name"]?.string, ModuleName.isValid(name) else { throw wrong("name") }
    guard let version = members["version"]?.string.flatMap(ModuleVersion.init) else { throw wrong("version") }
    guard let registry = members["registry"]?.string, !registry.isEmpty else { throw wrong("registry") }
    guard let sha256 = members["sha256"]?.string, isDigest(sha256) else { throw wrong("sha256") }
    guard let size = members["size"]?.integer(UInt64.self) else { throw wrong("size") }
    var module = LockedModule(name: name, version: version, registry: registry, sha256: sha256, size: size)
    for element in members["dependencies"]?.array ?? [] {
      let parts = element.string?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
      guard parts.count == 2, ModuleName.isValid(parts[0]), let requirement = VersionRequirement(parts[1]) else {
        throw wrong("dependencies")
      }
      module.dependencies.append(LockedDependency(parts[0], requirement))
    }
    for element in members["targets"]?.array ?? [] {
      guard let target = element.string, !target.isEmpty else { throw wrong("targets") }
      module.targets.append(target)
    }
    return module
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
      }
  }
}
