package import MPaaSHotpatch
package import MPaaSTrustTools

/// A change of rollouts that went into a repository, as far as the signatures reach.
package struct RolloutChange: Sendable {
  package let app: String
  package let rollout: Rollout
  /// Versions that the change withdrew or halted, as `cart 2`.
  package var affected: [String] = []
  /// Versions whose place the rollout takes.
  package var superseded: [String] = []
  /// The number of changes of the app's document; 0 where there is none yet.
  package let documentVersion: Int
  package let outcome: RepositoryEditor.Outcome
}

extension Rollout {
  /// The name of the patch and the version: `cart 2`.
  var label: String { "\(patch) \(version)" }
}
