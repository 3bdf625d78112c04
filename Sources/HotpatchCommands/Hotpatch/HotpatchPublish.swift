import ArgumentParser
import CommandKit
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HotpatchCommand {
  /// `mpaas hotpatch publish FILE`: a bundle goes into a repository, and on its way to users.
  struct Publish: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("publish", key: "hotpatch.publish") }

    @Argument(help: .text("command.hotpatch.publish.file"), completion: .file(extensions: ["mpatch"]))
    var file: String

    @OptionGroup var repository: RolloutRepositoryOptions
    @OptionGroup var trust: BundleTrustOptions

    @Option(help: .text("command.hotpatch.identity", valueName: "key"), completion: .file())
    var identity: [String] = []

    @OptionGroup var settings: RolloutSettingsOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RolloutChanged {
      let publisher = try repository.publisher(in: context)
      let changes = try settings.changes(in: context)
      let identities = try BundleIdentityOptions.identities(identity, repository.passphrase, in: context)
      let bundle = try context.bundle(at: file)
      let manifest = try trust.verifier(identities, in: context).verify(bundle).manifest
      try manifest.checkTerm(at: context.now())
      let keys = try repository.signingKeys(for: publisher, in: context)
      var rollout = Rollout(manifest, bundle: bundle, basisPoints: Self.firstBasisPoints)
      changes.apply(to: &rollout)
      // Refused before anything is written where the document would refuse it.
      try publisher.checkPublication(of: rollout, app: manifest.app)
      let added = try publisher.add(bundle, manifest, keys: keys)
      guard added.isComplete else {
        return RolloutChanged(
          rollout: RolloutView(rollout, app: manifest.app),
          documentVersion: try publisher.document(app: manifest.app)?.version ?? 0, outcome: added)
      }
      let (published, document, outcome) = try publisher.change(app: manifest.app, keys: keys, makes: true) {
        document throws(TrustError) in
        try publish(rollout, changes, in: &document, at: context.now())
      }
      let superseded = document.rollouts.filter {
        $0.patch == rollout.patch && $0.channel == rollout.channel && $0.history.last?.time == document.updated
          && $0.version != rollout.version && $0.state != .running
      }
      return RolloutChanged(
        rollout: RolloutView(published, app: manifest.app),
        superseded: superseded.map { "\($0.patch) \($0.version)" }, documentVersion: document.version, outcome: outcome)
    }

    /// Begins the rollout; of one that has begun it changes what is asked to be otherwise.
    ///
    /// So the command can be said again after it was ended, and after others have signed.
    private func publish(
      _ rollout: Rollout, _ changes: RolloutChanges, in document: inout RolloutDocument, at time: Date
    ) throws(TrustError) -> Rollout {
      if let index = try document.index(ofSame: rollout) {
        var asked = document.rollouts[index]
        changes.apply(to: &asked)
        if asked != document.rollouts[index] { try changes.apply(to: index, of: &document, at: time) }
        return document.rollouts[index]
      }
      try document.publish(rollout, reason: changes.reason, at: time)
      return rollout
    }

    /// One in a hundred, where nobody says how many.
    private static let firstBasisPoints = 100
  }
}
