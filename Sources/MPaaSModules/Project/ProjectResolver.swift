import MPaaSSupport

/// A module as a registry offers it.
package struct OfferedModule: Sendable, Equatable {
  /// The name of the registry.
  package var registry: String
  package var index: ModuleIndex

  package init(registry: String, index: ModuleIndex) {
    self.registry = registry
    self.index = index
  }
}

/// Chooses the versions that a project uses: for each target by itself, preferring what is locked, then what earlier
/// targets chose, then the newest.
package struct ProjectResolver {
  /// The modules that may change although they are locked and fit.
  package enum Update: Sendable, Equatable {
    case none
    /// These modules.
    case names(Set<String>)
    case all

    func allows(_ name: String) -> Bool {
      switch self {
      case .none: false
      case .names(let names): names.contains(name)
      case .all: true
      }
    }
  }

  package var project: ProjectManifest
  /// nil where there is none yet.
  package var lock: ProjectLock?
  package var update: Update
  /// The only target whose modules may change; nil for all.
  package var updatedTarget: String?
  /// The names of all modules, to say what may have been meant by one that is unknown.
  package var names: [String] = []
  /// Says that no more time may be spent.
  package var isOutOfTime: @Sendable () -> Bool = { false }
  /// The versions of a module: in the registry that is named, or else in the first one that has it; nil where none has.
  package var index: (_ name: String, _ registry: String?) throws(ModuleError) -> OfferedModule?

  package init(
    project: ProjectManifest, lock: ProjectLock?, update: Update = .none, in updatedTarget: String? = nil,
    index: @escaping (_ name: String, _ registry: String?) throws(ModuleError) -> OfferedModule?
  ) {
    self.project = project
    self.lock = lock
    self.update = update
    self.updatedTarget = updatedTarget
    self.index = index
  }

  /// - Throws: `ModuleError`: the conflict, explained; a module that no registry has; an archive that is no longer the
  ///   one that was locked.
  package func resolve() throws(ModuleError) -> ProjectLock {
    try checkUpdate()
    var choices: [TargetChoice] = []
    for target in project.targets { choices.append(try choose(target, after: choices)) }
    for choice in choices { try checkCase(choice) }
    let resolved = ProjectLock(joining: choices)
    try checkDigests(resolved)
    return resolved
  }

  /// A name that nothing is locked for and nothing asks for is a slip of the pen.
  private func checkUpdate() throws(ModuleError) {
    guard case .names(let names) = update else { return }
    let targets = project.targets.filter { updatedTarget == nil || $0.name == updatedTarget }
    let known = (lock?.modules(for: updatedTarget).map(\.name) ?? []) + targets.flatMap { $0.modules.map(\.name) }
    for name in names.sorted() where !known.contains(name) { throw .notUsed(name, among: known, file: project.file) }
  }

  private func choose(_ target: ProjectTarget, after earlier: [TargetChoice]) throws(ModuleError) -> TargetChoice {
    let isUpdated = updatedTarget == nil || target.name == updatedTarget
    let update = isUpdated ? update : .none
    let registries = Registries(target, lock, update, index)
    var input = ResolverInput(roots: target.modules.map { ModuleDependency($0.name, $0.requirement) }) {
      name throws(ModuleError) in try registries.offered(name)?.index
    }
    for module in target.modules where !module.with.isEmpty { input.wanted[module.name] = Set(module.with) }
    input.platform = target.platform
    input.minimum = target.minimum
    input.names = names
    input.isOutOfTime = isOutOfTime
    // Versions that other targets have come before the newest, so that targets agree where they can.
    for module in lock?.modules ?? [] where !update.allows(module.name) {
      input.preferred[module.name] = max(input.preferred[module.name] ?? module.version, module.version)
    }
    for choice in earlier {
      for (name, module) in choice.modules where updatedTarget == nil || !update.allows(name) {
        input.preferred[name] = module.release.version
      }
    }
    for module in lock?.modules(for: target.name) ?? [] where !update.allows(module.name) {
      guard target.module(module.name)?.registry ?? module.registry == module.registry else { continue }
      input.locked[module.name] = max(input.locked[module.name] ?? module.version, module.version)
    }
    switch try ModuleResolver(input).resolve() {
    case .unsatisfiable(let conflict): throw explained(conflict, target)
    case .unknown(let search):
      let contested = search.contested.joined(separator: ", ")
      throw ModuleError(
        .resolverTime, ["contradictions": String(search.contradictions), "modules": contested], at: .file(project.file))
    case .solved(let releases):
      var choice = TargetChoice(target: target)
      for (name, release) in releases {
        guard let registry = try registries.offered(name)?.registry else { continue }
        choice.modules[name] = .init(release: release, registry: registry)
      }
      try choice.checkOptions(file: project.file)
      return choice
    }
  }

  /// The resolver's explanation at the line that asks for what cannot be had.
  private func explained(_ conflict: ResolutionConflict, _ target: ProjectTarget) -> ModuleError {
    let error = ModuleError(conflict)
    let line = conflict.lines.lazy.compactMap { line in line.values["module"].flatMap { target.module($0)?.line } }
      .first
    return ModuleError(
      error.code, error.values,
      at: line.map { .text(file: project.file, line: $0, column: nil) } ?? .file(project.file),
      details: (target.name.map { [Diagnostic.Detail("text.project-target", ["target": $0])] } ?? []) + error.details)
  }

  /// Checks that names of one registry do not differ in case alone; what other modules bring may differ in case alone
  /// as well, where it comes from several registries.
  private func checkCase(_ choice: TargetChoice) throws(ModuleError) {
    var seen: [String: String] = [:]
    for name in choice.modules.keys.sorted() {
      guard let other = seen.updateValue(name, forKey: name.lowercased()) else { continue }
      throw ModuleError(.projectNameCase, ["name": name, "other": other], at: .file(project.file))
    }
  }

  /// A version that was locked has to be the same bytes for ever.
  private func checkDigests(_ resolved: ProjectLock) throws(ModuleError) {
    for old in lock?.modules ?? [] {
      for new in resolved.modules
      where new.name == old.name && new.version == old.version && new.registry == old.registry
        && new.sha256 != old.sha256
      {
        throw ModuleError(
          .lockDigestChanged,
          [
            "name": old.name, "version": old.version.text, "registry": old.registry, "locked": old.sha256,
            "offered": new.sha256,
          ])
      }
    }
  }
}

