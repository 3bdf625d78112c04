import MPaaSLock
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
public import MPaaSTime
public import MPaaSTransfer

/// The device's end of collection: asks the server what is wanted of its logs, packs that, and uploads it.
///
///     let collector = try LogCollector(as: identity, from: server, logs: [folder], work: cache + "/collection")
///     collector.start(every: .seconds(900)) { DeviceState(network: …) }
///
/// A collection that has begun goes on after the end of the process: the archive stands in the work folder until the
/// server has stored and verified it.
public final class LogCollector: Sendable {
  let identity: LogIdentity
  let server: LogServer
  let logs: [String]
  let work: String
  let queue: TransferQueue
  let clock: MonitorClock
  /// Tells how long attempts to upload may bring nothing in one look; what was begun goes on in the next.
  let standstill: TimeSpan
  /// Has what is logged so far stand in files.
  let flush: @Sendable () -> Void
  private let loop = Lock<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - identity: The sender that tasks are asked for.
  ///   - server: The server that is asked.
  ///   - logs: Folders of logs, and of monitor points.
  ///   - work: A folder for archives and the queue, made where it is missing.
  ///   - options: The rules of the queue that the archives are uploaded by.
  /// - Throws: Where the folder cannot be made.
  public convenience init(
    as identity: LogIdentity, from server: LogServer, logs: [String], work: String,
    options: TransferOptions = TransferOptions()
  ) throws {
    try self.init(as: identity, from: server, logs: logs, work: work, options: options, clock: .live)
  }

  package init(
    as identity: LogIdentity, from server: LogServer, logs: [String], work: String,
    options: TransferOptions = TransferOptions(), clock: MonitorClock, standstill: TimeSpan = .seconds(60),
    flush: @escaping @Sendable () -> Void = Log.flush
  ) throws {
    self.identity = identity
    self.logs = logs
    self.work = work
    self.clock = clock
    self.standstill = standstill
    self.flush = flush
    try Directories.create(work)
    self.server = server.asDevice(secret: try Self.secret(work + "/secret"))
    queue = try TransferQueue(work + "/queue.sqlite", options: server.options(options))
  }

  deinit { loop.withLock { $0?.cancel() } }

  /// Asks the server from time to time, and does what it wants.
  public func start(every interval: TimeSpan = .seconds(900), device: @escaping @Sendable () -> DeviceState) {
    loop.withLock { loop in
      guard loop == nil else { return }
      loop = Task { [weak self] in
        var pauses = UploadPauses()
        while !Task.isCancelled {
          var pause = interval
          do {
            guard try await self?.collect(device) != nil else { return }
            pauses.succeeded()
          } catch {
            pause = min(interval, pauses.failed(retryAfter: (error as? LogError)?.retryAfter))
          }
          try? await Task.sleep(for: pause)
        }
      }
    }
  }

  /// Asks no more.
  public func stop() {
    loop.withLock { loop in
      loop?.cancel()
      loop = nil
    }
  }

  /// Asks the server once, and does what it wants as far as the device allows.
  ///
  /// - Throws: Where the server cannot be asked; what has begun goes on the next time.
  @discardableResult
  public func collect(_ device: @escaping @Sendable () -> DeviceState) async throws -> [CollectionOutcome] {
    let tasks = try await server.tasks(CollectionQuery(user: identity.user ?? "", device: identity.device))
    try forget(except: Set(tasks.map(\.id)))
    var outcomes: [CollectionOutcome] = []
    for task in tasks.reversed() where !task.state.isFinal {
      outcomes.append(try await CollectionRun(self, task, device).run())
    }
    return outcomes
  }

  /// Removes what was begun for tasks that are not wanted any more.
  private func forget(except open: Set<String>) throws {
    for record in try queue.records([.waiting, .active, .paused, .failed]) {
      guard let tag = record.transfer.tag, !open.contains(tag) else { continue }
      try queue.cancel(record.id)
    }
    for name in try FileSystem.names(in: work) where name.hasSuffix(Self.suffix) {
      if !open.contains(where: { archive($0).hasSuffix("/" + name) }) { try FileSystem.remove(work + "/" + name) }
    }
  }

  /// The secret of this device, made where there is none.
  private static func secret(_ file: String) throws -> String {
    let own = (try? Bytes.reading(file, limit: 1000)).map { String(decoding: $0.buffer, as: UTF8.self) } ?? ""
    if DeviceSecret.lengths.contains(own.utf8.count) { return own }
    var random = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }.hexadecimal
    let partial = try PartialFile(beside: file)
    try Array(secret.utf8).withUnsafeBytes { try partial.append($0) }
    try partial.finish(mode: 0o600)
    return secret
  }

  static let suffix = ".logs.zip"

  /// The path of the archive of a task is made; a name from a server is not taken as a path.
  func archive(_ task: String) -> String { work + "/" + PercentEncoding.encode(task) + Self.suffix }
}

extension LogServer {
  /// Options of a queue whose requests to this server bear its token.
  package func options(_ options: TransferOptions) -> TransferOptions {
    var options = options
    let given = options.headers
    let (prefix, own) = (url + "/", headers)
    options.headers = { url in
      let mine = url.hasPrefix(prefix) ? Dictionary(own.map { ($0.name, $0.value) }) { $1 } : [:]
      return mine.merging(given(url)) { $1 }
    }
    return options
  }
}
