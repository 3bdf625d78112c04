package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Changes of who gets a patch, each one noted in the history.
package struct RolloutChanges: Sendable {
  package var reason: String
  package var basisPoints: Int?
  package var stage: Rollout.Stage?
  package var window: Rollout.Window?
  package var rules: [RolloutRule]?
  /// Identifiers to add to the lists; one that is added to one list leaves the other.
  package var allow: [String] = []
  package var deny: [String] = []
  package var appVersions: DottedVersionRange?
  package var isMandatory: Bool?

  package init(reason: String) {
    self.reason = reason
  }

  package var isEmpty: Bool {
    basisPoints == nil && stage == nil && window == nil && rules == nil && allow.isEmpty && deny.isEmpty
      && appVersions == nil && isMandatory == nil
  }

  /// Makes the changes.
  ///
  /// - Throws: `TrustError` `rollout-state` where it was withdrawn: nothing that is changed of it would mean anything.
  package func apply(to index: Int, of document: inout RolloutDocument, at time: Date) throws(TrustError) {
    if !isEmpty { try document.require(index, Rollout.State.allCases.filter { $0 != .killed }) }
    if stage != nil || window != nil {
      document.change(index, .stage, reason, at: time) { rollout in
        rollout.window = window ?? rollout.window
        rollout.stage = stage ?? .window
      }
    }
    if let basisPoints { document.change(index, .percentage, reason, at: time) { $0.basisPoints = basisPoints } }
    if rules != nil || appVersions != nil {
      document.change(index, .rules, reason, at: time) { rollout in
        rollout.rules = rules ?? rollout.rules
        rollout.appVersions = appVersions ?? rollout.appVersions
      }
    }
    if !allow.isEmpty || !deny.isEmpty {
      document.change(index, .lists, reason, at: time) { addToLists(of: &$0) }
    }
    if let isMandatory { document.change(index, .mandatory, reason, at: time) { $0.isMandatory = isMandatory } }
  }

  /// The changes in a rollout that is not published yet; its history begins with its publication.
  package func apply(to rollout: inout Rollout) {
    rollout.basisPoints = basisPoints ?? rollout.basisPoints
    rollout.window = window
    rollout.stage = stage ?? (window == nil ? .official : .window)
    rollout.rules = rules ?? []
    rollout.appVersions = appVersions ?? rollout.appVersions
    rollout.isMandatory = isMandatory ?? false
    addToLists(of: &rollout)
  }

  private func addToLists(of rollout: inout Rollout) {
    let allowed = Set(allow.map { RolloutBucket.listed($0, salt: rollout.salt) })
    let denied = Set(deny.map { RolloutBucket.listed($0, salt: rollout.salt) })
    rollout.allow = Set(rollout.allow).subtracting(denied).union(allowed).sorted()
    rollout.deny = Set(rollout.deny).subtracting(allowed).union(denied).sorted()
  }
}
