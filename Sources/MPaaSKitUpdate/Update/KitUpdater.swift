package import MPaaSSupport
package import MPaaSToolSupport
package import MPaaSTransfer

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Updates an installed kit from a signed channel, and goes back to the version before.
///
/// The link to the version in use is renamed once the new one is whole, runs and is on the disk.
package struct KitUpdater: Sendable {
  /// The clock, the network, the disk and other programs.
  package struct Effects: Sendable {
    package var now: @Sendable () -> Date
    package var http: HTTPClient
    package var processes: ProcessRunner
    package var files: KitFiles
    /// The kind of this machine, as releases name it: `linux-x86_64`.
    package var machine: String

    package init(
      http: HTTPClient, now: @escaping @Sendable () -> Date = { Date() }, processes: ProcessRunner = .live,
      files: KitFiles = .live, machine: String = KitUpdater.machine
    ) {
      self.now = now
      self.http = http
      self.processes = processes
      self.files = files
      self.machine = machine
    }
  }

  /// The news of a run while it goes on.
  package enum Event: Sendable {
    /// A file of the channel that comes now: a difference, or a whole archive.
    case fetching(String, HTTPProgress)
    /// The reason why a difference was of no use, so that the whole archive comes.
    case differenceFailed(Diagnostic)
  }

  package let folder: KitFolder
  /// The channel to follow from now on; nil for the one that is followed.
  package var channel: String?
  /// Addresses of the repository; empty for those that the kit names.
  package var urls: [String] = []
  package let effects: Effects
  package var note: @Sendable (Event) -> Void = { _ in }

  package init(_ folder: KitFolder, _ effects: Effects) {
    self.folder = folder
    self.effects = effects
  }

  /// Tells what the channel offers, and changes nothing of the kit.
  ///
  /// - Throws: `KitUpdateError`: why the channel is not to be trusted, or offers nothing for this machine.
  package func check() throws(KitUpdateError) -> KitUpdateOutcome {
    let offer = try offer()
    let installed = KitFolder.version(named: offer.current)
    return KitUpdateOutcome(
      offer.isNewer ? .available : .current, before: installed, after: offer.release.version, offer)
  }

  /// Brings the kit to the version that the channel offers.
  ///
  /// - Throws: `KitUpdateError`; the version before is in use then.
  package func update() throws(KitUpdateError) -> KitUpdateOutcome {
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    try sweep()
    var offer = try offer()
    let installed = KitFolder.version(named: offer.current)
    guard offer.isNewer else {
      try follow(offer.channel)
      KitLinks(of: folder)?.mend(effects.files)
      return KitUpdateOutcome(.current, before: installed, after: installed, offer)
    }
    try changing { () throws(FileError) in try folder.sweepDownloads(keeping: offer.digests, effects.files) }
    let arrival = try arrival(&offer)
    let name = try install(arrival.tar, of: offer.release)
    try changing { () throws(FileError) in try folder.use(name, instead: offer.current, effects.files) }
    // It is in use; what fails now is mended by the next run.
    try? follow(offer.channel)
    try? effects.files.remove(folder.downloads)
    try? sweep()
    KitLinks(of: folder)?.mend(effects.files)
    return KitUpdateOutcome(
      .updated, before: installed, after: offer.release.version, offer, fetched: arrival.file,
      isDelta: arrival.isDelta)
  }

  /// Puts the version that was in use before in use again; another rollback undoes it.
  ///
  /// - Throws: `KitUpdateError` `kit-no-rollback`, `kit-does-not-run`.
  package func rollback() throws(KitUpdateError) -> KitUpdateOutcome {
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    guard let current = folder.current, let before = folder.before(current) else {
      throw KitUpdateError(.noRollback, ["path": folder.path])
    }
    try run(folder.version(before), as: KitFolder.version(named: before))
    try changing { () throws(FileError) in try folder.use(before, instead: current, effects.files) }
    KitLinks(of: folder)?.mend(effects.files)
    return KitUpdateOutcome(
      .rolledBack, before: KitFolder.version(named: current), after: KitFolder.version(named: before), nil)
  }

  func changing<Value>(_ work: () throws(FileError) -> Value) throws(KitUpdateError) -> Value {
    do throws(FileError) { return try work() } catch { throw KitUpdateError(error) }
  }

  private func sweep() throws(KitUpdateError) {
    try changing { () throws(FileError) in try folder.sweep(effects.files) }
  }

  private func follow(_ channel: String) throws(KitUpdateError) {
    guard self.channel != nil, folder.channel != channel else { return }
    try changing { () throws(FileError) in try effects.files.replace(folder.channelFile, channel + "\n") }
  }

  /// Keeps other updates away.
  private func locked() throws(KitUpdateError) -> LockFile {
    let lock = try changing { () throws(FileError) in try LockFile(folder.lock, .making(0o644)) }
    if lock.take() == .busy { throw KitUpdateError(.busy, ["path": folder.path]) }
    return lock
  }
}
