import MPaaSLock
public import MPaaSLogs
import MPaaSSupport
public import MPaaSTime
public import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The monitor points of an app: what users do, how long things take, that the app runs; kept in files and uploaded.
///
///     let points = try MonitorPoints(folder: path, as: identity, to: LogServer(url, token: appKey))
///     points.start()
///     points.behavior("clicked", ["page": "home", "button": "pay"])
///
/// The end of the process no longer loses a record once its call has returned. Records go out when enough of a type
/// wait (`MonitorRule`), and are marked only once the server has stored them.
public final class MonitorPoints: Sendable {
  package let files: MonitorFiles
  private let uploader: RecordUploader
  private let identity: LogIdentity
  private let device: @Sendable () -> DeviceState
  private let pauses: UploadPauses
  private let wishes: AsyncStream<Void>
  private let wish: AsyncStream<Void>.Continuation
  private let loop = Lock<Task<Void, Never>?>(nil)
  private let patches: RunningPatches

  /// - Parameters:
  ///   - folder: Where the files are; several processes of the app may use one.
  ///   - identity: The sender of the records.
  ///   - server: The server that the records are brought to.
  ///   - settings: The size of the files, and when records of each type go out.
  ///   - device: The device's network, asked before each upload.
  /// - Throws: Where the folder cannot be made.
  public convenience init(
    folder: String, as identity: LogIdentity, to server: LogServer, settings: MonitorSettings = MonitorSettings(),
    device: @escaping @Sendable () -> DeviceState = { DeviceState() }
  ) throws {
    let files = try MonitorFiles(folder, settings: settings)
    self.init(files, as: identity, to: server, device: device)
  }

  package init(
    _ files: MonitorFiles, as identity: LogIdentity, to server: LogServer,
    device: @escaping @Sendable () -> DeviceState = { DeviceState() }, pauses: UploadPauses = UploadPauses()
  ) {
    self.files = files
    self.identity = identity
    self.device = device
    self.pauses = pauses
    uploader = RecordUploader(files, to: server, as: identity)
    patches = RunningPatches(files.folder)
    (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    wish.finish()
    loop.withLock { $0?.cancel() }
  }

  // MARK: Recording

  /// Records an event of a type; types of the app's own are fine.
  public func record(_ type: LogType, _ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    keep(type, event, fields.map { MonitorLine.Field($0.key, $0.value) })
  }

  /// Records what a user did.
  public func behavior(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    record(.behavior, event, fields)
  }

  /// Records what a page did by itself.
  public func automation(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    record(.automation, event, fields)
  }

  /// Records how long something took.
  public func performance(_ event: String, _ duration: TimeSpan, _ fields: KeyValuePairs<String, String> = [:]) {
    let parts = duration.components
    let milliseconds = Double(parts.seconds) * 1000 + Double(parts.attoseconds / 1_000_000_000_000) / 1000
    keep(.performance, event, [.init("ms", "\(milliseconds)")] + fields.map { MonitorLine.Field($0.key, $0.value) })
  }

  /// Records that the app crashes; it goes out at the next start.
  public func crash(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { record(.crash, event, fields) }

  /// Says which hotpatches run, before `alive` is recorded: the server counts devices by patch, and those of them of which
  /// a run crashed, so that a patch that does harm is found.
  ///
  ///     points.patchesRun(client.running)
  ///
  /// - Parameter running: The versions by the patches' names, as `HotpatchClient.running` has them; empty where none runs.
  public func patchesRun(_ running: [String: String]) { patches.run(running) }

  /// Records that the app runs, unless it did so a short time ago (`MonitorSettings.aliveInterval`), also before it was
  /// started anew; gives whether it did.
  @discardableResult
  public func alive() -> Bool {
    let now = files.clock.now()
    let interval = Double(files.settings.aliveInterval.components.seconds)
    let path = files.folder + "/alive.time"
    let last = (try? Bytes.reading(path, limit: 64)).flatMap { Double(String(decoding: $0.buffer, as: UTF8.self)) }
    // A clock that was set back would keep the app silent for as long.
    if let last, (0..<interval).contains(now - last) { return false }
    try? Bytes("\(now)".utf8).write(to: path)
    var fields = [MonitorLine.Field("id", UUID().uuidString.lowercased()), .init("seconds", "\(now)")]
    fields += [.init("version", identity.version), .init("system", identity.system ?? "")].filter { !$0.value.isEmpty }
    if let text = patches.now { fields.append(.init("patches", text)) }
    keep(.alive, "alive", fields)
    return true
  }

  /// Records how the run before ended, once at each start; the server counts ends by version and reason.
  ///
  ///     if let last = Termination.begin(version: "2.1") {
  ///       points.lastRunEnded(last.reason.rawValue, version: last.version, at: last.lastSeen)
  ///     }
  ///
  /// - Parameters:
  ///   - reason: That of `Termination.Reason`.
  ///   - version: The version that ran; where it is empty, the one that runs now.
  ///   - time: When it was last known to live, in seconds since 1970.
  public func lastRunEnded(_ reason: String, version: String, at time: Double) {
    let version = version.isEmpty ? identity.version : version
    var fields = [
      MonitorLine.Field("id", UUID().uuidString.lowercased()), .init("seconds", "\(time)"), .init("version", version),
    ]
    if let text = patches.before { fields.append(.init("patches", text)) }
    keep(.termination, reason, fields)
  }

  private func keep(_ type: LogType, _ event: String, _ fields: [MonitorLine.Field]) {
    guard let waiting = files.append(type, event, fields) else { return }
    // The process is about to end.
    if type != .crash, files.settings.rule(type).isDue(waiting) { wish.yield() }
  }

  // MARK: Uploading

  /// Begins to upload by itself: first what is left of the last run, crashes among it, then whatever is due.
  public func start() {
    loop.withLock { loop in
      guard loop == nil else { return }
      loop = Task { [uploader, wishes, pauses, device] in
        await Self.run(uploader, wishes, pauses, device)
      }
    }
    wish.yield()
  }

  /// Uploads no more by itself; what waits goes on waiting.
  public func stop() {
    loop.withLock { loop in
      loop?.cancel()
      loop = nil
    }
  }

  /// Says that the network has changed, or that the app is shown again: what waited for it may go.
  public func deviceChanged() { wish.yield() }

  /// Uploads all that waits, due or not.
  ///
  /// - Throws: Why the first batch that was not taken was not; it goes on waiting.
  @discardableResult
  public func upload() async throws -> RecordUploadResult {
    // An upload that began by itself may not have ended yet.
    for _ in 0..<100 {
      let result = try await uploader.upload(device())
      if !result.isElsewhere { return result }
      try await Task.sleep(for: .milliseconds(50))
    }
    return try await uploader.upload(device())
  }

  private static func run(
    _ uploader: RecordUploader, _ wishes: AsyncStream<Void>, _ pauses: UploadPauses,
    _ device: @Sendable () -> DeviceState
  ) async {
    var pauses = pauses
    var isFirst = true
    for await _ in wishes {
      while !Task.isCancelled {
        let files = uploader.files
        let due = files.waiting.filter { files.settings.rule($0.key).isDue($0.value) || (isFirst && $0.key == .crash) }
        do {
          if !due.isEmpty || isFirst { try await uploader.upload(device(), only: Set(due.keys)) }
          pauses.succeeded()
          isFirst = false
          break
        } catch {
          try? await Task.sleep(for: pauses.failed(retryAfter: (error as? LogError)?.retryAfter))
        }
      }
    }
  }
}
