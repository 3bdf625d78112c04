package import MPaaSSupport

/// Finds versions of modules that fit together.
package struct ModuleResolver {
  private let input: ResolverInput

  package init(_ input: ResolverInput) { self.input = input }

  /// Chooses a release of each module that is needed: the locked, else the preferred, else the newest that fits.
  ///
  /// - Throws: What `input.index` throws; `.resolverTooLarge` where the search would need more than its bounds.
  package func resolve() throws(ModuleError) -> Resolution {
    let graph = try ModuleGraph(input)
    var search = ClauseSearch(try ClauseEncoding(graph))
    search.limits.isOutOfTime = input.isOutOfTime
    switch try search.solve(graph.roots.map(\.term)) {
    case .satisfied: return .solved(graph.releases(of: search.solution))
    case .refuted(let core): return .unsatisfiable(try ConflictReport(graph, search, core: core).conflict)
    case .outOfTime:
      let contested = search.contested(5).map { graph.modules[$0].name }
      return .unknown(UnfinishedResolution(contradictions: search.conflicts, contested: contested))
    case .exhausted: throw ModuleError(.resolverTooLarge, ["modules": String(graph.modules.count)])
    }
  }
}

extension ModuleError.Code {
  /// A search that would need more memory or steps than the resolver allows itself.
  package static var resolverTooLarge: Self { Self("resolver-too-large", exit: .negative) }
  /// A search that was stopped as its time was over.
  package static var resolverTime: Self { Self("resolver-time", exit: .tryAgain) }
}
