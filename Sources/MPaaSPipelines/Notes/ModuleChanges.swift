package import MPaaSModules
import MPaaSSupport

/// The modules that differ between two versions of a lock.
package struct ModuleChanges: Sendable {
  package let from: String
  package let to: String
  /// By name.
  package let changes: [SyncChange]
  /// Modules whose registry told no notes, by name: it is not known here, or has them no more.
  package let unknown: [String]

  /// Compares two locks.
  ///
  /// - Parameter index: The versions of a module that its registry offers; nil where that is not known.
  package init(
    from old: LockVersion, to new: LockVersion, index: (_ name: String, _ registry: String) -> ModuleIndex?
  ) {
    from = old.name
    to = new.name
    let names = Set((old.lock.modules + new.lock.modules).flatMap(\.targets))
    let targets: [String?] = names.isEmpty ? [nil] : names.sorted()
    var unknown: Set<String> = []
    changes = SyncChange.all(from: old.lock, to: new.lock, targets: targets) { name, registry in
      let index = index(name, registry)
      if index == nil { unknown.insert(name) }
      return index
    }
    self.unknown = unknown.sorted()
  }
}
