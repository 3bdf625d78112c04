package import MPaaSSupport
package import MPaaSTime
import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The side effects of a client, as values, so that tests put others in their place.
package struct ClientEffects: Sendable {
  /// A document of the director that agrees with what targets lists, and the way to its bundles.
  package struct Offer: Sendable {
    package var document: RolloutDocument
    /// Brings the bundle of a rollout to a path, whole and with the digest that targets lists, or throws.
    package var download: @Sendable (Rollout, String) throws(TrustError) -> Void

    package init(
      document: RolloutDocument, download: @escaping @Sendable (Rollout, String) throws(TrustError) -> Void
    ) {
      self.document = document
      self.download = download
    }
  }

  package var now: @Sendable () -> Date
  /// Follows the repository; nil where the app has no rollouts.
  package var sync: @Sendable () throws(TrustError) -> Offer?
  /// Checks signatures, keys and payload of a bundle and opens it.
  package var verify: @Sendable (Bytes, Date) throws(TrustError) -> PatchContent
  /// Puts a patch in place, over an older version of it.
  package var run: @Sendable (PatchContent) throws(TrustError) -> Void
  /// Takes a patch out again.
  package var stop: @Sendable (String) -> Void
  /// The end of an earlier run.
  package var end: @Sendable (PatchedStart) -> RunEnd
  /// The number of this process.
  package var processID: Int32
  /// The time by which the client measures how long a version has run.
  package var uptime: @Sendable () -> MonotonicInstant
  /// Returns after a time, or throws where the task is cancelled.
  package var pause: @Sendable (TimeSpan) async throws -> Void

  package init(
    now: @escaping @Sendable () -> Date, sync: @escaping @Sendable () throws(TrustError) -> Offer?,
    verify: @escaping @Sendable (Bytes, Date) throws(TrustError) -> PatchContent,
    run: @escaping @Sendable (PatchContent) throws(TrustError) -> Void, stop: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (PatchedStart) -> RunEnd = { _ in .unknown }, processID: Int32 = 0,
    uptime: @escaping @Sendable () -> MonotonicInstant = { .now },
    pause: @escaping @Sendable (TimeSpan) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.sync = sync
    self.verify = verify
    self.run = run
    self.stop = stop
    self.end = end
    self.processID = processID
    self.uptime = uptime
    self.pause = pause
  }
}

/// A verified bundle's manifest and its Lua files.
package struct PatchContent: Sendable {
  package var manifest: PatchManifest
  /// The text by path.
  package var lua: [String: String]

  package init(manifest: PatchManifest, lua: [String: String]) {
    self.manifest = manifest
    self.lua = lua
  }
}

