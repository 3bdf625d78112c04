package import MPaaSHotpatch
package import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RolloutPublisher {
  /// The share of users, of 10,000, where the publisher names none: one in a hundred.
  static let firstBasisPoints = 100

  /// Verifies a bundle, puts it into the repository and begins its rollout; of one that has begun it changes what is
  /// asked to be otherwise.
  ///
  /// The same call goes on after it was ended, and after others have signed.
  ///
  /// - Parameter keys: Opens the keys that sign, once the bundle has passed.
  /// - Throws: `TrustError` of the verification, of `checkPublication`, `add` and `change`; what `keys` throws.
  package func publish(
    _ bundle: Bytes, verifiedBy verifier: BundleVerifier, _ changes: RolloutChanges, keys: () throws -> [SigningKey]
  ) throws -> RolloutChange {
    let manifest = try verifier.verify(bundle).manifest
    // The verifier may have been told another time.
    try manifest.checkTerm(at: editor.now())
    let keys = try keys()
    return try publish(bundle, manifest, changes, keys: keys)
  }

  /// Publishes a bundle that was verified, and begins its rollout.
  func publish(
    _ bundle: Bytes, _ manifest: PatchManifest, _ changes: RolloutChanges, keys: [SigningKey]
  ) throws(TrustError) -> RolloutChange {
    var rollout = Rollout(manifest, bundle: bundle, basisPoints: Self.firstBasisPoints)
    changes.apply(to: &rollout)
    // Refused before anything is written where the document would refuse it.
    try checkPublication(of: rollout, app: manifest.app)
    let added = try add(bundle, manifest, keys: keys)
    guard added.isComplete else {
      return RolloutChange(
        app: manifest.app, rollout: rollout, documentVersion: try document(app: manifest.app)?.version ?? 0,
        outcome: added)
    }
    let (asked, time) = (rollout, editor.now())
    let (published, document, outcome) = try change(app: manifest.app, keys: keys, makes: true) {
      document throws(TrustError) in
      try Self.begin(asked, changes, in: &document, at: time)
    }
    let superseded = document.rollouts.filter {
      $0.patch == asked.patch && $0.channel == asked.channel && $0.history.last?.time == document.updated
        && $0.version != asked.version && $0.state != .running
    }
    return RolloutChange(
      app: manifest.app, rollout: published, superseded: superseded.map(\.label), documentVersion: document.version,
      outcome: outcome)
  }

  private static func begin(
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
}
