package import MPaaSSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The way in which an app tells its user of a version.
public enum UpdatePrompt: String, Sendable, Hashable, CaseIterable {
  /// Nothing is asked: the app brings the version in quietly, or its page tells of it.
  case silent
  /// The user is asked once for each version.
  case once
  /// The user is asked at each check.
  case always
  /// The app is not to be used without the version.
  case force
}

/// A file of the repository: the package of a version, or a difference.
public struct UpdateFile: Sendable, Hashable {
  /// The name of the target.
  public let path: String
  /// Its bytes.
  public let length: Int
  /// Its digest in hexadecimal digits.
  public let sha256: String

  package init(path: String, length: Int, sha256: String) {
    (self.path, self.length, self.sha256) = (path, length, sha256)
  }
}

/// The difference between the package of an older version and the one of a release, as `zstd --patch-from` makes it.
public struct UpdateDelta: Sendable, Hashable {
  /// The version that it leads from.
  public let from: AppVersion
  /// The digest of that version's package, in hexadecimal digits.
  public let fromSHA256: String
  /// The difference itself.
  public let file: UpdateFile

  package init(from: AppVersion, fromSHA256: String, file: UpdateFile) {
    (self.from, self.fromSHA256, self.file) = (from, fromSHA256, file)
  }
}

/// One version of an app that its operator offers, and to whom.
public struct UpdateRelease: Sendable, Hashable {
  /// The states of a release.
  package enum State: String, Sendable, Hashable, CaseIterable {
    case running
    /// Offered to no further device until it is resumed.
    case paused
    /// Offered to no device any more.
    case withdrawn
  }

  /// The version.
  public let version: AppVersion
  /// The system that it runs on: `ios`, `macos`, `linux`, `android`.
  public let platform: String
  /// The channel that it is offered on.
  package var channel: String
  package var state = State.running
  /// The time at which it was published.
  public let published: Date
  /// The notes by language: `en`, `zh-Hans`.
  package var notes: [String: String] = [:]
  /// The least version of the system; nil for any.
  package var minimumSystem: DottedVersion?
  package var prompt = UpdatePrompt.once
  /// Versions older than this one must be updated; nil for none.
  package var forceBelow: AppVersion?
  /// The time from which the update is forced; nil for never.
  package var deadline: Date?
  /// The share of devices, of 10,000.
  package var basisPoints: Int
  /// The name that the parts of the rollout are drawn by.
  package let group: String
  /// The package; nil where the version is had from `page` only.
  public package(set) var file: UpdateFile?
  /// The differences from older packages.
  package var deltas: [UpdateDelta] = []
  /// The address that leads to the version: of a store, or an `itms-services` link; nil for none.
  public package(set) var page: String?

  package init(
    version: AppVersion, platform: String, channel: String, published: Date, basisPoints: Int = UpdateBucket.count,
    group: String, file: UpdateFile?, page: String? = nil
  ) {
    self.version = version
    self.platform = platform
    self.channel = channel
    self.published = published
    self.basisPoints = basisPoints
    self.group = group
    self.file = file
    self.page = page
  }
}
