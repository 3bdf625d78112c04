/// The modules that a resolver has to find versions for, and from what.
package struct ResolverInput {
  /// The project's requirements; the same module may stand there more than once.
  package var roots: [ModuleDependency]
  /// Optional dependencies that the project wants, by the module that offers them.
  package var wanted: [String: Set<String>]
  /// The system that is built for; nil where releases for any system will do.
  package var platform: ModulePlatform?
  /// The lowest version of that system that the project runs on.
  package var minimum: ModuleVersion?
  /// The versions chosen before: kept wherever it still fits, even where it was withdrawn since.
  package var locked: [String: ModuleVersion]
  /// The versions taken next, before the newest.
  package var preferred: [String: ModuleVersion]
  /// The names of all modules, to say what may have been meant by one that is unknown.
  package var names: [String] = []
  /// Says that no more time may be spent; asked at every contradiction that the search meets.
  package var isOutOfTime: @Sendable () -> Bool = { false }
  /// All versions of a module; nil where no registry has it.
  ///
  /// It is asked once for each module.
  package var index: (String) throws(ModuleError) -> ModuleIndex?

  package init(
    roots: [ModuleDependency], wanted: [String: Set<String>] = [:], platform: ModulePlatform? = nil,
    minimum: ModuleVersion? = nil, locked: [String: ModuleVersion] = [:], preferred: [String: ModuleVersion] = [:],
    index: @escaping (String) throws(ModuleError) -> ModuleIndex?
  ) {
    self.roots = roots
    self.wanted = wanted
    self.platform = platform
    self.minimum = minimum
    self.locked = locked
    self.preferred = preferred
    self.index = index
  }
}

/// The result of a resolver's search.
package enum Resolution: Sendable {
  /// One release of every module that is needed, and of none that is not.
  case solved([String: ModuleRelease])
  case unsatisfiable(ResolutionConflict)
  /// The time was over before either was known.
  case unknown(UnfinishedResolution)
}

/// A search that was stopped: how far it came, and what kept it.
package struct UnfinishedResolution: Sendable, Equatable {
  /// Contradictions that it met.
  package let contradictions: Int
  /// The modules that took part in most of the recent ones, the most contested first.
  package let contested: [String]
}
