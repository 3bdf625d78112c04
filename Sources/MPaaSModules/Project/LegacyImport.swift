package import MPaaSSupport
import MPaaSTOML

/// A project of the old kit as an `mpaas.toml`.
///
/// Each framework is asked for once, in the version that it had. Products are groups of frameworks without files of
/// their own: they become comments, so that a registry without them serves the project too.
package struct LegacyImport: Sendable {
  /// The modules that each target asks for, by name; what all have in one version is in `shared` alone.
  package private(set) var shared: [String: ModuleVersion] = [:]
  package private(set) var own: [String: [String: ModuleVersion]] = [:]
  /// The things that are not carried over as they were.
  package private(set) var notes: [Diagnostic.Detail] = []
  private let legacy: LegacyProject

  package init(_ legacy: LegacyProject) {
    self.legacy = legacy
    var all: [String: [String: ModuleVersion]] = [:]
    for target in legacy.targets {
      all[target.name] = versions(of: target)
      describe(target)
    }
    for name in legacy.unknown { notes.append(.init("text.legacy-unknown", ["name": String(name.prefix(80))])) }
    let first = legacy.targets.first.flatMap { all[$0.name] } ?? [:]
    shared = first.filter { name, version in all.values.allSatisfy { $0[name]?.text == version.text } }
    own = all.mapValues { $0.filter { shared[$0.key] == nil } }
  }

  package var count: Int { Set(own.values.flatMap(\.keys)).union(shared.keys).count }

  private mutating func versions(of target: LegacyProject.Target) -> [String: ModuleVersion] {
    var found: [String: Set<String>] = [:]
    for (name, version) in target.products.values.flatMap({ $0 }) { found[name, default: []].insert(version) }
    var versions: [String: ModuleVersion] = [:]
    for (name, texts) in found.sorted(by: { $0.key < $1.key }) {
      var values = ["target": target.name, "name": name, "list": texts.sorted().joined(separator: ", ")]
      for text in texts.sorted() where !ModuleName.isValid(name) || ModuleVersion(text) == nil {
        values["version"] = text
        notes.append(.init("text.legacy-bad", values))
      }
      guard ModuleName.isValid(name), let newest = texts.compactMap({ ModuleVersion($0) }).max() else { continue }
      if texts.count > 1 { notes.append(.init("text.legacy-twice", values)) }
      versions[name] = newest
    }
    return versions
  }

  private mutating func describe(_ target: LegacyProject.Target) {
    var values = ["target": target.name]
    if let author = target.author, let time = target.time {
      values["author"] = author
      values["time"] = time
      notes.append(.init("text.legacy-author", values))
    }
    if let baseline = target.baseline {
      values["baseline"] = baseline
      notes.append(.init("text.legacy-baseline", values))
    }
    let named = Set(target.products.values.flatMap(\.keys))
    let others = target.frameworks.filter { !named.contains(TargetSettings.stem($0)) }
    if !others.isEmpty {
      values["list"] = others.joined(separator: ", ")
      notes.append(.init("text.legacy-frameworks", values))
    }
    if !target.resources.isEmpty {
      values["count"] = String(target.resources.count)
      notes.append(.init("text.legacy-resources", values))
    }
  }

  /// The text of the manifest.
  ///
  /// - Parameter source: What the comment at its head names.
  package func text(from source: String) -> String {
    var text = "# Made from \(TOMLKey.quoted(source)).\n\n[project]\n"
    if let name = legacy.name, !name.isEmpty, name.isPlainText { text += "name = \(TOMLKey.quoted(name))\n" }
    text += "platform = \"ios\"\nplace = \"\(legacy.copies ? "copy" : "link")\"\n"
    text += "\n[modules]\n" + Self.lines(shared)
    if legacy.targets.count > 1 {
      for target in legacy.targets {
        text += "\n[targets.\(TOMLKey.written(target.name))]\n"
        if let own = own[target.name], !own.isEmpty {
          text += "\n[targets.\(TOMLKey.written(target.name)).modules]\n" + Self.lines(own)
        }
      }
    }
    let products = Dictionary(legacy.targets.flatMap { $0.products.map { ($0.key, Set($0.value.keys)) } }) {
      $0.union($1)
    }
    guard !products.isEmpty else { return text }
    text += "\n# The products of the old kit, and what each of them brought:\n"
    for (product, names) in products.sorted(by: { $0.key < $1.key }) {
      text += "# \(TOMLKey.quoted(product)): \(names.sorted().map(TOMLKey.written).joined(separator: ", "))\n"
    }
    return text
  }

  private static func lines(_ versions: [String: ModuleVersion]) -> String {
    versions.sorted { $0.key < $1.key }
      .map { "\(TOMLKey.written($0.key)) = \(TOMLKey.quoted("==" + $0.value.text))\n" }.joined()
  }
}
