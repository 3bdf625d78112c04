import Crypto
import Foundation
import MPaaSDigests
import MPaaSHotpatchTestSupport
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Synchronization
import Testing

@testable import MPaaSHotpatch

extension ClientState {
  /// The patches here and refused, without what each start counts.
  fileprivate var kept: [String?] {
    slots.keys.sorted().flatMap { patch -> [String?] in
      let slot = slots[patch]
      return [patch, slot?.current?.sha256, slot?.lastGood?.sha256, slot?.newestDigest, slot?.newestVersion.text]
    } + knownBad.map(\.sha256)
  }
}

@Suite("The hotpatch client") struct ClientCoreTests {
  let repository = FakeRepository()
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A start as apps do it: what is stored runs, then what is new, and the app is healthy.
  @discardableResult
  func start(healthy: Bool = true, device: DeviceFacts = Sample.device) throws -> ClientCore {
    var core = try repository.launch(folder, device: device)
    core.sync(runsNew: true)
    if healthy { try core.confirmHealthy() }
    repository.contents.withLock { $0.end = healthy ? .quit : .crashed }
    return core
  }

  @Test("a version that was replaced while it ran does not count as one that was never healthy")
  func replacedWhileItRan() throws {
    let (repository, folder) = (FakeRepository(), try TemporaryFolder())
    repository.contents.withLock { $0.end = .unknown }
    for version in 1...5 {
      try repository.publish("\(version)")
      var core = try repository.launch(folder)
      core.sync(runsNew: true)
      #expect(repository.running == "\(version)")
      try core.confirmHealthy()
      #expect(!core.isPending)
      #expect(!repository.events.contains { if case .startFailed = $0 { true } else { false } })
    }
  }

  @Test("what is fetched at the start runs at once, what is fetched in the foreground runs at the next start")
  func startAndForeground() throws {
    try repository.publish("1")
    var core = try start()
    #expect(repository.running == "1")
    #expect(repository.events.map(String.init(describing:)).count == 2)
    try repository.publish("2")
    core.sync(runsNew: false)
    #expect(repository.running == "1")
    _ = try repository.launch(folder)
    #expect(repository.running == "2")
    #expect(repository.contents.withLock(\.downloads) == 2)
  }

  @Test("a mandatory version runs at once in the foreground too")
  func mandatory() throws {
    var core = try start()
    try repository.publish("1") { rollout, _ in rollout.isMandatory = true }
    core.sync(runsNew: false)
    #expect(repository.running == "1")
    #expect(core.isPending)
  }

