import MPaaSDigests
package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The signed part of a bundle: for which app a patch is, what it changes, and what its payload must be.
package struct PatchManifest: Sendable, Equatable {
  /// A file of the payload.
  package struct File: Sendable, Equatable {
    /// Relative, with `/` between its parts: `main.lua`, `images/badge.png`.
    package var path: String
    package var size: Int
    /// Lower-case hex.
    package var sha256: String

    package init(path: String, size: Int, sha256: String) {
      self.path = path
      self.size = size
      self.sha256 = sha256
    }
  }

  /// The encrypted payload: its size and digest as it stands in the bundle, and its size once decrypted.
  package struct Payload: Sendable, Equatable {
    package var length: Int
    package var sha256: String
    package var plainLength: Int

    package init(length: Int, sha256: String, plainLength: Int) {
      self.length = length
      self.sha256 = sha256
      self.plainLength = plainLength
    }

    /// Compares the length and the digest of `payload` with those that are told.
    package func matches(_ payload: Bytes) -> Bool {
      payload.count == length && payload.sha256.hexadecimal == sha256
    }
  }

  /// The app key or bundle identifier.
  package var app: String
  package var channel: String
  /// The name of the patch: a later version of the same name takes its place.
  package var patch: String
  package var version: DottedVersion
  package var appVersions: DottedVersionRange
  package var issued: Date
  package var expires: Date
  /// The functions of the app that it replaces, sorted.
  package var symbols: [String]
  package var payload: Payload
  /// Sorted by path.
  package var files: [File]
  package var notes: String

  package init(
    app: String, channel: String, patch: String, version: DottedVersion, appVersions: DottedVersionRange,
    issued: Date, expires: Date, symbols: [String], payload: Payload, files: [File], notes: String
  ) {
    self.app = app
    self.channel = channel
    self.patch = patch
    self.version = version
    self.appVersions = appVersions
    self.issued = issued
    self.expires = expires
    self.symbols = symbols
    self.payload = payload
    self.files = files
    self.notes = notes
  }
}
