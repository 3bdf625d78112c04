import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The reason why a release is not what a device gets.
package enum UpdateVerdict: String, Sendable, Hashable {
  case offered
  /// A newer one is offered.
  case surpassed
  case otherPlatform = "other-platform"
  case otherChannel = "other-channel"
  case notNewer = "not-newer"
  case paused
  case withdrawn
  case systemTooOld = "system-too-old"
  case notInRollout = "not-in-rollout"
}

extension UpdateFeed {
  /// The version that a device gets; nil where none is newer for it.
  ///
  /// The newest release counts that runs on the device's system, on its channel, and that the device has a part in. Below
  /// a version that must be left, parts do not count.
  ///
  /// - Throws: `TrustError` `update-version-malformed` for a version that is none.
  package func offer(for request: UpdateRequest, at time: Date) throws(TrustError) -> UpdateOffer? {
    let installed = try Self.version(request.version)
    let found = releases.filter { verdict($0, request, installed) == .offered }
    guard let newest = found.max(by: { $0.version < $1.version }) else { return nil }
    // A device that must leave an old version gets the newest one, whichever release asked for it.
    let isForced = found.contains { release in
      release.forceBelow.map { installed < $0 } == true || release.deadline.map { $0 <= time } == true
        || release.prompt == .force
    }
    return UpdateOffer(release: newest, isForced: isForced, prompt: isForced ? .force : newest.prompt)
  }

  /// The verdict on each release, the newest first.
  ///
  /// - Throws: `TrustError` `update-version-malformed`.
  package func verdicts(for request: UpdateRequest) throws(TrustError) -> [(UpdateRelease, UpdateVerdict)] {
    let installed = try Self.version(request.version)
    var isOffered = false
    return releases.sorted { $0.version > $1.version }.map { release in
      var verdict = verdict(release, request, installed)
      if verdict == .offered, isOffered { verdict = .surpassed }
      if verdict == .offered { isOffered = true }
      return (release, verdict)
    }
  }

  private func verdict(_ release: UpdateRelease, _ request: UpdateRequest, _ installed: AppVersion) -> UpdateVerdict {
    guard release.platform == request.systemPlatform.lowercased() else { return .otherPlatform }
    guard release.channel == request.channel else { return .otherChannel }
    switch release.state {
    case .withdrawn: return .withdrawn
    case .paused: return .paused
    case .running: break
    }
    guard installed < release.version else { return .notNewer }
    if let minimum = release.minimumSystem, let system = request.systemVersion.flatMap({ DottedVersion($0) }),
      system < minimum
    {
      return .systemTooOld
    }
    if let least = release.forceBelow, installed < least { return .offered }
    guard release.basisPoints < UpdateBucket.count else { return .offered }
    guard let id = request.deviceID, UpdateBucket.of(id, group: release.group) <= release.basisPoints else {
      return .notInRollout
    }
    return .offered
  }

  /// Reads a version.
  ///
  /// - Throws: `TrustError` `update-version-malformed`.
  package static func version(_ text: String) throws(TrustError) -> AppVersion {
    guard let version = AppVersion(text) else { throw TrustError(.updateVersionMalformed, ["version": text]) }
    return version
  }
}

extension TrustError.Code {
  package static let updateVersionMalformed = TrustError.Code("update-version-malformed", exit: .usage)
}
