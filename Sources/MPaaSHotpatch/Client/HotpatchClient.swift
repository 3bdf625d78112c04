import MPaaSLock
import MPaaSSupport
import MPaaSTime
public import MPaaSVerification

/// Fetches, verifies, keeps and runs the hotpatches of an app.
///
///     let configuration = HotpatchClient.Configuration(
///       folder: patches, device: DeviceFacts(id: user, app: "com.example.shop", appVersion: "8.1.0"),
///       root: root,                                             // the bytes of 1.root.json, built in
///       mirrors: ["https://patches.example.com/shop"],
///       keys: [try VerificationKey(pem: team)],                 // mpaas key export --name team --public
///       identities: [try AgeIdentity(identity)])                // AGE-SECRET-KEY-1…
///     let client = try HotpatchClient(configuration) { event in print(event) }
///     client.runStored()               // first thing in main: what is there runs, before anything that it mends
///     Task { await client.start() }    // learns what is new, and runs it
///     client.confirmHealthy()          // once the first screen is there
///
/// Health is said of a start and of the versions that run in it. A version that crashes twice before it was ever
/// healthy is known-bad and the one before it takes its place; one that was healthy and crashes three times is taken
/// out too. Call `enterForeground` when the app comes back to the screen: what is new then runs at the next start.
///
/// All methods may be called from any thread, and from what `tell` does. But for the first `runStored`, which reads,
/// verifies and runs what is stored, none waits for a network, a disk or another thread's work.
public final class HotpatchClient: Sendable {
  /// The state that the app's calls read and write; nothing else is done while it is locked.
  private struct Shared {
    var device: DeviceFacts
    var hasStarted = false
    /// The number of this start, once it is recorded.
    var start: Int?
    var running: [String: Running] = [:]
    var words: [ClientState.HealthWord] = []
    /// True if a thread is on its way to write the words down.
    var isWriting = false
  }

  private struct Running {
    var installed: ClientState.Installed
    var since: MonotonicInstant
    /// True if it was put in place by `runStored`, before the app did anything.
    var isFromStart: Bool
  }

  private let configuration: Configuration
  private let shared: Lock<Shared>
  /// Steps over the folder and the patches: writing, verifying, running; only the client's own threads wait for it.
  private let core: Lock<ClientCore>
  /// One sync at a time; held for as long as its network takes.
  private let syncs = Lock<Void>(())
  private let effects: ClientEffects
  private let store: PatchStore
  private let tell: @Sendable (HotpatchEvent) -> Void

  /// - Parameters:
  ///   - configuration: The facts that the client works with.
  ///   - tell: Gets what happens, on the thread where it happens.
  /// - Throws: `TrustError` `repository-bad-url`, `trust-root-missing` where there is no key, and what the folder's
  ///   file system says.
  public convenience init(
    _ configuration: Configuration, tell: @escaping @Sendable (HotpatchEvent) -> Void = { _ in }
  ) throws(TrustError) {
    guard !configuration.keys.isEmpty, !configuration.root.isEmpty else { throw TrustError(.trustRootMissing) }
    let store = PatchStore(configuration.folder)
    try store.prepare()
    self.init(configuration, store, effects: try ClientEffects.live(configuration, store), tell: tell)
  }

  /// - Parameter effects: What the client does besides deciding.
  package init(
    _ configuration: Configuration, _ store: PatchStore, effects: ClientEffects,
    tell: @escaping @Sendable (HotpatchEvent) -> Void
  ) {
    self.configuration = configuration
    self.store = store
    self.effects = effects
    self.tell = tell
    shared = Lock(Shared(device: configuration.device))
    core = Lock(ClientCore(store: store, device: configuration.device, effects: effects, tell: tell))
  }

  // MARK: - What the app calls

  /// Runs what is stored; a second call does nothing.
  public func runStored() {
    let isFirst = shared.withLock { shared in
      defer { shared.hasStarted = true }
      return !shared.hasStarted
    }
    guard isFirst else { return }
    do throws(TrustError) {
      try step(isStart: true) { core throws(TrustError) in try core.runStored() }
    } catch {
      tell(.syncFailed(error))
    }
  }

  /// Runs what is stored, learns what is new, and runs that too.
  public func start() async {
    runStored()
    await follow(runsNew: true)
  }

  /// Learns what is new when the app comes back to the screen; it runs at the next start, mandatory patches at once.
  public func enterForeground() async {
    await follow(runsNew: false)
  }

