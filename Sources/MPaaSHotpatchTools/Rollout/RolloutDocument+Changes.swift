package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The changes that a publisher makes; each one is noted in the history with its reason.
extension RolloutDocument {
  /// Begins the rollout of a version; older versions of the patch in its channel that are on their way are superseded.
  ///
  /// - Throws: `TrustError` `rollout-published` where the version is there, `patch-version-changed` where it is there with
  ///   another bundle, `patch-version-lower` where a newer one is.
  package mutating func publish(_ rollout: Rollout, reason: String, at time: Date) throws(TrustError) {
    let others = rollouts.filter { $0.patch == rollout.patch && $0.channel == rollout.channel }
    if let newest = others.max(by: { $0.version < $1.version }), newest.version >= rollout.version {
      let isSame = newest.target.sha256 == rollout.target.sha256
      throw TrustError(
        newest.version > rollout.version ? .patchVersionLower : isSame ? .rolloutPublished : .patchVersionChanged,
        ["patch": rollout.patch, "version": rollout.version.text, "known": newest.version.text])
    }
    for index in rollouts.indices
    where rollouts[index].patch == rollout.patch && rollouts[index].channel == rollout.channel
      && [.running, .paused, .halted].contains(rollouts[index].state)
    {
      // A halted one must not come back to life on the devices that have it.
      let state: Rollout.State = rollouts[index].state == .halted ? .killed : .superseded
      change(index, state == .killed ? .killed : .superseded, rollout.version.text, at: time) { $0.state = state }
    }
    rollouts.append(rollout)
    change(rollouts.count - 1, .published, reason, at: time) { _ in }
  }

  /// The place of a rollout of the same bundle, which was published before, or was being published by who was ended;
  /// nil where there is none, or where it is on its way no more.
  ///
  /// - Throws: `TrustError` `rollout-state` where it was withdrawn.
  package func index(ofSame rollout: Rollout) throws(TrustError) -> Int? {
    let index = rollouts.lastIndex {
      $0.patch == rollout.patch && $0.version == rollout.version && $0.channel == rollout.channel
        && $0.target.sha256 == rollout.target.sha256
    }
    guard let index, rollouts[index].state != .superseded else { return nil }
    try require(index, [.running, .paused, .halted])
    return index
  }

  /// The place of a version, or of the newest one that is not killed where none is named.
  ///
  /// - Throws: `TrustError` `rollout-unknown`, `rollout-ambiguous` where no patch is named and there are several.
  package func index(patch: String?, version: DottedVersion?, channel: String?) throws(TrustError) -> Int {
    let found = rollouts.indices.filter { index in
      (patch == nil || rollouts[index].patch == patch) && (channel == nil || rollouts[index].channel == channel)
        && (version == nil || rollouts[index].version == version)
    }
    let names = Set(found.map { [rollouts[$0].patch, rollouts[$0].channel] })
    guard names.count <= 1 else {
      let list = names.map { $0.joined(separator: " (") + ")" }.sorted()
      throw TrustError(.rolloutAmbiguous, ["app": app, "list": list.joined(separator: ", ")])
    }
    let live = found.filter { rollouts[$0].state != .killed }
    guard let index = (live.isEmpty ? found : live).max(by: { rollouts[$0].version < rollouts[$1].version }) else {
      throw TrustError(
        .rolloutUnknown, ["app": app, "patch": patch ?? "*", "version": version?.text ?? "*"])
    }
    return index
  }

  /// Changes one rollout and notes it.
  package mutating func change(
    _ index: Int, _ kind: Rollout.Change.Kind, _ reason: String, at time: Date, _ body: (inout Rollout) -> Void
  ) {
    body(&rollouts[index])
    rollouts[index].history.append(
      Rollout.Change(time: time, kind: kind, basisPoints: rollouts[index].basisPoints, reason: reason))
    touch(at: time)
  }

  private mutating func touch(at time: Date) {
    version += 1
    updated = time
  }

  /// Pauses what runs.
  ///
  /// - Throws: `TrustError` `rollout-state` where it does not run.
  package mutating func pause(_ index: Int, reason: String, at time: Date) throws(TrustError) {
    try require(index, [.running])
    change(index, .paused, reason, at: time) { $0.state = .paused }
  }

