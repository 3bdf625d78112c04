import MPaaSSupport

extension ModuleEdit {
  /// Asks for modules as a user names them; of one without a requirement, for its newest version that targets can use.
  ///
  /// - Parameters:
  ///   - words: `NAME` or `NAME@REQUIREMENT`.
  ///   - targets: The targets that the modules are for.
  ///   - catalog: Gives the modules of the registries, among them the one that is named where any has it; called only for
  ///     what an earlier one lacks.
  /// - Throws: `ModuleError` `module-add-word`, `sdk-module-unknown`; `Diagnostic` `module-add-no-version`; what `catalog`
  ///   throws.
  package mutating func add(
    _ words: [String], for targets: [ProjectTarget], target: String?, copies: Bool,
    catalog: (_ having: String) async throws -> ModuleCatalog
  ) async throws {
    var found: ModuleCatalog?
    for word in words {
      let request = try ModuleRequest(word)
      if let requirement = request.requirement {
        try add(request.name, requirement, target: target, copies: copies)
        continue
      }
      if found?.has(request.name) != true { found = try await catalog(request.name) }
      guard let index = try found?.known(request.name).index, let newest = index.newest(for: targets) else {
        throw Diagnostic("module-add-no-version", ["name": request.name], exit: .negative)
      }
      try add(index.name, "^" + newest.text, target: target, copies: copies)
    }
  }
}

extension ProjectLock {
  /// The modules that need a module, by name; none where it is not among those that are left.
  package func owners(of name: String, among left: Set<String>) -> [String] {
    guard left.contains(name) else { return [] }
    let owners = modules.filter { module in
      left.contains(module.name) && module.dependencies.contains { $0.name == name }
    }
    return Set(owners.map(\.name)).sorted()
  }
}
