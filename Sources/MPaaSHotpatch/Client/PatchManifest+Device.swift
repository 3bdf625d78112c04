import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension PatchManifest {
  /// Checks that the patch is one for this device, whatever a rollout says.
  ///
  /// - Throws: `TrustError` `patch-other-app`, `patch-channel`, `patch-app-version`.
  package func checkTarget(_ device: DeviceFacts) throws(TrustError) {
    guard app == device.app else { throw error(.patchOfOtherApp, found: app, expected: device.app) }
    guard channel == device.channel else {
      throw error(.patchOfOtherChannel, found: channel, expected: device.channel)
    }
    guard let version = DottedVersion(device.appVersion), appVersions.contains(version) else {
      throw error(.patchOfOtherAppVersion, found: device.appVersion, expected: appVersions.text)
    }
  }

  /// Checks that `time` is within the patch's term; only for new installs, what runs goes on running.
  ///
  /// - Throws: `TrustError` `patch-not-yet-valid`, `patch-expired`.
  package func checkTerm(at time: Date) throws(TrustError) {
    guard issued <= time else {
      throw error(.patchNotYetValid, found: MetadataTime.text(time), expected: MetadataTime.text(issued))
    }
    guard time < expires else {
      throw error(.patchExpired, found: MetadataTime.text(time), expected: MetadataTime.text(expires))
    }
  }

  private func error(_ code: TrustError.Code, found: String, expected: String) -> TrustError {
    TrustError(code, ["patch": patch, "version": version.text, "found": found, "expected": expected])
  }
}

extension TrustError.Code {
  package static let patchNotYetValid = refused("patch-not-yet-valid")
  package static let patchExpired = refused("patch-expired")
}
