import ArgumentParser
import CommandKit
import MPaaSModuleTools
import MPaaSModules
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
  /// The modules that a repository offers, with their newest versions.
  static var offeredModules: CompletionKind {
    offers { index in [Candidate(index.name, index.releases.first?.version.text ?? "")] }
  }

  /// Their versions, `NAME@VERSION`.
  static var offeredVersions: CompletionKind {
    offers { index in
      index.releases.map { release in
        let isYanked = release.yanked != nil
        return Candidate(
          "\(index.name)@\(release.version.text)",
          isYanked ? Catalogue.current.text("text.registry-modules-yanked") : "")
      }
    }
  }

  private static func offers(_ candidates: @escaping @Sendable (ModuleIndex) -> [Candidate]) -> CompletionKind {
    self.candidates { input in
      let path = input.option("--repository") ?? input.environment.variable("MPAAS_REPOSITORY") ?? "."
      var draft = try RepositoryEditor(path, now: { Date() }).read()
      let indexes = try ModuleShelf(reading: &draft).indexes.values.sorted { $0.name < $1.name }
      return Candidates(indexes.flatMap(candidates))
    }
  }
}
