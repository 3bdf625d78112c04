package import MPaaSLogUpload
package import MPaaSSupport
import MPaaSTransfer

/// Brings each report that appears in a folder to a server, once it no longer grows.
package struct ReportWatch: Sendable {
  package enum Event: Sendable {
    /// A report has arrived.
    case delivered(ReportOutcome)
    /// A file is no report, or the server does not take it; a server that is away is told once.
    case problem(Diagnostic)
  }

  private struct Look: Equatable {
    var size: UInt64
    var modified: Int64
  }

  private let queue: ReportQueue
  private let files: @Sendable () throws -> [String]
  private let check: ReportCheck
  /// Files as they were at the last look, and when they had been dealt with.
  private var seen: [String: Look] = [:]
  private var dealtWith: [String: Look] = [:]
  /// The problem that was last told of the server, so that one that is away is told of once.
  private var told: DiagnosticID?
  private static let attempts = 5
  private static let device: @Sendable () -> DeviceState = { DeviceState() }

  /// - Parameters:
  ///   - files: Lists the files of the folder as they are now.
  ///   - check: Refuses a file before any of it is sent.
  package init(_ queue: ReportQueue, files: @escaping @Sendable () throws -> [String], check: @escaping ReportCheck) {
    self.queue = queue
    self.files = files
    self.check = check
  }

  /// Looks until the caller is cancelled: takes over what no longer grows, and brings what waits.
  package mutating func run(_ polling: Polling, tell: (Event) throws -> Void) async throws {
    while !Task.isCancelled {
      try take(settles: true, tell)
      try self.tell(try await queue.goOn(device: Self.device), tell)
      await polling.wait()
    }
  }

  /// Takes over what is there, and brings it with the patience of an upload.
  ///
  /// - Returns: `done` where all has arrived, else why the first report has not.
  package mutating func runOnce(tell: (Event) throws -> Void) async throws -> ExitStatus {
    try take(settles: false, tell)
    let open = try queue.waiting().map(\.id)
    let deliveries = try await queue.deliver(open.prefix(1), attempts: Self.attempts, device: Self.device)
    var all = deliveries.values.map { $0 }
    if !deliveries.values.contains(where: { $0.state == .waiting }) {
      all += try await queue.deliver(open.dropFirst(), attempts: Self.attempts, device: Self.device).values
    }
    try self.tell(all.sorted { $0.id.rawValue < $1.id.rawValue }, tell)
    let errors = all.compactMap(\.error)
    let rest = try queue.waiting()
    return errors.first?.code.exit ?? (rest.isEmpty ? .done : .tryAgain)
  }

  private mutating func take(settles: Bool, _ tell: (Event) throws -> Void) throws {
    for file in try files() where !Task.isCancelled {
      guard let status = FileStatus(file) else { continue }
      let look = Look(size: status.size, modified: status.modified)
      if dealtWith[file] == look { continue }
      let isSettled = seen[file] == look
      seen[file] = look
      guard isSettled || !settles else { continue }
      do {
        let bytes = try Bytes.reading(file, limit: ReportQueue.limit)
        guard !bytes.isEmpty else { continue }
        try check(bytes, file)
        if try !queue.knows(bytes) { _ = try queue.take(bytes, from: file, .once) }
        dealtWith[file] = look
      } catch let error as FileError where error.operation == .open {
        // It may have gone, or be readable at the next look.
        continue
      } catch let problem as any DiagnosticConvertible {
        try tell(.problem(problem.diagnostic))
        dealtWith[file] = look
      }
    }
  }

  private mutating func tell(_ deliveries: [ReportDelivery], _ tell: (Event) throws -> Void) throws {
    for delivery in deliveries {
      let outcome = ReportOutcome(delivery, at: delivery.path)
      if outcome.isDone {
        told = nil
        try tell(.delivered(outcome))
      } else if let error = outcome.error, !outcome.isQueued || told != error.id {
        told = outcome.isQueued ? error.id : told
        try tell(.problem(error))
      }
    }
  }
}
