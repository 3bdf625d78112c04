package import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The state of a client between two starts of its app: a small file that is replaced whole, so that a process that
/// dies at any moment leaves the state before or the state after.
package struct ClientState: Sendable, Equatable {
  /// A bundle that lies beside the state under the name of its digest.
  package struct Installed: Sendable, Equatable {
    package var patch: String
    package var version: DottedVersion
    package var channel: String
    /// The SHA-256 of the whole bundle, in lower-case hex.
    package var sha256: String
    package var length: Int
    /// True if the app was ever said to be healthy with this version running.
    package var isHealthy = false
    /// Starts with it, in a row, that had an unknown end before it was said to be healthy.
    package var silentStarts = 0
    /// Starts with it that crashed, with fewer than `ClientState.goodStartsUntilForgiven` good ones in between.
    package var crashes = 0
    /// Good starts since the last crash.
    package var goodStarts = 0
    /// The rest that it has while it is put aside.
    package var aside: Aside?
    /// Tells how often it was put aside since its last good start.
    package var timesAside = 0

    package init(patch: String, version: DottedVersion, channel: String, sha256: String, length: Int) {
      self.patch = patch
      self.version = version
      self.channel = channel
      self.sha256 = sha256
      self.length = length
    }
  }

  /// The rest of a version that may be to blame; it is tried again afterwards.
  package struct Aside: Sendable, Equatable {
    package var until: Date
    /// Starts without it, in a row, that had an unknown end before the app was said to be healthy.
    package var silentStarts = 0

    package init(until: Date) { self.until = until }
  }

  /// The versions of one patch that are kept.
  package struct Slot: Sendable, Equatable {
    package var current: Installed?
    /// The healthy version before it: what runs when the current one turns out bad or is withdrawn.
    package var lastGood: Installed?
    /// The newest version that was ever here, and its digest: no older one is installed over it, and no other of the
    /// same number.
    package var newestVersion: DottedVersion
    package var newestDigest: String

    /// The version that runs: the one before the current one while that is put aside.
    package var runner: Installed? { current?.aside == nil ? current : lastGood?.aside == nil ? lastGood : nil }
  }

  /// A start whose end is not known yet.
  package struct Boot: Sendable, Equatable {
    /// Counts the starts, so that a word about one of them is never taken for a word about another.
    package var number = 0
    package var time: Date
    package var processID: Int32 = 0
    /// The digests of the bundles that ran.
    package var digests: [String]
    /// Those of them that the app was said to be healthy with.
    package var healthy: [String] = []
    /// True if the app was said to be healthy at all in this start.
    package var isHealthy = false
  }

  /// A word on a start: that the app is healthy with these bundles.
  package struct HealthWord: Sendable, Equatable {
    /// The start's number.
    package var start: Int
    package var digests: Set<String>

    package init(start: Int, digests: Set<String>) {
      self.start = start
      self.digests = digests
    }
  }

  /// A bundle that is not run or installed again.
  package struct BadPatch: Sendable, Equatable {
    package var patch: String
    package var version: DottedVersion
    package var sha256: String
    package var time: Date
  }

  /// By the patch's name.
  package var slots: [String: Slot] = [:]
  package var pendingBoot: Boot?
  /// The number of starts.
  package var starts = 0
  /// Starts with patches in a row that crashed.
  package var failedBoots = 0
  /// Oldest first, at most `mostBad`.
  package var knownBad: [BadPatch] = []

  static let mostBad = 256

  package init() {}

  /// All versions that are here.
  package var kept: [Installed] {
    slots.values.flatMap { [$0.current, $0.lastGood].compactMap(\.self) }.sorted { $0.patch < $1.patch }
  }

  /// The digests of all bundles that must stay.
  package var digests: Set<String> {
    Set(kept.map(\.sha256))
  }
}
