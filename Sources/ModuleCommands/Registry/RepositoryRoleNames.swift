import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CompletionKind {
  /// The roles of the repository that is named or that is here, with their versions.
  static var repositoryRoles: CompletionKind { roles { _ in true } }

  /// Those of them that list files.
  static var targetsRoles: CompletionKind { roles { [nil, .targets].contains(TopRole(rawValue: $0.name)) } }

  private static func roles(_ isOffered: @escaping @Sendable (RepositoryStatus.Role) -> Bool) -> CompletionKind {
    candidates { input in
      let path = input.option("--repository") ?? input.environment.variable("MPAAS_REPOSITORY") ?? "."
      var draft = try RepositoryEditor(path, now: { Date() }).read()
      return Candidates(
        try RepositoryStatus(of: &draft).roles.filter(isOffered).map { role in
          Candidate(role.name, role.version.map(String.init) ?? "")
        })
    }
  }
}
