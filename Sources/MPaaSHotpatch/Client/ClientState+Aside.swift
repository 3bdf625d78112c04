#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Versions that are put aside for a time: what is done where starts end, early and in a row, and for unknown reasons.
///
/// An unseen crash and a user who leaves cannot be told apart, so that such a version is never known-bad. It rests for
/// a day, and the one before it runs; then it is tried again, and where that start ends in silence too, it rests twice
/// as long, up to 32 days. A good start with it has all forgotten. Where starts without it end in silence just as
/// often in a row, it was not to blame, and its rest ends at once.
extension ClientState {
  /// So many silent starts in a row put a version aside; so many without it end its rest.
  package static let silentStartsUntilAside = 3
  /// The first rest; each further one is twice as long.
  package static let firstRest: TimeInterval = 86_400
  package static let longestRest: TimeInterval = 32 * 86_400

  /// A start with versions whose end is unknown, before the app was said to be healthy with them.
  mutating func judgeSilence(of silent: [Installed], at time: Date) -> [BootEvent] {
    var events: [BootEvent] = []
    var most = 0
    for var installed in silent.toBlame {
      installed.silentStarts += 1
      most = max(most, installed.silentStarts)
      let isTooOften = installed.silentStarts >= Self.silentStartsUntilAside
      if isTooOften { installed.putAside(at: time) }
      change(installed) { $0 = installed }
      if let aside = installed.aside {
        events.append(
          .putAside(installed, until: aside.until, replacement: slots[installed.patch]?.runner?.version))
      }
    }
    return [.failed(inARow: most)] + events
  }

  /// A start without the versions that are put aside, which shows how the app's runs end without them.
  mutating func judgeWithout(_ boot: Boot, _ end: RunEnd) {
    for var installed in kept where !boot.digests.contains(installed.sha256) {
      guard var aside = installed.aside, end != .crashed else { continue }
      if boot.isHealthy { aside.silentStarts = 0 } else if end == .unknown { aside.silentStarts += 1 }
      installed.aside = aside
      if aside.silentStarts >= Self.silentStartsUntilAside {
        installed.endRest()
        // It was not the version's doing: the next rest is no longer than this one.
        installed.timesAside = max(installed.timesAside - 1, 0)
      }
      change(installed) { $0 = installed }
    }
  }

  /// Ends the rests whose time has come, and those that a clock set back would make endless.
  mutating func endRests(at time: Date) {
    for installed in kept {
      guard let until = installed.aside?.until, until <= time || until > time + Self.longestRest else { continue }
      change(installed) { $0.endRest() }
    }
  }
}

extension ClientState.Installed {
  mutating func putAside(at time: Date) {
    let rest = ClientState.firstRest * Double(1 << min(timesAside, 5))
    aside = .init(until: time + rest)
    timesAside += 1
  }

  /// Lets it run again; one silent start more puts it aside again.
  mutating func endRest() {
    aside = nil
    silentStarts = ClientState.silentStartsUntilAside - 1
  }
}
