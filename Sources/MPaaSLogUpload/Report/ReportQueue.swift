import MPaaSDigests
import MPaaSLock
import MPaaSProtocol
package import MPaaSSupport
public import MPaaSTransfer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Brings crash reports to a server by a queue of transfers: what it was given arrives once, whatever ends meanwhile.
///
///     let reports = try ReportQueue(to: server, in: cache + "/reports")
///     try await CrashReporter.processPendingReports { report in try reports.add(report.path) }
///     reports.start { DeviceState(network: …) }
///
/// A report that was added stands in a file of the queue's own until the server has stored and verified it.
public final class ReportQueue: Sendable {
  /// The name of the transfers of reports in a queue.
  public static let tag = "crash"
  /// Bytes of a report.
  package static let limit = 256 << 20
  /// The size above which a report goes in pieces, and goes on where it broke off.
  static let largestRequest = 20 << 20

  /// Tells whether what is known already is brought once more.
  package enum Wish: Sendable {
    /// A report that the server has, or has refused, is left as it is.
    case once
    /// The server is asked again, which knows what it has.
    case again
  }

  package let server: LogServer
  package let queue: TransferQueue
  let clock: MonitorClock
  let memory: ReportMemory
  let copies: ReportCopies
  /// The reports begun before are asked about again where that is wished.
  let begun: Double
  let loop = Lock<Task<Void, Never>?>(nil)
  /// Wakes the loop.
  let bell = Lock<AsyncStream<Void>.Continuation?>(nil)

  /// Opens what waits in a folder, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - server: Where reports go.
  ///   - folder: For the queue and the copies of reports; that of another queue of transfers will do.
  ///   - options: The rules of the queue.
  /// - Throws: Where the folder cannot be made, or the queue is of a newer version.
  public convenience init(
    to server: LogServer, in folder: String, options: TransferOptions = TransferOptions()
  ) throws {
    try self.init(to: server, in: folder, options: options, client: nil)
  }

  package init(
    to server: LogServer, in folder: String, options: TransferOptions = TransferOptions(), client: HTTPClient?,
    clock: MonitorClock = .live, times: TransferTimes = .live
  ) throws {
    self.server = server
    self.clock = clock
    begun = clock.now()
    try PrivateFolder.create(folder)
    queue = try TransferQueue(
      folder + "/queue.sqlite", options: server.options(options), client: client, times: times, wall: clock.now)
    memory = ReportMemory(folder + "/reports")
    copies = try ReportCopies(folder + "/crashes")
    for copy in try copies.unknown(to: queue, now: begun) { try adopt(copy) }
  }

  /// Takes a copy over that no transfer knows: a command was ended, or the power failed, before it was in the queue.
  private func adopt(_ copy: String) throws {
    guard let bytes = try? Bytes.reading(copy, limit: Self.limit) else { return }
    // Half a report belongs to no server, but looks like one for another server, which takes it over itself.
    let isOurs = copies.path(bytes.sha256.hexadecimal, server) == copy
    guard isOurs, try !knows(bytes) else { return try copies.discard(copy, isOurs: isOurs, now: begun) }
    _ = try take(bytes, from: copy, .once)
  }

  deinit { loop.withLock { $0?.cancel() } }

  /// Takes a report over: it is brought to the server, whatever becomes of the file.
  ///
  /// - Returns: Its number in the queue; that of an earlier time where the same report was added before.
  /// - Throws: Where the file cannot be read, or no copy of it be written.
  @discardableResult
  public func add(_ path: String) throws -> TransferID {
    let id = try take(try Bytes.reading(path, limit: Self.limit), from: path, .once)
    bell.withLock { _ = $0?.yield() }
    return id
  }

  /// Tells whether the server is known to have a report.
  package func knows(_ bytes: Bytes) throws -> Bool {
    let digest = bytes.sha256.hexadecimal
    if memory.knows(server, digest) { return true }
    guard let id = try queue.identifier(batch: batch(digest)) else { return false }
    return try queue.record(id)?.state == .done
  }

  /// Takes over what was read of a file.
  package func take(
    _ bytes: Bytes, from path: String, _ wish: Wish, network: Transfer.NetworkRule = .any
  ) throws -> TransferID {
    let digest = bytes.sha256.hexadecimal
    // Others may take the same report, bring it and forget it in these moments.
    for _ in 0..<8 {
      if let id = try queue.identifier(batch: batch(digest)), let record = try queue.record(id) {
        if stands(record, wish, network) {
          // An upload that is asked for does not wait for the end of a pause.
          if wish == .again, record.state == .waiting || record.state == .paused { try queue.resume(id) }
          return id
        }
        do {
          try queue.remove(id)
        } catch {
          guard error.code == .inHand || error.code == .unknown else { throw error }
          usleep(10_000)
          continue
        }
      }
      var transfer = described(digest, bytes.count, path)
      transfer.network = network
      transfer.file = try copies.keep(bytes, digest, for: server)
      return try queue.add(transfer)
    }
    throw TransferError(.inHand, ["id": path])
  }

  /// Tells whether a transfer that is there serves a wish as it is.
  private func stands(_ record: TransferRecord, _ wish: Wish, _ network: Transfer.NetworkRule) -> Bool {
    switch record.state {
    case .active: true
    case .waiting, .paused:
      FileStatus(record.transfer.file) != nil && (wish == .once || record.transfer.network == network)
    // One that another command has brought while this one began needs no second time.
    case .done: wish == .once || record.updated >= begun
    case .cancelled: wish == .once
    case .failed: wish == .once && record.isContentRefused
    }
  }

  private func batch(_ digest: String) -> String { "\(server.url) crash-\(digest)" }

  private func described(_ digest: String, _ size: Int, _ path: String) -> Transfer {
    let isLarge = size > Self.largestRequest
    var transfer = Transfer(
      isLarge ? .tus : .post, server.url + (isLarge ? ServerPaths.uploads : ServerPaths.crashes), file: path,
      batch: batch(digest), tag: Self.tag)
    transfer.sha256 = digest
    transfer.source = FileSystem.resolved(path) ?? path
    transfer.removesFile = true
    guard isLarge else {
      transfer.confirmation = .digest
      return transfer
    }
    transfer.metadata = [
      UploadMetadata.filename: FileSystem.name(of: path), UploadMetadata.kind: "crash",
      UploadMetadata.type: "application/octet-stream", UploadMetadata.sha256: digest,
      UploadMetadata.batch: "crash-\(digest)",
    ]
    return transfer
  }
}

extension TransferRecord {
  /// Tells whether the server will not take the same bytes another time either.
  var isContentRefused: Bool {
    state == .failed && (status.map { [400, 409, 413, 415, 422].contains($0) } ?? false)
  }
}
