package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The boot state machine: a start is recorded as pending before patches run, and healthy when the app says so.
///
/// A start that is still pending at the next one failed. A version that was never healthy is known-bad after two failed
/// starts, and the last good one takes its place; after three failed starts in a row, whatever ran, none runs (safe mode).
extension ClientState {
  /// So many failed starts make a version known-bad.
  package static let failuresUntilBad = 2
  /// So many failed starts in a row bring safe mode.
  package static let failuresUntilSafeMode = 3

  /// What the end of the last start, or its lack, changed.
  package enum BootEvent: Sendable, Equatable {
    /// The last start with patches was not healthy.
    case failed(inARow: Int)
    /// A version is not run any more; the version that takes its place, if any.
    case knownBad(Installed, replacement: DottedVersion?)
    case safeMode
  }

  package var isSafeMode: Bool { failedBoots >= Self.failuresUntilSafeMode }

  /// The bundles to run, by the patches' names; none in safe mode.
  package var runnable: [Installed] {
    isSafeMode ? [] : slots.values.compactMap(\.current).sorted { $0.patch < $1.patch }
  }

  /// Draws the conclusions of the last start; to be saved, with `recordBoot`, before anything runs.
  package mutating func beginBoot(at time: Date) -> [BootEvent] {
    guard let pending = pendingBoot else { return isSafeMode ? [.safeMode] : [] }
    pendingBoot = nil
    // Without a patch running no patch is to blame.
    guard !pending.digests.isEmpty else { return isSafeMode ? [.safeMode] : [] }
    failedBoots += 1
    var events = [BootEvent.failed(inARow: failedBoots)]
    for patch in slots.keys.sorted() {
      guard var slot = slots[patch], let current = slot.current, !current.isHealthy,
        pending.digests.contains(current.sha256)
      else { continue }
      slot.current?.failedBoots += 1
      slots[patch] = slot
      guard current.failedBoots + 1 >= Self.failuresUntilBad else { continue }
      markBad(current, at: time)
      events.append(.knownBad(current, replacement: slots[patch]?.current?.version))
    }
    if isSafeMode { events.append(.safeMode) }
    return events
  }

  /// Notes what is about to run.
  package mutating func recordBoot(of running: [Installed], at time: Date) {
    pendingBoot = Boot(time: time, digests: running.map(\.sha256).sorted())
  }

  /// Takes the app's word that it works.
  ///
  /// After a healthy start in safe mode the patches run again, but one failure more brings safe mode back.
  package mutating func confirmHealthy() {
    guard let boot = pendingBoot else { return }
    pendingBoot = nil
    failedBoots = boot.digests.isEmpty ? min(failedBoots, Self.failuresUntilSafeMode - 1) : 0
    for (patch, slot) in slots {
      guard let current = slot.current, boot.digests.contains(current.sha256) else { continue }
      slots[patch]?.current?.isHealthy = true
      slots[patch]?.current?.failedBoots = 0
    }
  }

  /// Marks a version as known-bad and puts the last good one in its place.
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
    if let current = slot.current, current.isHealthy, !isRollback {
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

extension ClientState.Slot {
  fileprivate var kept: [(DottedVersion, String)] {
    [current, lastGood].compactMap(\.self).map { ($0.version, $0.sha256) }
  }
}

extension TrustError.Code {
  package static let patchKnownBad = refused("patch-known-bad")
  package static let installedPatchChanged = refused("installed-patch-changed")
}