extension ModuleError {
  /// - Parameter known: What the project uses.
  package static func notUsed(_ name: String, among known: some Sequence<String>, file: String) -> ModuleError {
    let near = closestMatch(to: name, among: known)
    return ModuleError(
      near == nil ? .projectModuleUnused : .projectModuleUnusedNear, ["name": name, "suggestion": near ?? ""],
      at: .file(file))
  }
}

/// The registry of each module of a target: the one that the project names, else the one that it was locked from, else
/// the first that has it.
private final class Registries {
  private let target: ProjectTarget
  private let locked: [String: String]
  private let index: (_ name: String, _ registry: String?) throws(ModuleError) -> OfferedModule?
  private var known: [String: OfferedModule?] = [:]

  init(
    _ target: ProjectTarget, _ lock: ProjectLock?, _ update: ProjectResolver.Update,
    _ index: @escaping (_ name: String, _ registry: String?) throws(ModuleError) -> OfferedModule?
  ) {
    self.target = target
    self.index = index
    let modules = lock?.modules(for: target.name).filter { !update.allows($0.name) } ?? []
    locked = Dictionary(modules.map { ($0.name, $0.registry) }) { first, _ in first }
  }

  func offered(_ name: String) throws(ModuleError) -> OfferedModule? {
    if let module = known[name] { return module }
    let module = try find(name)
    known.updateValue(module, forKey: name)
    return module
  }

  private func find(_ name: String) throws(ModuleError) -> OfferedModule? {
    if let registry = target.module(name)?.registry { return try index(name, registry) }
    // A registry that the project does not have any more is no error: another may have the module.
    if let registry = locked[name], let module = try? index(name, registry) { return module }
    return try index(name, nil)
  }
}
