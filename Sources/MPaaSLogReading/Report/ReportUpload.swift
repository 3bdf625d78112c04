package import MPaaSLogUpload
package import MPaaSSupport
package import MPaaSTransfer

/// Brings files that are reports to a server, and what waits from earlier once the server takes them.
package struct ReportUpload: Sendable {
  private let queue: ReportQueue
  private let attempts: Int
  private let network: Transfer.NetworkRule
  private let check: ReportCheck
  private let device: @Sendable () -> DeviceState
  /// Reports that are taken over before any of them is sent.
  private static let batch = 32
  /// Times that a report is taken over which others take, bring and forget meanwhile.
  private static let rounds = 4

  /// - Parameters:
  ///   - attempts: The most times that each report is sent.
  ///   - check: Refuses a file before any of it is sent.
  package init(
    _ queue: ReportQueue, attempts: Int = 5, network: Transfer.NetworkRule = .any, check: @escaping ReportCheck,
    device: @escaping @Sendable () -> DeviceState
  ) {
    self.queue = queue
    self.attempts = attempts
    self.network = network
    self.check = check
    self.device = device
  }

  /// Brings reports in the order of their files; ends early where the caller is cancelled.
  ///
  /// - Parameter retrying: Gets each failure that is tried again.
  package func send(
    _ files: [String], retrying: @escaping @Sendable (TransferEvent) -> Void = { _ in }
  ) async throws -> ReportUploads {
    var uploads = ReportUploads()
    var sent: Set<TransferID> = []
    var isAway = false
    var rest = files[...]
    while !rest.isEmpty, !Task.isCancelled {
      let some = try await send(rest.prefix(Self.batch), &sent, triesThem: !isAway, retrying)
      rest = rest.dropFirst(Self.batch)
      uploads.reports += some
      // Behind a server that is away the others are only put in the queue.
      isAway = isAway || some.allSatisfy(\.isQueued)
    }
    if !isAway, !Task.isCancelled {
      let earlier = try await queue.goOn(except: sent, isThere: true, device: device)
      uploads.earlier = earlier.filter { $0.state == .done }.map { ReportOutcome($0, at: $0.path) }
    }
    return uploads
  }

  private func send(
    _ files: ArraySlice<String>, _ sent: inout Set<TransferID>, triesThem: Bool,
    _ retrying: @escaping @Sendable (TransferEvent) -> Void
  ) async throws -> [ReportOutcome] {
    var outcomes: [String: ReportOutcome] = [:]
    var rest = Array(files)
    // Another command that asks for the same report again forgets what it knew: then it is taken over once more.
    for round in 1...Self.rounds where !rest.isEmpty {
      let taken = try take(rest, &outcomes)
      let deliveries = try await queue.deliver(
        triesThem ? taken.map(\.id) : [], attempts: attempts, device: device, retrying: retrying)
      rest = []
      for (path, id) in taken {
        if let delivery = try deliveries[id] ?? queue.queue.record(id).map(ReportDelivery.init) {
          // The same report under two names is stored once.
          outcomes[path] = ReportOutcome(delivery, at: path, isSecond: !sent.insert(id).inserted)
        } else if round < Self.rounds {
          rest.append(path)
        } else {
          outcomes[path] = ReportOutcome(path, TransferError(.unknown, ["id": id.description]).diagnostic)
        }
      }
    }
    return files.compactMap { outcomes[$0] }
  }

  /// Puts reports in the queue; there is an outcome at once for each that cannot be.
  private func take(
    _ files: [String], _ outcomes: inout [String: ReportOutcome]
  ) throws -> [(path: String, id: TransferID)] {
    var taken: [(path: String, id: TransferID)] = []
    for file in files {
      do {
        let bytes = try Bytes.reading(file, limit: ReportQueue.limit)
        try check(bytes, file)
        taken.append((file, try queue.take(bytes, from: file, .again, network: network)))
      } catch let problem as any DiagnosticConvertible {
        outcomes[file] = ReportOutcome(file, problem.diagnostic)
      }
    }
    return taken
  }
}

/// Refuses the bytes of a file that is no report, by an error that names the file.
package typealias ReportCheck = @Sendable (_ bytes: Bytes, _ path: String) throws -> Void

/// Reports that were brought to a server, or not.
package struct ReportUploads: Sendable {
  /// Those that were named, in their order.
  package var reports: [ReportOutcome] = []
  /// Reports of earlier calls that waited and have arrived now.
  package var earlier: [ReportOutcome] = []

  /// Reasons why reports are not there: each refusal, and of what waits each reason once.
  ///
  /// A single report that was refused is left to the caller.
  package var problems: [Diagnostic] {
    var told: Set<DiagnosticID> = []
    return reports.compactMap { report in
      guard let error = report.error, reports.count > 1 || report.isQueued else { return nil }
      return !report.isQueued || told.insert(error.id).inserted ? error : nil
    }
  }
}
