package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a client does besides deciding, as values, so that tests put others in their place.
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

  package init(
    now: @escaping @Sendable () -> Date, sync: @escaping @Sendable () throws(TrustError) -> Offer?,
    verify: @escaping @Sendable (Bytes, Date) throws(TrustError) -> PatchContent,
    run: @escaping @Sendable (PatchContent) throws(TrustError) -> Void, stop: @escaping @Sendable (String) -> Void
  ) {
    self.now = now
    self.sync = sync
    self.verify = verify
    self.run = run
    self.stop = stop
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
  /// What runs in this process.
  package private(set) var running: [String: ClientState.Installed] = [:]
  private let tell: @Sendable (HotpatchEvent) -> Void

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
    do throws(TrustError) {
      state = try store.load()
    } catch {
      guard error.code == .clientStateMalformed else { throw error }
      tell(.syncFailed(error))
      state = ClientState()
    }
    for event in state.beginBoot(at: time) { tell(HotpatchEvent(event)) }
    var contents: [(ClientState.Installed, PatchContent)] = []
    for installed in state.runnable {
      if let good = verified(installed, at: time) { contents.append(good) }
    }
    state.recordBoot(of: contents.map(\.0), at: time)
    try store.save(state)
    store.sweep(keeping: state.digests)
    for (installed, content) in contents { run(installed, content) }
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
        candidate = state.slots[next.patch]?.current
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
      tell(.refused(.init(installed), error))
    }
  }

  /// Takes the app's word that it works with what runs.
  package mutating func confirmHealthy() throws(TrustError) {
    guard state.pendingBoot != nil else { return }
    state.confirmHealthy()
    try store.save(state)
  }

  /// Whether a start is recorded that was not said to be healthy yet.
  package var isPending: Bool { state.pendingBoot != nil }

  // MARK: - Learning what is new

  /// Follows the repository, takes out what was withdrawn and installs what is offered.
  ///
  /// - Parameter runsNew: Whether new versions run at once; else only mandatory ones do.
  package mutating func sync(runsNew: Bool) {
    do throws(TrustError) {
      guard let offer = try effects.sync() else { return }
      let offers = try offer.document.offers(for: device, at: effects.now())
      try withdraw(by: offer.document)
      for rollout in offers { try install(rollout, offer, runsNew: runsNew) }
      store.sweep(keeping: state.digests, wanted: Set(offers.map(\.target.sha256)))
    } catch {
      tell(.syncFailed(error))
    }
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
    for (patch, slot) in before.slots.sorted(by: { $0.key < $1.key }) {
      guard let old = slot.current, state.slots[patch]?.current?.sha256 != old.sha256 else { continue }
      if running[patch]?.sha256 == old.sha256 {
        effects.stop(patch)
        running[patch] = nil
      }
      tell(.rolledBack(.init(old), to: state.slots[patch]?.current.map(HotpatchEvent.Patch.init)))
    }
  }

  private func isWithdrawn(_ installed: ClientState.Installed, by document: RolloutDocument) -> Bool {
    document.rollouts.contains {
      $0.target.sha256 == installed.sha256 && $0.patch == installed.patch && $0.isWithdrawn(from: device)
    }
  }

  private mutating func install(
    _ rollout: Rollout, _ offer: ClientEffects.Offer, runsNew: Bool
  ) throws(TrustError) {
    guard state.slots[rollout.patch]?.current?.sha256 != rollout.target.sha256 else { return }
    let new = ClientState.Installed(
      patch: rollout.patch, version: rollout.version, channel: rollout.channel, sha256: rollout.target.sha256,
      length: rollout.target.length)
    let content: PatchContent
    do throws(TrustError) {
      let isRollback = isRollback(of: rollout.patch, by: offer.document)
      try state.checkInstallation(new, isRollback: isRollback)
      content = try fetch(new, rollout, offer)
      try state.install(new, isRollback: isRollback)
    } catch {
      tell(.refused(.init(rollout), error))
      return
    }
    let runsNow = runsNew && !state.isSafeMode || rollout.isMandatory && !state.isSafeMode
    if runsNow {
      var all = running
      all[new.patch] = new
      state.recordBoot(of: Array(all.values), at: effects.now())
    }
    try store.save(state, isLasting: true)
    tell(.installed(.init(new)))
    if runsNow { run(new, content) }
  }

  /// Whether the newest version that was ever here was withdrawn, or is known to be bad here.
  private func isRollback(of patch: String, by document: RolloutDocument) -> Bool {
    guard let slot = state.slots[patch] else { return false }
    return state.knownBad.contains { $0.sha256 == slot.newestDigest }
      || document.rollouts.contains {
        $0.patch == patch && $0.target.sha256 == slot.newestDigest && $0.isWithdrawn(from: device)
      }
  }

  /// Brings a bundle and checks everything about it before the state names it.
  private func fetch(
    _ new: ClientState.Installed, _ rollout: Rollout, _ offer: ClientEffects.Offer
  ) throws(TrustError) -> PatchContent {
    try offer.download(rollout, store.bundle(new.sha256))
    let time = effects.now()
    let content = try open(new, at: time)
    let manifest = content.manifest
    guard manifest.patch == new.patch, manifest.version == new.version else {
      throw TrustError(
        .rolloutOfOtherBundle,
        [
          "patch": new.patch, "version": new.version.text, "found": "\(manifest.patch) \(manifest.version)",
        ])
    }
    try manifest.checkTerm(at: time)
    return content
  }
}

extension HotpatchEvent {
  init(_ event: ClientState.BootEvent) {
    switch event {
    case .failed(let count): self = .startFailed(inARow: count)
    case .knownBad(let installed, let replacement):
      self = .rolledBack(
        Patch(installed), to: replacement.map { Patch(name: installed.patch, version: $0.text) })
    case .safeMode: self = .safeMode
    }
  }
}

extension TrustError.Code {
  package static let rolloutOfOtherBundle = refused("rollout-other-bundle")
}
