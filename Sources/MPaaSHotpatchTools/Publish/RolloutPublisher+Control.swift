package import MPaaSHotpatch
import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

/// The changes of rollouts that have begun. `keys` opens the keys that sign, once it is known that they are needed.
extension RolloutPublisher {
  /// The state that a rollout is to go over to, beside the changes of who gets it.
  package enum Switch: Sendable, Equatable {
    case pause, resume
  }

  /// Changes who gets a patch, pauses or resumes it, and takes crash totals in, which may halt it.
  ///
  /// - Throws: `TrustError` `rollout-unknown`, `rollout-state`, what `RolloutChoice.index` and `RolloutDocument.record`
  ///   throw; what `keys` throws.
  package func change(
    _ choice: RolloutChoice, _ changes: RolloutChanges, _ turn: Switch? = nil, totals: CrashTotals? = nil,
    keys: () throws -> [SigningKey]
  ) throws -> RolloutChange {
    let app = try app(of: choice)
    let keys = try keys()
    let time = editor.now()
    let (value, document, outcome) = try change(app: app, keys: keys) { document throws(TrustError) in
      let index = try choice.index(in: document)
      try changes.apply(to: index, of: &document, at: time)
      switch turn {
      case .pause: try document.pause(index, reason: changes.reason, at: time)
      case .resume: try document.resume(index, reason: changes.reason, at: time)
      case nil: break
      }
      var halted: [Rollout] = []
      if let totals { halted = try document.record(totals, reason: CrashTotals.reason, at: time) }
      return (index, halted)
    }
    return RolloutChange(
      app: app, rollout: document.rollouts[value.0], affected: value.1.map(\.label),
      documentVersion: document.version, outcome: outcome)
  }

  /// Stops a patch: for new installs only, or everywhere until it is resumed.
  ///
  /// - Throws: As `change(_:_:_:totals:keys:)`.
  package func halt(
    _ choice: RolloutChoice, _ scope: RolloutDocument.HaltScope, reason: String, keys: () throws -> [SigningKey]
  ) throws -> RolloutChange {
    let app = try app(of: choice)
    let keys = try keys()
    let time = editor.now()
    let (index, document, outcome) = try change(app: app, keys: keys) { document throws(TrustError) in
      let index = try choice.index(in: document)
      switch scope {
      case .installs: try document.pause(index, reason: reason, at: time)
      case .everywhere: try document.halt(index, reason: reason, at: time)
      }
      return index
    }
    return RolloutChange(
      app: app, rollout: document.rollouts[index], documentVersion: document.version, outcome: outcome)
  }

  /// Withdraws newer versions of a patch for good.
  ///
  /// - Parameter goal: The version that stays, `none` for no version at all; nil for the one before the chosen one.
  /// - Throws: `TrustError` `patch-version-malformed`, what `RolloutDocument.rollBack` throws, and as
  ///   `change(_:_:_:totals:keys:)`.
  package func rollBack(
    _ choice: RolloutChoice, to goal: String?, reason: String, keys: () throws -> [SigningKey]
  ) throws -> RolloutChange {
    let app = try app(of: choice)
    let named = try goal.flatMap { word throws(TrustError) in
      word == "none" ? nil : try DottedVersion(ofPatch: word)
    }
    let keys = try keys()
    let time = editor.now()
    let (value, document, outcome) = try change(app: app, keys: keys) { document throws(TrustError) in
      let index = try choice.index(in: document)
      let (patch, channel) = (document.rollouts[index].patch, document.rollouts[index].channel)
      let version = goal == nil ? document.versionBefore(index) : named
      let withdrawn = try document.rollBack(patch: patch, channel: channel, to: version, reason: reason, at: time)
      let shown = document.rollouts.firstIndex {
        $0.patch == patch && $0.channel == channel && $0.version == version
      }
      return (shown ?? index, withdrawn.map { "\(patch) \($0)" })
    }
    return RolloutChange(
      app: app, rollout: document.rollouts[value.0], affected: value.1, documentVersion: document.version,
      outcome: outcome)
  }
}
