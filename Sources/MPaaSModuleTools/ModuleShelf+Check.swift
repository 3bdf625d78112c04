import MPaaSModules
import MPaaSSupport

extension ModuleArchiveCheck {
  /// Adds what is found beside the other modules of a registry, this one among them.
  package mutating func check(beside shelf: ModuleShelf) {
    for dependency in manifest.dependencies {
      guard let index = shelf.indexes[dependency.name] else {
        note(.warning, .dependencyUnknown, dependency.name)
        continue
      }
      let isMet = index.releases.contains { $0.yanked == nil && dependency.requirement.contains($0.version) }
      if !isMet {
        note(.warning, .dependencyVersion, dependency.name, ["requirement": dependency.requirement.text])
      }
    }
    let own = Dictionary(manifest.contents.landing.map { (FileSystem.name(of: $0).lowercased(), $0) }) { first, _ in
      first
    }
    guard !own.isEmpty else { return }
    for (name, index) in shelf.indexes.sorted(by: { $0.key < $1.key }) where name != manifest.name {
      guard let other = index.newest, !manifest.excludes(other.manifest), !other.manifest.excludes(manifest) else {
        continue
      }
      for path in other.manifest.contents.landing {
        guard let mine = own[FileSystem.name(of: path).lowercased()] else { continue }
        note(.warning, .contentClashOther, mine, ["other": path, "module": "\(name) \(other.version.text)"])
      }
    }
    sort()
  }
}

extension ModuleManifest {
  /// Tells whether it says that it cannot stand beside another one.
  fileprivate func excludes(_ other: ModuleManifest) -> Bool {
    conflicts.contains { $0.name == other.name && $0.requirement.contains(other.version) }
  }
}
