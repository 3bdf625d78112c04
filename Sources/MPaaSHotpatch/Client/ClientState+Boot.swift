package import MPaaSSupport
import MPaaSVerification

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
/// | unknown | no | a silent start of the versions that were not said to be healthy |
///
/// Only crashes make a version known-bad. One that was never healthy is after two. One that was healthy is suspected
/// after three, with fewer than twenty good starts in between, and nothing runs in the next start (safe mode): where
/// that is good, the version was to blame and is known-bad; where that crashes too, it was not.
///
/// Three silent starts in a row may be a patch that crashes unseen, or a user who leaves early: the
/// version is put aside for a time and tried again, see `ClientState+Aside.swift`.
extension ClientState {
  /// So many crashes make a version known-bad that was never healthy.
  package static let crashesUntilBad = 2
  /// So many crashes make a version suspected that was healthy; so many in a row of any versions bring safe mode.
  package static let failuresUntilSafeMode = 3
  /// So many good starts in a row have crashes forgotten.
  package static let goodStartsUntilForgiven = 20
  /// The changes that the end of the last start made.
  package enum BootEvent: Sendable, Equatable {
    /// The last start with patches crashed, or ended unknown before it was healthy; so many in a row.
    case failed(inARow: Int)
    /// A version is not run any more; the version that takes its place, if any.
    case knownBad(Installed, replacement: DottedVersion?)
    /// A version does not run for a time; the version that takes its place, if any.
    case putAside(Installed, until: Date, replacement: DottedVersion?)
    case safeMode
  }

  package var isSafeMode: Bool {
    failedBoots >= Self.failuresUntilSafeMode || kept.contains(where: \.isSuspected)
  }

  /// The bundles to run, by the patches' names; none in safe mode.
  package var runnable: [Installed] {
    isSafeMode ? [] : slots.values.compactMap(\.runner).sorted { $0.patch < $1.patch }
  }

  /// Draws the conclusions of the last start; to be saved, with `recordBoot`, before anything runs.
  ///
  /// - Parameter end: How the run ended whose start is pending.
  package mutating func beginBoot(after end: RunEnd = .unknown, at time: Date) -> [BootEvent] {
    defer { pendingBoot = nil }
    var events: [BootEvent] = []
    if let boot = pendingBoot {
      judgeWithout(boot, end)
      if !boot.digests.isEmpty {
        events = judge(boot, end, at: time)
      } else if isSafeMode {
        events = judgeSafeMode(boot, end, at: time)
      }
    }
    endRests(at: time)
    if isSafeMode { events.append(.safeMode) }
    return events
  }

  /// A start with patches.
  private mutating func judge(_ boot: Boot, _ end: RunEnd, at time: Date) -> [BootEvent] {
    let ran = kept.filter { boot.digests.contains($0.sha256) }
    if end == .crashed { return judgeCrash(of: ran, at: time) }
    for installed in ran where boot.healthy.contains(installed.sha256) { change(installed) { $0.noteGoodStart() } }
    let silent = ran.filter { !boot.healthy.contains($0.sha256) }
    if end == .unknown, !silent.isEmpty { return judgeSilence(of: silent, at: time) }
    // A start that the user ended early says nothing.
    if boot.isHealthy { failedBoots = 0 }
    return []
  }

  private mutating func judgeCrash(of ran: [Installed], at time: Date) -> [BootEvent] {
    failedBoots += 1
    var events = [BootEvent.failed(inARow: failedBoots)]
    for var installed in ran.toBlame {
      installed.crashes += 1
      installed.goodStarts = 0
      change(installed) { $0 = installed }
      guard !installed.isHealthy, installed.crashes >= Self.crashesUntilBad else { continue }
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
    for installed in kept where installed.isSuspected {
      if end == .crashed {
        // One crash more brings the suspicion back.
        change(installed) { $0.crashes = Self.failuresUntilSafeMode - 1 }
      } else {
        events.append(blame(installed, at: time))
      }
    }
    return events
  }

  mutating func change(_ installed: Installed, _ body: (inout Installed) -> Void) {
    guard var slot = slots[installed.patch] else { return }
    if var current = slot.current, current.sha256 == installed.sha256 {
      body(&current)
      slot.current = current
    } else if var lastGood = slot.lastGood, lastGood.sha256 == installed.sha256 {
      body(&lastGood)
      slot.lastGood = lastGood
    }
    slots[installed.patch] = slot
  }

  private mutating func blame(_ installed: Installed, at time: Date) -> BootEvent {
    markBad(installed, at: time)
    return .knownBad(installed, replacement: slots[installed.patch]?.runner?.version)
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
    for installed in kept where digests.contains(installed.sha256) { change(installed) { $0.isHealthy = true } }
  }

  /// Marks a version as known-bad for good and puts the last good one in its place.
  package mutating func markBad(_ installed: Installed, at time: Date) {
    knownBad.append(
      BadPatch(patch: installed.patch, version: installed.version, sha256: installed.sha256, time: time))
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
    if let current = slot.current, current.isHealthy, !current.isSuspected, current.aside == nil, !isRollback {
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
  /// True if so many crashes speak against it that a start without it has to show what is to blame.
  package var isSuspected: Bool { crashes >= ClientState.failuresUntilSafeMode }

  fileprivate mutating func noteGoodStart() {
    (silentStarts, timesAside) = (0, 0)
    goodStarts += 1
    if goodStarts >= ClientState.goodStartsUntilForgiven { crashes = 0 }
  }
}

extension [ClientState.Installed] {
  /// The versions to blame: where one ran that was never healthy, those that were are not to blame.
  var toBlame: Self {
    let unproven = filter { !$0.isHealthy }
    return unproven.isEmpty ? self : unproven
  }
}

extension ClientState.Slot {
  fileprivate var kept: [(DottedVersion, String)] {
    [current, lastGood].compactMap(\.self).map { ($0.version, $0.sha256) }
  }
}

extension TrustError.Code {
  package static let patchVersionLower = refused("patch-version-lower")
  package static let patchVersionChanged = refused("patch-version-changed")
  package static let patchKnownBad = refused("patch-known-bad")
  package static let installedPatchChanged = refused("installed-patch-changed")
}
