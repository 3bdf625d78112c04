import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The document that tells an app of its versions: a target of a signed repository, `updates/<app>.json`, in canonical
/// JSON.
///
/// Signatures, versions and expiry are the repository's (The Update Framework); the document has a number of its own,
/// too, which never gets lower.
package struct UpdateFeed: Sendable, Equatable {
  package static let schema = "mpaas-updates/1"
  /// The largest document that is read, in bytes.
  package static let largest = 4 << 20
  /// The most releases in a document.
  package static let mostReleases = 1000

  package let app: String
  /// Counts the changes.
  package var version = 0
  package var updated: Date
  /// In the order in which they were published.
  package var releases: [UpdateRelease] = []

  package init(app: String, updated: Date) {
    self.app = app
    self.updated = updated
  }

  /// The name of an app's document in the repository.
  package static func path(app: String) -> String { "updates/\(app).json" }

  /// The name of a file of a version in the repository.
  package static func filePath(app: String, platform: String, version: String, name: String) -> String {
    "updates/\(app)/\(platform)/\(version)/\(name)"
  }

  /// The app whose document a target's name is; nil for other targets.
  package static func app(ofPath path: String) -> String? {
    let prefix = "updates/"
    guard path.hasPrefix(prefix), path.hasSuffix(".json") else { return nil }
    let app = String(path.dropFirst(prefix.count).dropLast(5))
    return isName(app) ? app : nil
  }

  /// Tells whether `name` may stand in a path: letters, digits, `.`, `_`, `+` and `-`, at most 128, not a dot first.
  package static func isName(_ name: String) -> Bool {
    let isWord = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
    }
    return isWord && (1...128).contains(name.utf8.count) && !name.hasPrefix(".")
  }

  /// Checks that each file that can still be fetched is one that the repository's targets list, byte for byte.
  ///
  /// - Parameter targets: The file of a name as its role signed it; nil where none lists it.
  /// - Throws: `TrustError` `update-not-in-targets`.
  package func check(against targets: (String) throws(TrustError) -> TargetFile?) throws(TrustError) {
    for release in releases where release.state != .withdrawn {
      for file in [release.file].compactMap({ $0 }) + release.deltas.map(\.file) {
        guard let target = try targets(file.path), target.length == file.length,
          target.digests.hexadecimal["sha256"] == file.sha256
        else { throw TrustError(.updateNotInTargets, ["path": file.path, "version": release.version.text]) }
      }
    }
  }
}

extension TrustError.Code {
  package static let updateFeedMalformed = malformed("update-feed-malformed")
  package static let updateFeedOlder = refused("update-feed-older")
  package static let updateNotInTargets = refused("update-not-in-targets")
}
