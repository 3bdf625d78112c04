package import MPaaSAppServices
package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The choice of one release of a feed.
package struct ReleaseChoice: Sendable, Hashable {
  package var version: String
  /// Nil where only one platform has the version.
  package var platform: String?

  package init(version: String, platform: String? = nil) {
    self.version = version
    self.platform = platform
  }
}

/// The facts of a release that can be changed while it runs; nil leaves what was.
package struct ReleaseChanges: Sendable, Equatable {
  package var channel: String?
  /// The share of devices that get the release, in parts of 10,000.
  package var basisPoints: Int?
  package var notes: [String: String] = [:]
  package var minimumSystem: DottedVersion?
  package var prompt: UpdatePrompt?
  package var forceBelow: AppVersion?
  package var deadline: Date?
  package var page: String?
  /// The state to go over to.
  package var state: UpdateRelease.State?

  package init() {}
}

extension UpdateFeed {
  /// The place of the release that is meant.
  ///
  /// - Throws: `TrustError` `update-unknown` where there is none, or several platforms have the version.
  package func index(of choice: ReleaseChoice) throws(TrustError) -> Int {
    let version = try Self.version(choice.version)
    let found = releases.indices.filter { index in
      releases[index].version == version && choice.platform.map { $0 == releases[index].platform } ?? true
    }
    guard found.count == 1, let index = found.first else {
      throw TrustError(
        .updateUnknown,
        [
          "app": app, "version": choice.version,
          "platforms": found.map { releases[$0].platform }.joined(separator: ", "),
        ])
    }
    return index
  }

  /// Adds a release.
  ///
  /// - Throws: `TrustError` `update-version-taken` where its version is there with another file or channel.
  package mutating func publish(_ release: UpdateRelease, at time: Date) throws(TrustError) {
    let known = releases.firstIndex { $0.platform == release.platform && $0.version == release.version }
    if let known {
      guard releases[known].file == release.file, releases[known].channel == release.channel else {
        throw TrustError(.updateVersionTaken, ["version": release.version.text])
      }
      return
    }
    guard releases.count < Self.mostReleases else { throw TrustError(.updateFeedMalformed, ["field": "releases"]) }
    releases.append(release)
    touch(time)
  }

  /// Changes a release.
  ///
  /// - Throws: `TrustError` `update-state` where a withdrawn one is to be something else.
  package mutating func change(_ index: Int, _ changes: ReleaseChanges, at time: Date) throws(TrustError) {
    let before = releases[index]
    if before.state == .withdrawn, changes.state != .withdrawn {
      throw TrustError(.updateState, ["version": before.version.text])
    }
    releases[index].apply(changes)
    if releases[index] != before { touch(time) }
  }

  private mutating func touch(_ time: Date) {
    version += 1
    updated = time
  }
}

extension UpdateRelease {
  package mutating func apply(_ changes: ReleaseChanges) {
    if let channel = changes.channel { self.channel = channel }
    if let basisPoints = changes.basisPoints { self.basisPoints = basisPoints }
    for (language, text) in changes.notes { notes[language] = text.isEmpty ? nil : text }
    if let minimum = changes.minimumSystem { minimumSystem = minimum }
    if let prompt = changes.prompt { self.prompt = prompt }
    if let forceBelow = changes.forceBelow { self.forceBelow = forceBelow }
    if let deadline = changes.deadline { self.deadline = deadline }
    if let page = changes.page { self.page = page }
    if let state = changes.state { self.state = state }
  }
}

extension TrustError.Code {
  package static let updateUnknown = TrustError.Code("update-unknown", exit: .inputMissing)
  package static let updateVersionTaken = refused("update-version-taken")
  package static let updateState = refused("update-state")
}
