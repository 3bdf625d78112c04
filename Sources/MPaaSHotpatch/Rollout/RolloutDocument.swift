package import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The document that the online role `director` signs for one app: which of the patches that the offline role vouches
/// for are on their way to whom.
///
/// It is a target of the repository, `rollout/<app>.json`, in canonical JSON. It can only narrow, pause or withdraw:
/// whoever holds the director's key cannot ship code, since each entry must name a target of the role for patches with
/// the same length and digest, and the bundle has signatures of its own.
package struct RolloutDocument: Sendable, Equatable {
  package static let schema = "mpaas-rollout/1"
  /// The largest document that is read, in bytes.
  package static let largest = 4 << 20

  package let app: String
  /// Counts the changes.
  package var version = 0
  package var updated: Date
  /// In the order in which they were published.
  package var rollouts: [Rollout] = []

  package init(app: String, updated: Date) {
    self.app = app
    self.updated = updated
  }

  /// The name of an app's document in the repository.
  package static func path(app: String) -> String { "rollout/\(app).json" }

  /// The name of a patch's bundle in the repository.
  package static func bundlePath(app: String, patch: String, version: DottedVersion) -> String {
    "patches/\(app)/\(patch)-\(version).mpatch"
  }

  /// Tells whether `name` may stand in a path: letters, digits, `.`, `_` and `-`, at most 128, not a dot first.
  package static func isName(_ name: String) -> Bool {
    let isWord = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    return isWord && (1...128).contains(name.utf8.count) && !name.hasPrefix(".")
  }

  /// Checks that each patch that can still be fetched is one that the repository's targets list, byte for byte.
  ///
  /// - Parameter targets: The file of a name, as the role for patches signed it; nil where it lists none.
  /// - Throws: `TrustError` `rollout-not-in-targets`.
  package func check(against targets: (String) throws(TrustError) -> TargetFile?) throws(TrustError) {
    for rollout in rollouts where rollout.state != .killed {
      guard let file = try targets(rollout.target.path), file.length == rollout.target.length,
        file.digests.hexadecimal["sha256"] == rollout.target.sha256
      else {
        throw TrustError(
          .rolloutNotInTargets,
          ["patch": rollout.patch, "version": rollout.version.text, "path": rollout.target.path])
      }
    }
  }
}

extension TrustError.Code {
  package static let rolloutMalformed = malformed("rollout-malformed")
  package static let rolloutNotInTargets = refused("rollout-not-in-targets")
}