  /// Lets a paused or halted rollout go on; the crashes that halted it do not count a second time.
  package mutating func resume(_ index: Int, reason: String, at time: Date) throws(TrustError) {
    try require(index, [.paused, .halted])
    change(index, .resumed, reason, at: time) { rollout in
      if let known = rollout.statistics, rollout.state == .halted || known.halts {
        rollout.statistics?.forgivenSessions = known.sessions
        rollout.statistics?.forgivenCrashes = known.crashes
      }
      rollout.state = .running
    }
  }

  package mutating func halt(_ index: Int, reason: String, at time: Date) throws(TrustError) {
    try require(index, [.running, .paused])
    change(index, .halted, reason, at: time) { $0.state = .halted }
  }

  /// The reach of a halt.
  package enum HaltScope: Sendable, Equatable {
    /// No new device gets the patch; those that have it keep it.
    case installs
    /// No device runs it.
    case everywhere
  }

  /// Takes the totals of crash statistics in, and halts where the test says so.
  ///
  /// - Parameters:
  ///   - scope: What is stopped then.
  ///   - counted: When the totals were counted; nil for now.
  /// - Returns: Whether this halted the rollout.
  package mutating func record(
    sessions: Int, crashes: Int, baseline: Int, of index: Int, scope: HaltScope = .everywhere, reason: String,
    counted: Date? = nil, at time: Date
  ) -> Bool {
    var statistics = CrashStatistics(
      sessions: sessions, crashes: crashes, baseline: baseline, updated: counted ?? time)
    statistics.forgivenSessions = rollouts[index].statistics?.forgivenSessions ?? 0
    statistics.forgivenCrashes = rollouts[index].statistics?.forgivenCrashes ?? 0
    rollouts[index].statistics = statistics
    touch(at: time)
    guard statistics.halts else { return false }
    switch (scope, rollouts[index].state) {
    case (.everywhere, .running), (.everywhere, .paused):
      change(index, .halted, reason, at: time) { $0.state = .halted }
    case (.installs, .running): change(index, .paused, reason, at: time) { $0.state = .paused }
    default: return false
    }
    return true
  }

  /// Withdraws every version of a patch above `version`, all of them where it is nil, and lets `version` run again.
  ///
  /// - Throws: `TrustError` `rollout-unknown` where the version is not there or was withdrawn itself.
  /// - Returns: The withdrawn versions.
  package mutating func rollBack(
    patch: String, channel: String, to version: DottedVersion?, reason: String, at time: Date
  ) throws(TrustError) -> [DottedVersion] {
    let own = rollouts.indices.filter { rollouts[$0].patch == patch && rollouts[$0].channel == channel }
    let goal = version.flatMap { version in own.first { rollouts[$0].version == version } }
    guard !own.isEmpty, version == nil || goal.map({ rollouts[$0].state != .killed }) == true else {
      throw TrustError(.rolloutUnknown, ["app": app, "patch": patch, "version": version?.text ?? "*"])
    }
    var withdrawn: [DottedVersion] = []
    for index in own where rollouts[index].state != .killed {
      if let version, rollouts[index].version <= version { continue }
      change(index, .killed, reason, at: time) { $0.state = .killed }
      withdrawn.append(rollouts[index].version)
    }
    if let goal, rollouts[goal].state != .running {
      change(goal, .restored, reason, at: time) { $0.state = .running }
    }
    return withdrawn
  }

  /// The version below one that was not withdrawn; nil where there is none.
  package func versionBefore(_ index: Int) -> DottedVersion? {
    let rollout = rollouts[index]
    return rollouts.filter {
      $0.patch == rollout.patch && $0.channel == rollout.channel && $0.version < rollout.version
        && $0.state != .killed
    }.map(\.version).max()
  }

  /// - Throws: `TrustError` `rollout-state` where it is in none of these.
  package func require(_ index: Int, _ states: [Rollout.State]) throws(TrustError) {
    guard !states.contains(rollouts[index].state) else { return }
    throw TrustError(
      .rolloutState,
      [
        "patch": rollouts[index].patch, "version": rollouts[index].version.text,
        "state": rollouts[index].state.rawValue,
      ])
  }
}

extension TrustError.Code {
  package static let rolloutPublished = TrustError.Code("rollout-published", exit: .negative)
  package static let rolloutUnknown = TrustError.Code("rollout-unknown", exit: .inputMissing)
  package static let rolloutAmbiguous = TrustError.Code("rollout-ambiguous", exit: .usage)
  package static let rolloutState = TrustError.Code("rollout-state", exit: .negative)
}
