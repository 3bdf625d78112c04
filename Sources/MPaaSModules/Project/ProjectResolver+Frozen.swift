import MPaaSSupport

extension ProjectResolver {
  /// Checks that the lock answers all that the manifest asks, and nothing besides, without asking any registry.
  ///
  /// - Returns: The lock.
  /// - Throws: `ModuleError` `lock-outdated` that says what changed.
  package func frozen() throws(ModuleError) -> ProjectLock {
    let lock = lock ?? ProjectLock()
    var details: [Diagnostic.Detail] = []
    for module in lock.modules {
      for target in module.targets where project.target(target) == nil {
        details.append(.init("text.lock-target-gone", ["name": module.name, "target": target]))
      }
    }
    for target in project.targets { details += Self.differences(target, lock) }
    // A project without registries of its own is answered by the user's, whatever they are called.
    let registries = Set(project.registries.map(\.name))
    for module in lock.modules where !registries.isEmpty && !registries.contains(module.registry) {
      details.append(.init("text.lock-registry-gone", ["name": module.name, "registry": module.registry]))
    }
    for target in project.targets { details += Self.change(of: target, lock) }
    for target in lock.targets where project.target(target.name) == nil {
      let values = ["target": target.name ?? "", "locked": target.system, "asked": "–"]
      details.append(.init(target.name == nil ? "text.lock-system" : "text.lock-target-system", values))
    }
    guard details.isEmpty else {
      let shown = Array(details.prefix(8))
      let rest = details.count - shown.count
      let more = rest > 0 ? [Diagnostic.Detail("text.lock-more", ["count": String(rest)])] : []
      throw ModuleError(.lockOutdated, ["file": ProjectLock.fileName], details: shown + more)
    }
    return lock
  }

  /// The change of a target since its versions were chosen.
  private static func change(of target: ProjectTarget, _ lock: ProjectLock) -> [Diagnostic.Detail] {
    let asked = LockedTarget(target)
    let known = lock.targets.first { $0.name == target.name }
    // A target that uses nothing had nothing chosen.
    guard known != nil || !target.modules.isEmpty else { return [] }
    let locked = known ?? LockedTarget(name: target.name)
    var details: [Diagnostic.Detail] = []
    if asked.platform != locked.platform || asked.minimum?.text != locked.minimum?.text {
      let values = ["target": target.name ?? "", "locked": locked.system, "asked": asked.system]
      details.append(.init(target.name == nil ? "text.lock-system" : "text.lock-target-system", values))
    }
    for option in Set(asked.options).symmetricDifference(locked.options).sorted() {
      details.append(.init("text.lock-option", ["option": option.replacing(" ", with: " → ")]))
    }
    return details
  }

  /// The differences between the lock and the needs of a target's modules.
  private static func differences(_ target: ProjectTarget, _ lock: ProjectLock) -> [Diagnostic.Detail] {
    let locked = Dictionary(grouping: lock.modules(for: target.name), by: \.name)
    let elsewhere = Set(lock.modules.map(\.name))
    var details: [Diagnostic.Detail] = []
    var reached: Set<String> = []
    var queue: [LockedDependency] = []

    func meet(_ name: String, _ requirement: VersionRequirement) -> LockedModule? {
      guard let modules = locked[name], let module = modules.first else {
        details.append(.init("text.lock-lacks", ["name": name, "requirement": requirement.text]))
        return nil
      }
      if modules.count > 1 {
        details.append(.init("text.lock-twice", ["name": name]))
      } else if !requirement.contains(module.version) {
        let values = ["name": name, "version": module.version.text, "requirement": requirement.text]
        details.append(.init("text.lock-unfit", values))
      }
      if reached.insert(name).inserted { queue += module.dependencies }
      return module
    }

    for root in target.modules {
      guard let module = meet(root.name, root.requirement) else { continue }
      if let registry = root.registry, registry != module.registry {
        let values = ["name": root.name, "locked": module.registry, "registry": registry]
        details.append(.init("text.lock-registry", values))
      }
      // Modules that only other targets have are needed by those on their own system.
      for name in root.with where !elsewhere.contains(name) {
        details.append(.init("text.lock-lacks", ["name": name, "requirement": "*"]))
      }
    }
    while let next = queue.popLast() {
      if locked[next.name] == nil, elsewhere.contains(next.name) { continue }
      _ = meet(next.name, next.requirement)
    }
    for name in locked.keys.sorted() where !reached.contains(name) {
      details.append(.init("text.lock-unused", ["name": name]))
    }
    return details
  }
}
