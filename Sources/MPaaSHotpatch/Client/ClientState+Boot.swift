package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The boot state machine: a start is noted before patches run, what the app says of its health is noted for this start
/// and these versions, and the next start judges by both and by how the run ended.
///
/// | how the run ended | said to be healthy | what it is |
/// | --- | --- | --- |
/// | crashed | either | a crash of the versions that ran |
/// | quit or unknown | yes | a good start |
/// | quit | no | nothing: a user who leaves early says nothing about a patch |
/// | unknown | no | a failed start |
///
/// A version that was never healthy is known-bad after two crashes. One that was healthy is suspected after three, with
/// fewer than twenty good starts in between, and nothing runs in the next start (safe mode): where that is good, the
/// version was to blame and is known-bad; where that crashes too, it was not. Failed starts do the same after three in
/// a row, but put a version aside for a week only.
extension ClientState {
  /// So many crashes make a version known-bad that was never healthy.
  package static let crashesUntilBad = 2
  /// So many crashes, or failed starts in a row, make a version suspected; so many in a row of any versions bring safe
  /// mode.
  package static let failuresUntilSafeMode = 3
  /// So many good starts in a row have crashes forgotten.
  package static let goodStartsUntilForgiven = 20
  /// The time for which a version is put aside that may have been ended by the user.
  package static let timeAside: TimeInterval = 7 * 86_400

  /// The changes that the end of the last start made.
  package enum BootEvent: Sendable, Equatable {
    /// The last start with patches failed.
    case failed(inARow: Int)
    /// A version is not run any more; the version that takes its place, if any.
    case knownBad(Installed, replacement: DottedVersion?)
    case safeMode
  }

  package var isSafeMode: Bool {
    failedBoots >= Self.failuresUntilSafeMode || slots.values.contains { $0.current?.isSuspected == true }
  }

  /// The bundles to run, by the patches' names; none in safe mode.
  package var runnable: [Installed] {
    isSafeMode ? [] : slots.values.compactMap(\.current).sorted { $0.patch < $1.patch }
  }

  /// Draws the conclusions of the last start; to be saved, with `recordBoot`, before anything runs.
  ///
  /// - Parameter end: How the run ended whose start is pending.
  package mutating func beginBoot(after end: RunEnd = .unknown, at time: Date) -> [BootEvent] {
    knownBad.removeAll { bad in bad.until.map { $0 <= time } ?? false }
    guard let boot = pendingBoot else { return isSafeMode ? [.safeMode] : [] }
    pendingBoot = nil
    var events: [BootEvent] = []
    if boot.digests.isEmpty {
      if isSafeMode { events = judgeSafeMode(boot, end, at: time) }
    } else {
      events = judge(boot, end, at: time)
    }
    if isSafeMode { events.append(.safeMode) }
    return events
  }

  /// A start with patches.
  private mutating func judge(_ boot: Boot, _ end: RunEnd, at time: Date) -> [BootEvent] {
    let running = slots.values.compactMap(\.current).filter { boot.digests.contains($0.sha256) }
    for installed in running where end != .crashed && boot.healthy.contains(installed.sha256) {
      change(installed) { $0.noteGoodStart() }
    }
    let failed = running.filter { end == .crashed || end == .unknown && !boot.healthy.contains($0.sha256) }
    guard end == .crashed || end == .unknown && !Set(boot.digests).isSubset(of: boot.healthy) else {
      // A start that the user ended early says nothing.
      if boot.isHealthy { failedBoots = 0 }
      return []
    }
    failedBoots += 1
    var events = [BootEvent.failed(inARow: failedBoots)]
    // Where a version runs that was never healthy, those that were are not to blame.
    let unproven = failed.filter { !$0.isHealthy }
    for var installed in (unproven.isEmpty ? failed : unproven).sorted(by: { $0.patch < $1.patch }) {
      installed.noteFailure(isCrash: end == .crashed)
      change(installed) { $0 = installed }
      guard !installed.isHealthy, installed.crashes >= Self.crashesUntilBad || installed.isSuspected else { continue }
      events.append(blame(installed, at: time))
    }
    return events
  }

  /// A start without the versions that are suspected: what it shows is whether the app is well without them.
  private mutating func judgeSafeMode(_ boot: Boot, _ end: RunEnd, at time: Date) -> [BootEvent] {
    guard end == .crashed || boot.isHealthy else { return [] }
    // One failure more brings safe mode back.
    failedBoots = min(failedBoots, Self.failuresUntilSafeMode - 1)
    var events: [BootEvent] = []
    for installed in slots.values.compactMap(\.current).sorted(by: { $0.patch < $1.patch }) where installed.isSuspected
    {
      if end == .crashed {
        change(installed) { $0.clear() }
      } else {
        events.append(blame(installed, at: time))
      }
    }
    return events
  }

  private mutating func change(_ installed: Installed, _ body: (inout Installed) -> Void) {
    guard var current = slots[installed.patch]?.current, current.sha256 == installed.sha256 else { return }
    body(&current)
    slots[installed.patch]?.current = current
  }

  private mutating func blame(_ installed: Installed, at time: Date) -> BootEvent {
    let isCertain = installed.crashes >= (installed.isHealthy ? Self.failuresUntilSafeMode : Self.crashesUntilBad)
    markBad(installed, at: time, until: isCertain ? nil : time + Self.timeAside)
    return .knownBad(installed, replacement: slots[installed.patch]?.current?.version)
  }

