public import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
package import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The actions of an upload of monitor points.
public struct RecordUploadResult: Sendable, Hashable {
  /// Batches and records that the server has stored.
  public var batches = 0
  /// The number of records in `batches`.
  public var records = 0
  /// Batches of them that the server had already.
  public var duplicates = 0
  /// Types that wait for Wi-Fi.
  public var heldBack: [LogType] = []
  /// Tells whether another process uploads at the moment, so that nothing was done here.
  public var isElsewhere = false

  /// Makes the result of an upload that has done nothing yet.
  public init() {}
}

/// Uploads what waits of monitor points: each record once, in batches whose names outlive the end of the process.
///
/// A batch is noted in the journal, sent, noted as stored once the server has answered so, and marked in its files.
/// The next uploader goes on from the step at which the process ended.
package struct RecordUploader: Sendable {
  package let files: MonitorFiles
  package let server: LogServer
  package let identity: LogIdentity
  /// The most records of one batch, and their bytes.
  package var records = 500
  package var bytes = 256 << 10

  package init(_ files: MonitorFiles, to server: LogServer, as identity: LogIdentity) {
    self.files = files
    self.server = server
    self.identity = identity
  }

  /// Uploads all that waits.
  ///
  /// - Parameter only: These types; nil is all.
  /// - Throws: `LogError` for the first batch that was not taken; it and what comes behind it go on waiting.
  @discardableResult
  package func upload(_ device: DeviceState, only: Set<LogType>? = nil) async throws -> RecordUploadResult {
    var result = RecordUploadResult()
    guard let journal = try UploadJournal(files.folder) else {
      result.isElsewhere = true
      return result
    }
    for (batch, isAcknowledged) in journal.open {
      guard isAcknowledged || may(batch.type, device, &result) else { continue }
      try await bring(batch, isAcknowledged, journal, &result)
    }
    for type in files.types where only?.contains(type) != false && may(type, device, &result) {
      while let batch = try make(type, journal) { try await bring(batch, false, journal, &result) }
    }
    return result
  }

  private func may(_ type: LogType, _ device: DeviceState, _ result: inout RecordUploadResult) -> Bool {
    switch (device.network, files.settings.rule(type).network) {
    case (.wifi, _), (.cellular, .any): return true
    default:
      if !result.heldBack.contains(type) { result.heldBack.append(type) }
      return false
    }
  }

  private func make(_ type: LogType, _ journal: UploadJournal) throws -> UploadBatch? {
    let (slices, lines) = files.next(type, records: records, bytes: bytes)
    guard !lines.isEmpty else { return nil }
    try files.settle(slices)
    let batch = UploadBatch(id: UUID().uuidString.lowercased(), type: type, slices: slices)
    try journal.add([batch])
    return batch
  }

  private func bring(
    _ batch: UploadBatch, _ isAcknowledged: Bool, _ journal: UploadJournal, _ result: inout RecordUploadResult
  ) async throws {
    let lines = files.lines(batch.slices)
    if !isAcknowledged, !lines.isEmpty {
      switch await send(batch, lines) {
      case .success(let isDuplicate):
        result.duplicates += isDuplicate ? 1 : 0
        result.batches += 1
        result.records += lines.count
      case .failure(let error):
        guard error.code == .tooLargeForServer, lines.count > 1 else { throw error }
        for half in try split(batch, journal) { try await bring(half, false, journal, &result) }
        return
      }
      try journal.acknowledge(batch.id)
    }
    try files.mark(batch.type, batch.slices)
    try journal.finish(batch.id)
  }

  /// Two batches of half the records each; the one that was refused is not sent again.
  private func split(_ batch: UploadBatch, _ journal: UploadJournal) throws -> [UploadBatch] {
    let halves = files.halves(batch.slices).map {
      UploadBatch(id: UUID().uuidString.lowercased(), type: batch.type, slices: $0)
    }
    try journal.add(halves, insteadOf: batch.id)
    return halves
  }

  /// Tells whether the server had it already.
  private func send(_ batch: UploadBatch, _ lines: [String]) async -> Result<Bool, LogError> {
    if batch.type == .alive { return await sendAlive(batch, lines) }
    if batch.type == .termination { return await sendTerminations(batch, lines) }
    let body = RecordBatch(
      id: batch.id, app: identity.app, device: identity.device, user: identity.user, type: batch.type.rawValue,
      lines: lines)
    return await server.post(body, to: ServerPaths.records).map(\.duplicate)
  }

  private func sendTerminations(_ batch: UploadBatch, _ lines: [String]) async -> Result<Bool, LogError> {
    var areDuplicates = true
    for (index, text) in lines.enumerated() {
      // A line that is none would be refused again and again.
      guard let line = MonitorLine(text) else { continue }
      let patches = line["patches"].map(RunningPatches.labels)
      let report = TerminationReport(
        id: line["id"] ?? "\(batch.id)-\(index)", app: identity.app, version: line["version"] ?? identity.version,
        reason: line.event, time: line["seconds"].flatMap(Double.init) ?? files.clock.now(),
        device: patches == nil ? nil : identity.device, patches: patches)
      switch await server.post(report, to: ServerPaths.terminations) {
      case .success(let receipt): areDuplicates = areDuplicates && receipt.duplicate
      case .failure(let error): return .failure(error)
      }
    }
    return .success(areDuplicates)
  }

  private func sendAlive(_ batch: UploadBatch, _ lines: [String]) async -> Result<Bool, LogError> {
    var areDuplicates = true
    for (index, text) in lines.enumerated() {
      let line = MonitorLine(text)
      // The report's own name, or one that comes of its place, is the same each time it is sent.
      let report = AliveReport(
        id: line?["id"] ?? "\(batch.id)-\(index)", app: identity.app, version: line?["version"] ?? identity.version,
        device: identity.device, user: identity.user, system: line?["system"] ?? identity.system,
        time: line?["seconds"].flatMap(Double.init) ?? files.clock.now(),
        patches: line?["patches"].map(RunningPatches.labels))
      switch await server.post(report, to: ServerPaths.alive) {
      case .success(let receipt): areDuplicates = areDuplicates && receipt.duplicate
      case .failure(let error): return .failure(error)
      }
    }
    return .success(areDuplicates)
  }
}
