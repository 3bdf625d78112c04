import MPaaSSupport
import MPaaSVerification

/// A thread that does steps on a client's state, one at a time.
protocol ClientSteps {
  mutating func step<Value: Sendable>(
    _ body: (inout ClientCore) throws(TrustError) -> Value
  ) throws(TrustError) -> Value
}

extension ClientCore: ClientSteps {
  mutating func step<Value: Sendable>(
    _ body: (inout ClientCore) throws(TrustError) -> Value
  ) throws(TrustError) -> Value { try body(&self) }
}

/// A sync in steps: what waits for the network or verifies works on nothing that others use, and what changes the
/// client's state is short and does not wait.
struct ClientSync: Sendable {
  /// A version that is to be installed.
  struct Wanted: Sendable {
    var rollout: Rollout
    var installed: ClientState.Installed
    var isRollback: Bool
    var device: DeviceFacts
  }

  let effects: ClientEffects
  let store: PatchStore
  let tell: @Sendable (HotpatchEvent) -> Void
  /// True if new versions run at once; else only mandatory ones do.
  let runsNew: Bool

  func run(_ steps: inout some ClientSteps) {
    do throws(TrustError) {
      guard let offer = try effects.sync() else { return }
      let wanted = try steps.step { core throws(TrustError) in try core.begin(with: offer.document) }
      for wanted in wanted { try bring(wanted, offer, &steps) }
      try steps.step { core throws(TrustError) in core.endSync() }
    } catch {
      tell(.syncFailed(error))
    }
  }

  private func bring(
    _ wanted: Wanted, _ offer: ClientEffects.Offer, _ steps: inout some ClientSteps
  ) throws(TrustError) {
    let content: PatchContent
    do throws(TrustError) {
      try steps.step { core throws(TrustError) in
        try core.state.checkInstallation(wanted.installed, isRollback: wanted.isRollback)
      }
      content = try fetch(wanted, offer)
    } catch {
      return tell(.refused(.init(wanted.rollout), error))
    }
    try steps.step { core throws(TrustError) in try core.install(wanted, content, runsNew: runsNew) }
  }

  /// Brings a bundle and checks everything about it before the state names it.
  private func fetch(_ wanted: Wanted, _ offer: ClientEffects.Offer) throws(TrustError) -> PatchContent {
    let new = wanted.installed
    try offer.download(wanted.rollout, store.bundle(new.sha256))
    let time = effects.now()
    let content = try effects.verify(try store.read(new), time)
    let manifest = content.manifest
    try manifest.checkTarget(wanted.device)
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
