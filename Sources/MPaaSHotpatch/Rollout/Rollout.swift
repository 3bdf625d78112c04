package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The devices that get one version of a patch, and how that came to be.
package struct Rollout: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// Devices that the rules choose get it.
    case running
    /// No new device gets it; a device that has it keeps it.
    case paused
    /// The crash statistics stopped it: no new device gets it, and a device that has it does not run it until it is
    /// resumed.
    case halted
    /// It was withdrawn: no device gets it or runs it, for good.
    case killed
    /// A newer version took its place: no new device gets it; a device that has it keeps it until the newer one comes.
    case superseded
  }

  /// The stages of a rollout has come, as mPaaS divides it.
  package enum Stage: String, Sendable, CaseIterable {
    /// Only who is on the allow list.
    case list
    /// Within the time window, up to its number of users.
    case window
    /// All devices that the percentage takes in.
    case official
  }

  /// The bundle, as the offline role signed it into the repository; both must agree.
  package struct Target: Sendable, Equatable {
    /// `patches/com.example.shop/cart-3.mpatch`.
    package var path: String
    package var length: Int
    /// Lower-case hex.
    package var sha256: String

    package init(path: String, length: Int, sha256: String) {
      self.path = path
      self.length = length
      self.sha256 = sha256
    }
  }

  /// The times at which the stage `window` is open, and for how many users of how many.
  package struct Window: Sendable, Equatable {
    package var start: Date
    package var end: Date
    package var users: Int
    /// All users of the app and channel, by the publisher's estimate: what turns a number of users into a percentage.
    package var population: Int

    package init(start: Date, end: Date, users: Int, population: Int) {
      self.start = start
      self.end = end
      self.users = users
      self.population = population
    }

    package var basisPoints: Int {
      let (product, overflow) = users.multipliedReportingOverflow(by: RolloutBucket.count)
      return overflow ? RolloutBucket.count : min(RolloutBucket.count, product / max(1, population))
    }
  }

  /// An entry of the history.
  package struct Change: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
      case published, percentage, stage, rules, lists, paused, resumed, halted, killed, superseded, restored, mandatory
    }

    package var time: Date
    package var kind: Kind
    package var basisPoints: Int
    package var reason: String

    package init(time: Date, kind: Kind, basisPoints: Int, reason: String) {
      self.time = time
      self.kind = kind
      self.basisPoints = basisPoints
      self.reason = reason
    }
  }

  package var patch: String
  package var version: DottedVersion
  package var channel: String
  package var target: Target
  package var state = State.running
  package var stage = Stage.official
  /// The share of devices that get the patch, in parts of 10,000.
  package var basisPoints: Int
  /// New for each version, so that not always the same users go first.
  package var salt: String
  /// Identifiers as `RolloutBucket.listed` gives them, sorted.
  package var allow: [String] = []
  package var deny: [String] = []
  /// All of them must hold.
  package var rules: [RolloutRule] = []
  package var window: Window?
  package var appVersions: DottedVersionRange
  /// Tells whether it runs at once even where it is fetched on return to the foreground.
  package var isMandatory = false
  package var statistics: CrashStatistics?
  /// Oldest first.
  package var history: [Change] = []

  package init(
    patch: String, version: DottedVersion, channel: String, target: Target, basisPoints: Int, salt: String,
    appVersions: DottedVersionRange = .all
  ) {
    self.patch = patch
    self.version = version
    self.channel = channel
    self.target = target
    self.basisPoints = basisPoints
    self.salt = salt
    self.appVersions = appVersions
  }

  /// The number of users of 10,000 that the stage takes in, the lists aside.
  package var effectiveBasisPoints: Int {
    switch stage {
    case .list: 0
    case .window: min(basisPoints, window?.basisPoints ?? 0)
    case .official: basisPoints
    }
  }
}

/// The known crashes with a patch: the state of the automatic halt.
///
/// The test's ratio depends on the totals alone, so that totals may be told again and again without counting twice.
package struct CrashStatistics: Sendable, Equatable {
  /// All devices with the patch so far, and those of them that crashed; sessions in documents of before.
  package var sessions: Int
  package var crashes: Int
  /// The crashes among a million devices without the patch.
  package var baseline: Int
  /// The totals when a halted rollout was resumed; what came before does not count again.
  package var forgivenSessions = 0
  package var forgivenCrashes = 0
  package var updated: Date

  package init(sessions: Int, crashes: Int, baseline: Int, updated: Date) {
    self.sessions = sessions
    self.crashes = crashes
    self.baseline = baseline
    self.updated = updated
  }
}
