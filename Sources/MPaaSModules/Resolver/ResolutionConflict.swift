package import MPaaSSupport

/// The reason why no versions fit together, in few sentences, and what was tried and helps.
///
/// It holds no sentence: the catalogue words each line under `text.resolver-line-KIND`, with the line's values.
package struct ResolutionConflict: Error, Sendable, Equatable {
  /// A step of the explanation.
  package struct Line: Sendable, Equatable {
    /// The statement of the step; its text in the catalog bears the name.
    package enum Kind: String, Sendable, CaseIterable {
      /// The project asks for `module` `requirement`.
      case root
      /// … which no registry has; with a name that is near.
      case rootUnknown = "root-unknown"
      case rootUnknownNear = "root-unknown-near"
      /// … which no version meets; `newest` is there.
      case rootNone = "root-none"
      /// All versions of `module` that come into question need `dependency` `requirement`.
      case needs
      /// `module` in `versions` needs `dependency` `requirement`.
      case versionNeeds = "version-needs"
      /// … which no registry has.
      case needsUnknown = "needs-unknown"
      /// … which no version meets.
      case needsNone = "needs-none"
      /// Modules that need one another in a row: `modules`, and the last of them needs `dependency` `requirement`.
      case chain
      /// `module` in `versions` cannot stand beside `dependency` `requirement`.
      case conflicts
      case yanked
      case prerelease
      /// `versions` are not made for `platform`.
      case platform
      /// `versions` need `platform` in `needed`, the project begins with `minimum`.
      case minimum
      /// `count` more facts about `modules` leave no way out.
      case rest
      /// By the lines `lines`, no version of `module` is left.
      case noVersion = "no-version"
      /// The lines cannot all be met.
      case together
      /// The project asks for `count` further `modules`.
      case moreRoots = "more-roots"
      /// A proof over `count` facts, `modules` among them, leaves no way out.
      case long
      /// A proof of more than `steps` contradictions leaves no way out.
      case tooLong = "too-long"
    }

    package let kind: Kind
    package let values: [String: String]

    /// - Parameter number: The line's number, where another refers to it.
    package init(_ kind: Kind, _ values: [String: String], number: Int? = nil) {
      self.kind = kind
      self.values = values.merging(["number": number.map { "(\($0)) " } ?? ""]) { $1 }
    }

    /// The key of its text in the catalogue.
    package var key: String { "text.resolver-line-" + kind.rawValue }
  }

  /// One thing to change about what the project asks for.
  package enum Change: Sendable, Hashable {
    /// Ask for other versions of a module.
    case require(module: String, old: VersionRequirement, new: VersionRequirement)
    case remove(module: String)
    /// The name that was probably meant by one that no registry knows.
    case rename(module: String, to: String)
    /// Give up older systems.
    case raiseMinimum(platform: ModulePlatform, to: ModuleVersion)
  }

  /// Changes after which a solution was found; few are better than many.
  package struct Fix: Sendable, Equatable {
    package let changes: [Change]

    package init(_ changes: [Change]) { self.changes = changes }
  }

  /// At most 8.
  package let lines: [Line]
  /// The best first; all were tried.
  ///
  /// Empty only where the search for one ran out of its bounds.
  package let fixes: [Fix]

  package init(lines: [Line], fixes: [Fix]) {
    self.lines = lines
    self.fixes = fixes
  }
}

extension ResolutionConflict.Change {
  /// The key of its text in the catalogue.
  package var key: String {
    switch self {
    case .require: "text.resolver-fix-require"
    case .remove: "text.resolver-fix-remove"
    case .rename: "text.resolver-fix-rename"
    case .raiseMinimum: "text.resolver-fix-minimum"
    }
  }

  package var values: [String: String] {
    switch self {
    case .require(let module, let old, let new): ["module": module, "old": old.text, "new": new.text]
    case .remove(let module): ["module": module]
    case .rename(let module, let name): ["module": module, "new": name]
    case .raiseMinimum(let platform, let version): ["platform": platform.rawValue, "new": version.text]
    }
  }
}

extension ResolutionConflict.Fix {
  /// Its changes with the commands to type, a line each.
  package var details: [Diagnostic.Detail] { changes.map { Diagnostic.Detail($0.key + "-typed", $0.values) } }
}

extension ResolutionConflict: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    var details = lines.map { Diagnostic.Detail($0.key, $0.values) }
    // Several fixes are one change each.
    let isWhole = fixes.contains { $0.changes.count > 1 }
    let shown = isWhole ? Array(fixes.prefix(1)) : fixes
    let title =
      shown.isEmpty
      ? "text.resolver-no-fix"
      : isWhole
        ? "text.resolver-fix-whole" : shown.count > 1 ? "text.resolver-fix-any" : "text.resolver-fixes"
    details.append(Diagnostic.Detail(title))
    details += shown.flatMap(\.details)
    return Diagnostic("resolver-unsatisfiable", exit: .negative, details: details)
  }
}
