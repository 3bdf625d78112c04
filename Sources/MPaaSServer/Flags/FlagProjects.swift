import MPaaSFlagTools
import MPaaSFlags
import MPaaSSupport

/// The projects whose flags a client asks for; all where it names none.
struct FlagProjects: Sendable, Hashable {
  static let all = FlagProjects(names: [])

  /// The names; nil for all projects.
  private let names: Set<String>?

  /// - Parameter names: None for all projects.
  init(names: Set<String>) { self.names = names.isEmpty ? nil : names }

  private init(only names: Set<String>) { self.names = names }

  func includes(_ flag: FlagDefinition) -> Bool { names?.contains(flag.ownProject) ?? true }

  /// The same selection of flags whose projects are these; names that clients make up make no other one.
  func among(_ present: Set<String>) -> FlagProjects {
    guard let names else { return self }
    let known = names.intersection(present)
    return known.count == present.count ? .all : FlagProjects(only: known)
  }

  /// Tells whether an edit is of something that the projects' clients know; segments belong to all.
  func includes(_ edit: FlagEdit, before: FlagEdition, after: FlagEdition) -> Bool {
    guard case .flag(let name) = edit.item else { return true }
    return [before, after].contains { $0.flag(name).map(includes) ?? false }
  }
}

extension FlagDefinition {
  /// The project that the flag belongs to.
  var ownProject: String { project ?? FlagDefinition.usualProject }
}
