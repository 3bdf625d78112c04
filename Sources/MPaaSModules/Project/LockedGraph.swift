/// The needs among the modules that a target has locked.
package struct LockedGraph: Sendable {
  /// A module as another one, or the project, asks for it.
  package struct Step: Sendable, Hashable {
    package let name: String
    package let requirement: VersionRequirement
    /// nil where the lock has none.
    package let version: ModuleVersion?
  }

  package let target: ProjectTarget
  package let modules: [String: LockedModule]

  package init(_ target: ProjectTarget, _ lock: ProjectLock) {
    self.target = target
    modules = Dictionary(lock.modules(for: target.name).map { ($0.name, $0) }) { $1 }
  }

  /// The modules that the project asks for itself, sorted by name.
  package var roots: [Step] { target.modules.map { step($0.name, $0.requirement) } }

  /// The locked modules that a module needs, sorted by name.
  package func needs(of name: String) -> [Step] {
    (modules[name]?.dependencies ?? []).filter { modules[$0.name] != nil }.map { step($0.name, $0.requirement) }
  }

  private func step(_ name: String, _ requirement: VersionRequirement) -> Step {
    Step(name: name, requirement: requirement, version: modules[name]?.version)
  }

  /// The ways from what the project asks for to a module, the shortest first.
  ///
  /// Each module that stands right before it gives one way, its shortest: there may be very many others.
  package func paths(to name: String) -> [[Step]] {
    var shortest: [String: [Step]] = [:]
    var paths: [[Step]] = []
    var queue: [[Step]] = []
    for root in roots {
      if root.name == name { paths.append([root]) }
      if shortest[root.name] == nil {
        shortest[root.name] = [root]
        queue.append([root])
      }
    }
    var next = 0
    while next < queue.count {
      let path = queue[next]
      next += 1
      guard let last = path.last, last.name != name else { continue }
      for step in needs(of: last.name) {
        if step.name == name { paths.append(path + [step]) }
        guard shortest[step.name] == nil else { continue }
        shortest[step.name] = path + [step]
        queue.append(path + [step])
      }
    }
    return paths
  }
}