  /// Says that the app works with the patches that run, in this start.
  ///
  /// A patch that came while the app ran needs its time: the word counts for it where it has run for `healthyAfter`.
  /// The word is written down on another thread; `flush` waits for that.
  public func confirmHealthy() {
    let now = effects.uptime()
    let leastTime = configuration.healthyAfter ?? .zero
    let word = shared.withLock { shared -> ClientState.HealthWord? in
      guard let start = shared.start else { return nil }
      let covered = shared.running.values.filter { $0.isFromStart || now - $0.since >= leastTime }
      return .init(start: start, digests: Set(covered.map(\.installed.sha256)))
    }
    if let word { say(word) }
  }

  /// Says what is known of the device now: a city or a network may change while the app runs.
  public func update(_ change: @Sendable (inout DeviceFacts) -> Void) {
    // On a copy: what the app does there takes the time that it takes.
    var device = shared.withLock { $0.device }
    change(&device)
    shared.withLock { $0.device = device }
  }

  /// The versions that run, by the patches' names.
  public var running: [String: String] {
    shared.withLock { $0.running.mapValues(\.installed.version.text) }
  }

  /// Waits until all that was said is on the disk; for programs that end right after they said it.
  public func flush() async {
    await onThread { self.writeWords() }
  }

  // MARK: - On the client's own threads

  private func follow(runsNew: Bool) async {
    await onThread {
      self.runStored()
      self.syncs.withLock { _ in
        let sync = ClientSync(effects: self.effects, store: self.store, tell: self.tell, runsNew: runsNew)
        var steps = Steps(client: self)
        sync.run(&steps)
      }
    }
  }

  /// A thread of its own: the few that tasks share are not for waiting.
  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DetachedThread.run {
        body()
        continuation.resume()
      }
    }
  }

  private struct Steps: ClientSteps {
    let client: HotpatchClient

    func step<Value: Sendable>(
      _ body: (inout ClientCore) throws(TrustError) -> Value
    ) throws(TrustError) -> Value { try client.step(isStart: false, body) }
  }

  /// Does a step over the state, alone, and shows the app's calls what came of it.
  private func step<Value: Sendable>(
    isStart: Bool, _ body: (inout ClientCore) throws(TrustError) -> Value
  ) throws(TrustError) -> Value {
    let (value, added) = try core.withLock { core throws(TrustError) -> (Value, ClientState.HealthWord?) in
      core.device = shared.withLock { $0.device }
      let value = try body(&core)
      return (value, show(core, isStart: isStart))
    }
    if let added { confirmLater(added) }
    return value
  }

  /// - Returns: What began to run, and in safe mode that the start did.
  private func show(_ core: ClientCore, isStart: Bool) -> ClientState.HealthWord? {
    guard let start = core.state.pendingBoot?.number else { return nil }
    let now = effects.uptime()
    return shared.withLock { shared in
      shared.start = start
      var running: [String: Running] = [:]
      var added: Set<String> = []
      for (patch, installed) in core.running {
        if let known = shared.running[patch], known.installed.sha256 == installed.sha256 {
          running[patch] = known
        } else {
          running[patch] = Running(installed: installed, since: now, isFromStart: isStart)
          added.insert(installed.sha256)
        }
      }
      shared.running = running
      return isStart || !added.isEmpty ? .init(start: start, digests: added) : nil
    }
  }

  /// Each version has its own time, from the moment at which it was put in place.
  private func confirmLater(_ word: ClientState.HealthWord) {
    guard let delay = configuration.healthyAfter else { return }
    Task.detached { [weak self, pause = effects.pause] in
      try await pause(delay)
      self?.sayOfRunning(word)
    }
  }

  private func sayOfRunning(_ word: ClientState.HealthWord) {
    let running = shared.withLock { Set($0.running.values.map(\.installed.sha256)) }
    say(.init(start: word.start, digests: word.digests.intersection(running)))
  }

  private func say(_ word: ClientState.HealthWord) {
    let isFirst = shared.withLock { shared in
      shared.words.append(word)
      defer { shared.isWriting = true }
      return !shared.isWriting
    }
    if isFirst { DetachedThread.run { self.writeWords() } }
  }

  private func writeWords() {
    core.withLock { core in
      let words = shared.withLock { shared in
        defer {
          shared.words = []
          shared.isWriting = false
        }
        return shared.words
      }
      do throws(TrustError) {
        for word in words { try core.confirmHealthy(word) }
      } catch {
        tell(.syncFailed(error))
      }
    }
  }
}
