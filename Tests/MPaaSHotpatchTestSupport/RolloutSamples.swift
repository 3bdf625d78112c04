package import Foundation
package import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTrust
import Testing

/// Values that the tests of rollouts begin with.
package enum Sample {
  package static let app = "com.example.shop"
  package static let start = Date(timeIntervalSince1970: 1_800_000_000)
  package static let device = DeviceFacts(
    id: "user-1", app: app, appVersion: "8.1.0", city: "Hangzhou", model: "iPhone16,2", network: "wifi",
    systemVersion: "17.4")

  package static func digest(_ number: Int) -> String { String(repeating: "0", count: 62) + String(number % 90 + 10) }

  package static func rollout(_ version: String, percent: Int = 100, patch: String = "cart") throws -> Rollout {
    let version = try #require(DottedVersion(version))
    return Rollout(
      patch: patch, version: version, channel: "release",
      target: Rollout.Target(
        path: RolloutDocument.bundlePath(app: app, patch: patch, version: version), length: 1000,
        sha256: digest(version.text.utf8.reduce(0) { $0 + Int($1) })),
      basisPoints: percent * 100, salt: "salt-\(version)",
      appVersions: try #require(DottedVersionRange(">=8.0,<9")))
  }

  package static func document(_ rollouts: Rollout...) throws -> RolloutDocument {
    var document = RolloutDocument(app: app, updated: start)
    for rollout in rollouts { try document.publish(rollout, reason: "", at: start) }
    return document
  }

  package static func read(_ bytes: [UInt8]) throws(TrustError) -> RolloutDocument {
    // Typed throws do not pass through the closure of Array.
    try Result { () throws(TrustError) in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
      defer { copy.deallocate() }
      copy.copyBytes(from: bytes)
      return try RolloutDocument(reading: UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
    }.get()
  }
}