/// The client's steps over its folder: run what is stored, learn what is new, install it, run it.
///
/// Each step changes a copy of the state, saves it, and then acts, in this order; an error of one patch does not touch
/// the others.
package struct ClientCore: Sendable {
  package let store: PatchStore
  package var device: DeviceFacts
  package let effects: ClientEffects
  package private(set) var state = ClientState()
  /// The patches that run in this process.
  package private(set) var running: [String: ClientState.Installed] = [:]
  let tell: @Sendable (HotpatchEvent) -> Void
  /// True if the state was damaged.
  private var isRescued = false
  /// The offers that the sync under way has got.
  private var offers: [Rollout] = []

  package init(
    store: PatchStore, device: DeviceFacts, effects: ClientEffects, tell: @escaping @Sendable (HotpatchEvent) -> Void
  ) {
    self.store = store
    self.device = device
    self.effects = effects
    self.tell = tell
  }

  // MARK: - The start

  /// Runs what is stored: each bundle is verified again, and the start recorded as pending before the first one runs.
  package mutating func runStored() throws(TrustError) {
    try store.prepare()
    let time = effects.now()
    try load(at: time)
    let loaded = state
    let last = state.pendingBoot.map { PatchedStart(processID: $0.processID, time: $0.time) }
    for event in state.beginBoot(after: last.map(effects.end) ?? .unknown, at: time) { tell(HotpatchEvent(event)) }
    var contents: [(ClientState.Installed, PatchContent)] = []
    for installed in state.runnable {
      if let good = verified(installed, at: time) { contents.append(good) }
    }
    state.recordBoot(of: contents.map(\.0), at: time, processID: effects.processID)
    let isLasting =
      isRescued || state.knownBad != loaded.knownBad || state.digests != loaded.digests
      || state.asides != loaded.asides || FileStatus(store.stateCopy) == nil
    try store.save(state, isLasting: isLasting)
    store.sweep(keeping: state.digests)
    for (installed, content) in contents { run(installed, content) }
  }

  /// Reads the state; what is damaged is told, and made good as far as it goes.
  private mutating func load(at time: Date) throws(TrustError) {
    do throws(TrustError) {
      state = try store.load { error in
        isRescued = true
        tell(.syncFailed(error))
      }
    } catch {
      guard error.code == .clientStateMalformed else { throw error }
      tell(.syncFailed(error))
      isRescued = true
      let (verify, device) = (effects.verify, device)
      state = store.rescued { bytes throws(TrustError) in
        let manifest = try verify(bytes, time).manifest
        try manifest.checkTarget(device)
        return manifest
      }
    }
  }

  /// The installed version, or the last good one where that is not what it was; nil where neither can run.
  private mutating func verified(
    _ installed: ClientState.Installed, at time: Date
  ) -> (ClientState.Installed, PatchContent)? {
    var candidate: ClientState.Installed? = installed
    while let next = candidate {
      do throws(TrustError) {
        return (next, try open(next, at: time))
      } catch {
        tell(.refused(.init(next), error))
        state.fallBack(next)
        candidate = state.slots[next.patch]?.runner
      }
    }
    return nil
  }

  private func open(_ installed: ClientState.Installed, at time: Date) throws(TrustError) -> PatchContent {
    let content = try effects.verify(try store.read(installed), time)
    try content.manifest.checkTarget(device)
    return content
  }

  private mutating func run(_ installed: ClientState.Installed, _ content: PatchContent) {
    do throws(TrustError) {
      try effects.run(content)
      running[installed.patch] = installed
      tell(.applied(.init(installed)))
    } catch {
      running[installed.patch] = nil
      state.forgetBoot(of: installed)
      tell(.refused(.init(installed), error))
    }
  }

  /// Takes the word that the app is healthy with what runs now.
  package mutating func confirmHealthy() throws(TrustError) {
    guard let start = state.pendingBoot?.number else { return }
    try confirmHealthy(.init(start: start, digests: Set(running.values.map(\.sha256))))
  }

  /// Takes a word that was said of a start and of versions.
  package mutating func confirmHealthy(_ word: ClientState.HealthWord) throws(TrustError) {
    let before = state
    state.confirmHealthy(word)
    if state != before { try store.save(state) }
  }

  /// True if something runs that the app was not said to be healthy with.
  package var isPending: Bool {
    state.pendingBoot.map { !$0.isHealthy || !Set($0.digests).isSubset(of: $0.healthy) } ?? false
  }

  // MARK: - Learning what is new

  /// Follows the repository, takes out what was withdrawn and installs what is offered.
  ///
  /// - Parameter runsNew: Whether new versions run at once; else only mandatory ones do.
  package mutating func sync(runsNew: Bool) {
    let sync = ClientSync(effects: effects, store: store, tell: tell, runsNew: runsNew)
    sync.run(&self)
  }

  /// Takes out what a document withdraws.
  ///
  /// - Returns: What it offers to this device and is not here, or why that cannot be installed.
  mutating func begin(with document: RolloutDocument) throws(TrustError) -> [ClientSync.Wanted] {
    offers = try document.offers(for: device, at: effects.now())
    try withdraw(by: document)
    return offers.filter { state.slots[$0.patch]?.current?.sha256 != $0.target.sha256 }.map { rollout in
      let installed = ClientState.Installed(
        patch: rollout.patch, version: rollout.version, channel: rollout.channel, sha256: rollout.target.sha256,
        length: rollout.target.length)
      return ClientSync.Wanted(
        rollout: rollout, installed: installed, isRollback: isRollback(of: rollout.patch, by: document),
        device: device)
    }
  }

  /// Takes away what no offer and no state names.
  mutating func endSync() {
    store.sweep(keeping: state.digests, wanted: Set(offers.map(\.target.sha256)))
    offers = []
  }

  private mutating func withdraw(by document: RolloutDocument) throws(TrustError) {
    let before = state
    for patch in state.slots.keys.sorted() {
      for installed in [state.slots[patch]?.lastGood, state.slots[patch]?.current].compactMap(\.self)
      where isWithdrawn(installed, by: document) {
        state.fallBack(installed)
      }
    }
    guard state != before else { return }
    try store.save(state, isLasting: true)
    for old in before.kept where !state.digests.contains(old.sha256) {
      let isRunning = running[old.patch]?.sha256 == old.sha256
      if isRunning {
        effects.stop(old.patch)
        running[old.patch] = nil
        state.forgetBoot(of: old)
      }
      guard isRunning || before.slots[old.patch]?.current?.sha256 == old.sha256 else { continue }
      tell(.rolledBack(.init(old), to: state.slots[old.patch]?.runner.map(HotpatchEvent.Patch.init)))
    }
  }

  private func isWithdrawn(_ installed: ClientState.Installed, by document: RolloutDocument) -> Bool {
    document.rollouts.contains {
      $0.target.sha256 == installed.sha256 && $0.patch == installed.patch && $0.isWithdrawn(from: device)
    }
  }

  /// Installs a version whose bundle is here and verified, and runs it where it is to run at once.
  mutating func install(
    _ wanted: ClientSync.Wanted, _ content: PatchContent, runsNew: Bool
  ) throws(TrustError) {
    let new = wanted.installed
    do throws(TrustError) {
      try state.install(new, isRollback: wanted.isRollback)
    } catch {
      return tell(.refused(.init(new), error))
    }
    let runsNow = (runsNew || wanted.rollout.isMandatory) && !state.isSafeMode
    // Before it runs: what was said of this start so far was not said of it.
    if runsNow {
      // The version that it replaces has run to its end: no word of this start can be about it any more.
      if let old = running[new.patch] { state.forgetBoot(of: old) }
      state.recordBoot(adding: new)
    }
    try store.save(state, isLasting: true)
    tell(.installed(.init(new)))
    if runsNow { run(new, content) }
  }

  /// Tells whether the newest version that was ever here was withdrawn, or is known to be bad here.
  private func isRollback(of patch: String, by document: RolloutDocument) -> Bool {
    guard let slot = state.slots[patch] else { return false }
    return state.knownBad.contains { $0.sha256 == slot.newestDigest }
      || document.rollouts.contains {
        $0.patch == patch && $0.target.sha256 == slot.newestDigest && $0.isWithdrawn(from: device)
      }
  }
}

extension HotpatchEvent {
  init(_ event: ClientState.BootEvent) {
    switch event {
    case .failed(let count): self = .startFailed(inARow: count)
    case .knownBad(let installed, let replacement):
      self = .rolledBack(
        Patch(installed), to: replacement.map { Patch(name: installed.patch, version: $0.text) })
    case .putAside(let installed, let until, let replacement):
      self = .putAside(
        Patch(installed), until: until, to: replacement.map { Patch(name: installed.patch, version: $0.text) })
    case .safeMode: self = .safeMode
    }
  }
}

extension TrustError.Code {
  package static let rolloutOfOtherBundle = refused("rollout-other-bundle")
}
