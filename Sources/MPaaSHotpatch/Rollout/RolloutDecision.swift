package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Tells whether a device gets a version of a patch, and why.
package struct RolloutDecision: Sendable, Equatable {
  /// The checks, in this order; the first that fails decides.
  package enum Check: String, Sendable, CaseIterable {
    case state, channel
    case appVersion = "app-version"
    /// The deny list.
    case denied
    /// The allow list: who is on it passes the three below.
    case allowed
    case rule, window, bucket
  }

  package struct Reason: Sendable, Equatable {
    package let check: Check
    package let holds: Bool
    /// The values that the sentence names: the rule, the bucket and the limit.
    package let values: [String: String]
  }

  package let patch: String
  package let version: DottedVersion
  package let reasons: [Reason]
  /// Nil where the device gets it.
  package let refusal: TrustError?

  package var isOffered: Bool { refusal == nil }
}

extension Rollout {
  /// Tells whether `device` gets this version at `time`; pure, so that a client and a publisher see the same.
  package func decision(for device: DeviceFacts, at time: Date) -> RolloutDecision {
    var reasons: [RolloutDecision.Reason] = []
    func note(_ check: RolloutDecision.Check, _ holds: Bool, _ values: [String: String] = [:]) -> Bool {
      reasons.append(RolloutDecision.Reason(check: check, holds: holds, values: values))
      return holds
    }
    func refused(_ code: TrustError.Code, _ values: [String: String] = [:]) -> RolloutDecision {
      let named = values.merging(["patch": patch, "version": version.text]) { $1 }
      return RolloutDecision(patch: patch, version: version, reasons: reasons, refusal: TrustError(code, named))
    }
    func notForThis(_ check: RolloutDecision.Check) -> RolloutDecision {
      refused(.notForThisDevice, ["reason": check.rawValue])
    }

    guard note(.state, state == .running, ["state": state.rawValue]) else { return refused(state.refusal) }
    guard note(.channel, device.channel == channel, ["found": device.channel, "expected": channel]) else {
      return refused(.patchOfOtherChannel, ["found": device.channel, "expected": channel])
    }
    let isInRange = DottedVersion(device.appVersion).map(appVersions.contains) ?? false
    guard note(.appVersion, isInRange, ["found": device.appVersion, "expected": appVersions.text]) else {
      return refused(.patchOfOtherAppVersion, ["found": device.appVersion, "expected": appVersions.text])
    }
    let listed = allow.isEmpty && deny.isEmpty ? "" : RolloutBucket.listed(device.id, salt: salt)
    guard note(.denied, !deny.contains(listed)) else { return notForThis(.denied) }
    if note(.allowed, allow.contains(listed)) {
      return RolloutDecision(patch: patch, version: version, reasons: reasons, refusal: nil)
    }
    guard stage != .list else { return notForThis(.allowed) }
    for rule in rules {
      guard note(.rule, rule.holds(for: device), ["rule": rule.description]) else { return notForThis(.rule) }
    }
    if stage == .window {
      let isOpen = window.map { $0.start <= time && time < $0.end } ?? false
      guard note(.window, isOpen) else { return notForThis(.window) }
    }
    let bucket = RolloutBucket.of(device.id, salt: salt)
    let limit = effectiveBasisPoints
    guard note(.bucket, bucket < limit, ["bucket": String(bucket), "limit": String(limit)]) else {
      return notForThis(.bucket)
    }
    return RolloutDecision(patch: patch, version: version, reasons: reasons, refusal: nil)
  }

  /// Tells whether a device that has this version must not run it any longer.
  package func isWithdrawn(from device: DeviceFacts) -> Bool {
    state == .killed || state == .halted
      || !deny.isEmpty && deny.contains(RolloutBucket.listed(device.id, salt: salt))
  }
}

extension Rollout.State {
  fileprivate var refusal: TrustError.Code {
    switch self {
    case .paused: .rolloutPaused
    case .halted: .rolloutHalted
    case .killed: .rolloutKilled
    case .running, .superseded: .rolloutSuperseded
    }
  }
}

extension RolloutDocument {
  /// The decisions over every version of every patch, newest version first within a patch.
  ///
  /// - Throws: `TrustError` `patch-other-app` where the document is another app's.
  package func decisions(for device: DeviceFacts, at time: Date) throws(TrustError) -> [RolloutDecision] {
    guard device.app == app else {
      throw TrustError(.patchOfOtherApp, ["found": app, "expected": device.app])
    }
    return rollouts.sorted { ($0.patch, $1.version) < ($1.patch, $0.version) }
      .map { $0.decision(for: device, at: time) }
  }

  /// The patches for `device`: of each patch the newest version that is offered to it, by the patch's name.
  package func offers(for device: DeviceFacts, at time: Date) throws(TrustError) -> [Rollout] {
    guard device.app == app else {
      throw TrustError(.patchOfOtherApp, ["found": app, "expected": device.app])
    }
    var newest: [String: Rollout] = [:]
    for rollout in rollouts where rollout.decision(for: device, at: time).isOffered {
      if let other = newest[rollout.patch], other.version >= rollout.version { continue }
      newest[rollout.patch] = rollout
    }
    return newest.values.sorted { $0.patch < $1.patch }
  }
}

extension TrustError.Code {
  package static let patchOfOtherApp = refused("patch-other-app")
  package static let patchOfOtherChannel = refused("patch-channel")
  package static let patchOfOtherAppVersion = refused("patch-app-version")
  package static let notForThisDevice = refused("patch-not-for-this-device")
  package static let rolloutPaused = refused("rollout-paused")
  package static let rolloutHalted = refused("rollout-halted")
  package static let rolloutKilled = refused("rollout-killed")
  package static let rolloutSuperseded = refused("rollout-superseded")
}
