import MPaaSTOML

extension ProjectManifest {
  /// The text of the file: the same manifest gives the same bytes, and reading it gives the same manifest.
  package var text: String {
    var text = "[project]\n"
    if let name { text += Self.line("name", TOMLKey.quoted(name)) }
    text += Self.system(platform, minimum)
    if place != .link { text += Self.line("place", TOMLKey.quoted(place.rawValue)) }
    if folder != "MPaaS" { text += Self.line("folder", TOMLKey.quoted(folder)) }
    switch xcode {
    case .automatic: break
    case .path(let path): text += Self.line("xcode", TOMLKey.quoted(path))
    case .off: text += Self.line("xcode", "false")
    }
    for registry in registries { text += "\n[registries.\(TOMLKey.written(registry.name))]\n" + registry.lines }
    if !modules.isEmpty { text += "\n[modules]\n" + modules.map { Self.line($0.name, $0.value) }.joined() }
    for target in targets { text += self.text(of: target) }
    return text
  }

  /// The tables of a target: its differences from the project.
  private func text(of target: ProjectTarget) -> String {
    guard let name = target.name else { return "" }
    let key = "targets.\(TOMLKey.written(name))"
    let system = target.platform == platform ? nil : target.platform
    let lowest = system == nil && target.minimum?.text == minimum?.text ? nil : target.minimum
    let shared = Dictionary(modules.map { ($0.name, $0) }) { $1 }
    var lines = target.modules.filter { shared[$0.name] != $0 }.map { Self.line($0.name, $0.value) }
    lines += modules.filter { $0.applies(on: target.platform) && target.module($0.name) == nil }
      .map { Self.line($0.name, "false") }
    return "\n[\(key)]\n" + Self.system(system, lowest) + (lines.isEmpty ? "" : "\n[\(key).modules]\n" + lines.joined())
  }

  private static func system(_ platform: ModulePlatform?, _ minimum: ModuleVersion?) -> String {
    (platform.map { line("platform", TOMLKey.quoted($0.rawValue)) } ?? "")
      + (minimum.map { line("minimum", TOMLKey.quoted($0.text)) } ?? "")
  }

  fileprivate static func line(_ key: String, _ value: String) -> String { "\(TOMLKey.written(key)) = \(value)\n" }

  fileprivate static func list(_ texts: [String]) -> String {
    "[" + texts.map(TOMLKey.quoted).joined(separator: ", ") + "]"
  }
}

extension ProjectRegistry {
  fileprivate var lines: String {
    ProjectManifest.line("url", TOMLKey.quoted(url))
      + (mirrors.isEmpty ? "" : ProjectManifest.line("mirrors", ProjectManifest.list(mirrors)))
      + (root.map { ProjectManifest.line("root", TOMLKey.quoted($0)) } ?? "")
  }
}

extension ProjectModule {
  /// The requirement by itself, or a table where there is more to say.
  fileprivate var value: String {
    let version = TOMLKey.quoted(requirement.text)
    var parts: [String] = []
    if let registry { parts.append("registry = \(TOMLKey.quoted(registry))") }
    if !platforms.isEmpty {
      parts.append("platforms = \(ProjectManifest.list(platforms.sorted().map(\.rawValue)))")
    }
    if let place { parts.append("place = \(TOMLKey.quoted(place.rawValue))") }
    if !with.isEmpty { parts.append("with = \(ProjectManifest.list(with))") }
    return parts.isEmpty ? version : "{ " + (["version = \(version)"] + parts).joined(separator: ", ") + " }"
  }
}