  @Test("refusal 64: a bundle that was changed on the disk does not run, and the last good one does")
  func changedOnDisk() throws {
    try repository.publish("1")
    try start()
    try repository.publish("2")
    let core = try start()
    let path = core.store.bundle(try #require(core.state.slots["cart"]?.current?.sha256))
    try Data("bundle of 3".utf8).write(to: URL(filePath: path))
    var next = try repository.launch(folder)
    #expect(repository.refusals == ["installed-patch-changed"])
    #expect(repository.running == "1")
    // The next sync brings it back.
    next.sync(runsNew: true)
    #expect(repository.running == "2")
    try FileManager.default.removeItem(atPath: path)
    _ = try repository.launch(folder)
    #expect(repository.refusals == ["installed-patch-changed"])
  }

  @Test("refusal 30, 31: older versions and other bundles of a version are refused, and the state stays")
  func versions() throws {
    try repository.publish("2")
    let kept = try start().state.kept
    repository.change { document in
      document.rollouts = []
    }
    try repository.publish("1")
    #expect(try start().state.kept == kept)
    #expect(repository.refusals == ["patch-version-lower"])
    repository.change { $0.rollouts = [] }
    try repository.publish("2") { rollout, _ in rollout.target.sha256 = Sample.digest(7) }
    #expect(try start().state.kept == kept)
    #expect(repository.refusals == ["patch-version-changed"])
    #expect(repository.running == "2")
  }

  @Test("refusal 39, 40, 41: a bundle of another app, version or channel than its rollout said is refused and not kept")
  func otherTarget() throws {
    let changes: [(String, (inout PatchManifest) -> Void)] = [
      ("patch-other-app", { $0.app = "com.example.bank" }),
      ("patch-app-version", { $0.appVersions = DottedVersionRange("<8") ?? .all }),
      ("patch-channel", { $0.channel = "beta" }), ("patch-expired", { $0.expires = Sample.start }),
      ("patch-not-yet-valid", { $0.issued = Sample.start + 10 }), ("rollout-other-bundle", { $0.patch = "login" }),
    ]
    for (index, (identifier, change)) in changes.enumerated() {
      try repository.publish("\(index + 1)") { _, manifest in change(&manifest) }
      let core = try start()
      #expect(repository.refusals == [identifier])
      #expect(core.state.slots.isEmpty)
      #expect(try FileSystem.names(in: core.store.bundles) == [])
      #expect(repository.running == nil)
    }
  }

  @Test("refusal 42: what is paused is not installed, and who has it keeps it; what is halted stops and comes back")
  func states() throws {
    try repository.publish("1")
    try repository.change { try $0.pause(0, reason: "", at: Sample.start) }
    try start()
    #expect(repository.running == nil)
    try repository.change { try $0.resume(0, reason: "", at: Sample.start) }
    try start()
    try repository.change { try $0.pause(0, reason: "", at: Sample.start) }
    try start()
    #expect(repository.running == "1")
    try repository.change { try $0.halt(0, reason: "", at: Sample.start) }
    try start()
    #expect(repository.running == nil)
    try start()
    #expect(repository.running == nil)
    try repository.change { try $0.resume(0, reason: "", at: Sample.start) }
    try start()
    #expect(repository.running == "1")
  }

  @Test("a rollback takes the patch out at once and brings the version before it, or none")
  func rollback() throws {
    try repository.publish("1")
    try start()
    try repository.publish("2")
    try start()
    try repository.change {
      _ = try $0.rollBack(patch: "cart", channel: "release", to: DottedVersion("1"), reason: "", at: Sample.start)
    }
    try start()
    let told = HotpatchEvent.rolledBack(.init(name: "cart", version: "2"), to: .init(name: "cart", version: "1"))
    #expect(repository.events.contains(told))
    var core = try repository.launch(folder)
    #expect(repository.running == "1")
    try repository.change {
      _ = try $0.rollBack(patch: "cart", channel: "release", to: nil, reason: "", at: Sample.start)
    }
    core.sync(runsNew: false)
    #expect(repository.running == nil)
    _ = try repository.launch(folder)
    #expect(repository.running == nil)
  }

  @Test("a rollback reaches a device that never had the older version")
  func rollbackToUnknown() throws {
    try repository.publish("1")
    try repository.publish("2")
    try start()
    try repository.change {
      _ = try $0.rollBack(patch: "cart", channel: "release", to: DottedVersion("1"), reason: "", at: Sample.start)
    }
    try start()
    #expect(repository.running == "1")
  }

  @Test("refusal 65: two failed starts bring the version before back, and the bad one is not fetched again")
  func knownBad() throws {
    try repository.publish("1")
    try start()
    try repository.publish("2")
    try start(healthy: false)
    try start(healthy: false)
    try start()
    #expect(repository.running == "1")
    #expect(repository.refusals == ["patch-known-bad"])
    let downloads = repository.contents.withLock(\.downloads)
    try start()
    #expect(repository.contents.withLock(\.downloads) == downloads)
    try repository.publish("3")
    try start()
    #expect(repository.running == "3")
  }

  @Test("a sync that fails changes nothing: what is installed runs")
  func syncFails() throws {
    try repository.publish("1")
    let kept = try start().state.kept
    repository.contents.withLock { $0.failure = TrustError(.rolloutMalformed, ["field": "x"]) }
    #expect(try start().state.kept == kept)
    #expect(repository.running == "1")
    #expect(repository.refusals == ["rollout-malformed"])
  }

  @Test("a state that cannot be read is begun anew, and what comes next is installed")
  func brokenState() throws {
    try repository.publish("1")
    let core = try start()
    try Data("{".utf8).write(to: URL(filePath: core.store.stateFile))
    try start()
    #expect(repository.refusals == ["client-state-malformed"])
    #expect(repository.running == "1")
    #expect(repository.contents.withLock(\.downloads) == 1)
  }

  @Test("an app that was updated past the patch's range runs without it")
  func updatedApp() throws {
    try repository.publish("1")
    try start()
    var device = Sample.device
    device.appVersion = "9.0"
    try start(device: device)
    #expect(repository.running == nil)
    #expect(repository.refusals == ["patch-app-version"])
  }

  @Test("a patch that the runtime cannot load is told and does not run")
  func cannotRun() throws {
    repository.contents.withLock { $0.runFailure = TrustError(.rolloutMalformed) }
    try repository.publish("1")
    try start()
    #expect(repository.running == nil)
    #expect(repository.refusals == ["rollout-malformed"])
  }
}
