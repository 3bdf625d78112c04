import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CompletionKind {
  /// The apps that have patches in the repository.
  static var rolloutApps: CompletionKind { rollouts { _, app in app } }

  /// The patches of the app that is named, or of all.
  static var rolloutPatches: CompletionKind { rollouts { rollout, _ in rollout.patch } }

  /// The versions of the patch that is named, or of all.
  static var rolloutVersions: CompletionKind { rollouts { rollout, _ in rollout.version.text } }

  static var rolloutChannels: CompletionKind { rollouts { rollout, _ in rollout.channel } }

  /// A value of each rollout that the options mean, once each.
  private static func rollouts(_ value: @escaping @Sendable (Rollout, String) -> String) -> CompletionKind {
    values { input in
      guard let path = input.option("--repository") ?? input.environment.variable("MPAAS_REPOSITORY") else { return [] }
      let publisher = RolloutPublisher(RepositoryEditor(path, now: { Date() }))
      let (app, patch) = (input.option("--app"), input.option("--patch"))
      let documents = try publisher.documents().filter { app == nil || $0.app == app }
      let found = documents.flatMap { document in
        document.rollouts.filter { patch == nil || $0.patch == patch }.map { value($0, document.app) }
      }
      return Set(found).sorted()
    }
  }
}