  /// Notes what is about to run in a new start.
  package mutating func recordBoot(of running: [Installed], at time: Date, processID: Int32 = 0) {
    starts += 1
    pendingBoot = Boot(number: starts, time: time, processID: processID, digests: running.map(\.sha256).sorted())
  }

  /// Notes what is about to run besides in the start that is under way; nothing that was said so far counts for it.
  package mutating func recordBoot(adding installed: Installed) {
    guard pendingBoot?.digests.contains(installed.sha256) == false else { return }
    pendingBoot?.digests.append(installed.sha256)
    pendingBoot?.digests.sort()
  }

  /// Takes what does not run, or not any more, out of the start that is under way.
  package mutating func forgetBoot(of installed: Installed) {
    pendingBoot?.digests.removeAll { $0 == installed.sha256 }
  }

  /// Takes the word that the app is healthy with some versions in a start.
  ///
  /// A word about another start, or about a version that did not run when it was said, changes nothing.
  package mutating func confirmHealthy(_ word: HealthWord) {
    guard var boot = pendingBoot, boot.number == word.start else { return }
    let digests = word.digests.intersection(boot.digests)
    boot.isHealthy = true
    boot.healthy = Set(boot.healthy).union(digests).sorted()
    pendingBoot = boot
    for slot in slots.values {
      if let current = slot.current, digests.contains(current.sha256) { change(current) { $0.isHealthy = true } }
    }
  }

  /// Marks a version as known-bad and puts the last good one in its place.
  ///
  /// - Parameter until: When it may be tried again; nil for never.
  package mutating func markBad(_ installed: Installed, at time: Date, until: Date? = nil) {
    knownBad.append(
      BadPatch(patch: installed.patch, version: installed.version, sha256: installed.sha256, time: time, until: until))
    if knownBad.count > Self.mostBad { knownBad.removeFirst(knownBad.count - Self.mostBad) }
    fallBack(installed)
  }

  /// Puts the last good version in the place of one that must not run.
  package mutating func fallBack(_ installed: Installed) {
    guard var slot = slots[installed.patch] else { return }
    if slot.lastGood?.sha256 == installed.sha256 { slot.lastGood = nil }
    if slot.current?.sha256 == installed.sha256 {
      slot.current = slot.lastGood
      slot.lastGood = nil
    }
    slots[installed.patch] = slot
  }

  /// Checks that a version may be installed; nothing is changed.
  ///
  /// - Parameter isRollback: Whether every newer version that was here is withdrawn by the director.
  /// - Throws: `TrustError` `patch-known-bad`, `patch-version-changed`, `patch-version-lower`.
  package func checkInstallation(_ new: Installed, isRollback: Bool) throws(TrustError) {
    let values = ["patch": new.patch, "version": new.version.text]
    guard !knownBad.contains(where: { $0.sha256 == new.sha256 }) else { throw TrustError(.patchKnownBad, values) }
    guard let slot = slots[new.patch] else { return }
    let known = values.merging(["known": slot.newestVersion.text]) { $1 }
    for (version, digest) in [(slot.newestVersion, slot.newestDigest)] + slot.kept
    where version == new.version && digest != new.sha256 {
      throw TrustError(.patchVersionChanged, known)
    }
    guard new.version >= slot.newestVersion || isRollback else { throw TrustError(.patchVersionLower, known) }
  }

  /// Makes a version the current one; it runs from the next start on.
  package mutating func install(_ new: Installed, isRollback: Bool) throws(TrustError) {
    try checkInstallation(new, isRollback: isRollback)
    guard var slot = slots[new.patch] else {
      slots[new.patch] = Slot(current: new, newestVersion: new.version, newestDigest: new.sha256)
      return
    }
    guard slot.current?.sha256 != new.sha256 else { return }
    var new = new
    if slot.lastGood?.sha256 == new.sha256, let kept = slot.lastGood { new = kept }
    if let current = slot.current, current.isHealthy, !current.isSuspected, !isRollback {
      slot.lastGood = current
    } else if slot.lastGood?.sha256 == new.sha256 || isRollback {
      slot.lastGood = nil
    }
    slot.current = new
    if new.version > slot.newestVersion {
      slot.newestVersion = new.version
      slot.newestDigest = new.sha256
    }
    slots[new.patch] = slot
  }
}

extension ClientState.Installed {
  /// True if so much speaks against it that a start without it has to show what is to blame.
  package var isSuspected: Bool {
    crashes >= ClientState.failuresUntilSafeMode || failedBoots >= ClientState.failuresUntilSafeMode
  }

  fileprivate mutating func noteGoodStart() {
    failedBoots = 0
    goodStarts += 1
    if goodStarts >= ClientState.goodStartsUntilForgiven { crashes = 0 }
  }

  fileprivate mutating func noteFailure(isCrash: Bool) {
    failedBoots += 1
    goodStarts = 0
    if isCrash { crashes += 1 }
  }

  /// Takes the suspicion away; one failure more brings it back.
  fileprivate mutating func clear() {
    crashes = min(crashes, ClientState.failuresUntilSafeMode - 1)
    failedBoots = min(failedBoots, ClientState.failuresUntilSafeMode - 1)
  }
}

extension ClientState.Slot {
  fileprivate var kept: [(DottedVersion, String)] {
    [current, lastGood].compactMap(\.self).map { ($0.version, $0.sha256) }
  }
}

extension TrustError.Code {
  package static let patchKnownBad = refused("patch-known-bad")
  package static let installedPatchChanged = refused("installed-patch-changed")
}
