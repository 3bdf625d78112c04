import MPaaSSupport
public import MPaaSTrust
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
/// A start that is not confirmed counts as failed; after two of them a new version is known-bad and the one before it
/// takes its place, after three in a row no patch runs. Call `enterForeground` when the app comes back to the screen:
/// what is new then runs at the next start. All methods may be called from any thread.
public final class HotpatchClient: Sendable {
  /// What the client is to know; nothing of it is secret but that the age identity opens the payloads.
  public struct Configuration: Sendable {
    /// Where state, metadata and bundles are kept; nothing else may be in it.
    public var folder: String
    public var device: DeviceFacts
    /// The repository's first `root.json`, as it came with the app.
    public var root: [UInt8]
    /// Addresses of the repository: `https:` URLs or folders, tried in order.
    public var mirrors: [String]
    /// Whose signatures on bundles count, and how many of them it takes.
    public var keys: [VerificationKey]
    public var threshold = 1
    /// `AGE-SECRET-KEY-1…`: opens the payloads.
    public var identities: [AgeIdentity]
    /// A start, or a patch that was fetched while the app ran, counts as healthy after so long without a word; nil for
    /// never.
    public var healthyAfter: Duration? = .seconds(10)
    /// The clock; to be replaced in tests.
    public var now: @Sendable () -> Date = { Date() }
    /// The functions that patches may replace.
    public var registry = PatchRegistry.shared
    public var runtime = PatchRuntime.Configuration()

    public init(
      folder: String, device: DeviceFacts, root: [UInt8], mirrors: [String], keys: [VerificationKey],
      threshold: Int = 1, identities: [AgeIdentity]
    ) {
      self.folder = folder
      self.device = device
      self.root = root
      self.mirrors = mirrors
      self.keys = keys
      self.threshold = threshold
      self.identities = identities
    }
  }

  private struct Guarded {
    var core: ClientCore
    var hasStarted = false
  }

  private let configuration: Configuration
  private let guarded: Mutex<Guarded>
  private let tell: @Sendable (HotpatchEvent) -> Void

  /// - Parameter tell: Gets what happens, on the thread where it happens; it must not call the client.
  /// - Throws: `TrustError` `repository-bad-url`, `trust-root-missing` where there is no key, and what the folder's
  ///   file system says.
  public init(
    _ configuration: Configuration, tell: @escaping @Sendable (HotpatchEvent) -> Void = { _ in }
  ) throws(TrustError) {
    guard !configuration.keys.isEmpty, !configuration.root.isEmpty else { throw TrustError(.trustRootMissing) }
    let store = PatchStore(configuration.folder)
    try store.prepare()
    let effects = try ClientEffects.live(configuration, store)
    self.configuration = configuration
    self.tell = tell
    guarded = Mutex(
      Guarded(core: ClientCore(store: store, device: configuration.device, effects: effects, tell: tell)))
  }

  /// Runs what is stored; a second call does nothing.
  public func runStored() {
    guarded.withLock { guarded in
      guard !guarded.hasStarted else { return }
      guarded.hasStarted = true
      do throws(TrustError) {
        try guarded.core.runStored()
      } catch {
        tell(.syncFailed(error))
      }
    }
    confirmLater()
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

  /// Says that the app works with the patches that run.
  public func confirmHealthy() {
    guarded.withLock { guarded in
      do throws(TrustError) {
        try guarded.core.confirmHealthy()
      } catch {
        tell(.syncFailed(error))
      }
    }
  }

  /// Says what is known of the device now: a city or a network may change while the app runs.
  public func update(_ change: @Sendable (inout DeviceFacts) -> Void) {
    guarded.withLock { change(&$0.core.device) }
  }

  /// The versions that run, by the patches' names.
  public var running: [String: String] {
    guarded.withLock { $0.core.running.mapValues(\.version.text) }
  }

  /// The network is waited for on a thread of its own.
  private func follow(runsNew: Bool) async {
    let isNew = await Task.detached {
      self.guarded.withLock { guarded in
        let wasPending = guarded.core.isPending
        guarded.core.sync(runsNew: runsNew)
        return !wasPending && guarded.core.isPending
      }
    }.value
    // The app has said its word already; what came later proves itself by time.
    if isNew { confirmLater() }
  }

  private func confirmLater() {
    guard let delay = configuration.healthyAfter else { return }
    Task.detached { [weak self] in
      try await Task.sleep(for: delay)
      self?.confirmHealthy()
    }
  }
}
