package import MPaaSModules
import MPaaSSupport
package import MPaaSTOML

extension ModuleManifest {
  /// The keys that each table of `module.toml` may have; tables whose keys are names are left out.
  private static let keys: [String: [String]] = [
    "": ["module", "platforms", "notes", "dependencies", "conflicts", "contents", "link"],
    "module": ["name", "version", "summary", "license", "homepage"],
    "notes": ["en", "zh-Hans"],
    "contents": ModuleContents.lists.map(\.key),
    "link": LinkSettings.lists.map(\.key),
  ]

  /// A warning for each key that is never read, with the one that was meant where that is near.
  package static func unknownKeys(in document: TOMLDocument) -> [ModuleFinding] {
    func findings(_ members: JSONValue.Object, _ known: [String], _ path: [String]) -> [ModuleFinding] {
      members.keys.filter { !known.contains($0) }.sorted().map { key in
        let name = (path + [key]).joined(separator: ".")
        return ModuleFinding(.warning, .keyUnknown, name, ["meant": closestMatch(to: key, among: known) ?? ""])
      }
    }
    var all = findings(document.values, keys[""] ?? [], [])
    for (table, known) in keys.sorted(by: { $0.key < $1.key }) where !table.isEmpty {
      if let members = document.values[table]?.object { all += findings(members, known, [table]) }
    }
    if let members = document.values["module"]?.object?["summary"]?.object {
      all += findings(members, ["en", "zh-Hans"], ["module", "summary"])
    }
    for (name, value) in document.values["dependencies"]?.object ?? [:] {
      guard let members = value.object else { continue }
      all += findings(members, ["version", "platforms", "optional"], ["dependencies", name])
    }
    return all
  }
}
