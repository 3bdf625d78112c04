import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import Synchronization

/// Transfers as results.
struct TransferList: Presentable {
  let records: [TransferRecord]
  var isMoved = false
  /// Tells whether one that is not done makes the command end with a status of its own.
  var isJudged = false
  var isAlone = false

  private struct Row: Encodable {
    let record: TransferRecord

    private enum CodingKeys: String, CodingKey {
      case id, method, url, file, state, moved, size, priority, batch, tag, sha256, error, reason, failures, attempts
      case location, status, answer, created, updated, source
      case notBefore = "not_before"
    }

    func encode(to encoder: any Encoder) throws {
      var row = encoder.container(keyedBy: CodingKeys.self)
      let transfer = record.transfer
      try row.encode(record.id, forKey: .id)
      try row.encode(transfer.method, forKey: .method)
      try row.encode(transfer.url, forKey: .url)
      try row.encode(transfer.file, forKey: .file)
      try row.encodeIfPresent(transfer.source, forKey: .source)
      try row.encode(record.state, forKey: .state)
      try row.encode(record.moved, forKey: .moved)
      try row.encodeIfPresent(record.size, forKey: .size)
      try row.encode(transfer.priority, forKey: .priority)
      try row.encodeIfPresent(transfer.batch, forKey: .batch)
      try row.encodeIfPresent(transfer.tag, forKey: .tag)
      try row.encodeIfPresent(record.sha256, forKey: .sha256)
      try row.encodeIfPresent(record.error, forKey: .error)
      try row.encodeIfPresent(record.reason, forKey: .reason)
      try row.encode(record.failures, forKey: .failures)
      try row.encode(record.attempts, forKey: .attempts)
      try row.encodeIfPresent(record.place, forKey: .location)
      try row.encodeIfPresent(record.status, forKey: .status)
      try row.encodeIfPresent(record.answer, forKey: .answer)
      try row.encodeIfPresent(record.notBefore, forKey: .notBefore)
      try row.encode(record.created, forKey: .created)
      try row.encode(record.updated, forKey: .updated)
    }
  }

  private enum CodingKeys: String, CodingKey { case transfers }

  func encode(to encoder: any Encoder) throws {
    if isAlone, let record = records.first { return try Row(record: record).encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(records.map(Row.init), forKey: .transfers)
  }

  var exit: ExitStatus {
    guard isJudged else { return .done }
    if let failed = records.first(where: { $0.state == .failed }) {
      return failed.exit.map { ExitStatus(rawValue: $0) } ?? .unreachable
    }
    return records.contains { $0.state == .waiting || $0.state == .active } ? .tryAgain : .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    if isAlone, let record = records.first { return Document(lines: sentence(record, catalogue)) }
    guard !records.isEmpty else { return [.line(StyledText(catalogue.text("text.file-none"), .faint))] }
    func column(_ name: String, isNumeric: Bool = false, isOptional: Bool = false) -> Table.Column {
      Table.Column(catalogue.text("text.file-column-\(name)"), isNumeric: isNumeric, isOptional: isOptional)
    }
    let rows = records.map { record in
      [
        StyledText(record.id.description, .number), state(record, catalogue),
        StyledText(share(record), .number), StyledText(size(record.size)),
        StyledText(record.transfer.isDownload ? "↓" : "↑"), StyledText(record.name, .path),
        StyledText(record.transfer.url, .path), StyledText(record.state == .done ? "" : record.error ?? "", .faint),
      ]
    }
    return [
      .table(
        Table(
          columns: [
            column("id", isNumeric: true), column("state"), column("share", isNumeric: true),
            column("size", isNumeric: true), Table.Column(""), column("file"), column("url"),
            column("error", isOptional: true),
          ], rows: rows))
    ]
  }

  private func sentence(_ record: TransferRecord, _ catalogue: Catalogue) -> [StyledText] {
    let values = [
      "id": record.id.description, "file": record.name, "url": record.place ?? record.transfer.url,
      "size": size(record.size),
      "error": record.error ?? "", "reason": record.reason ?? "", "problem": record.error.map { " (\($0))" } ?? "",
    ]
    let key = record.transfer.isDownload && record.state == .done ? "got" : record.state.rawValue
    var lines = [StyledText(catalogue.text("text.file-\(key)", values))]
    if let digest = record.sha256, record.state == .done { lines.append(StyledText("sha256 \(digest)", .faint)) }
    if let error = record.error, record.state == .failed,
      let text = catalogue.optionalText("diagnostic.\(error).help"), !text.contains("{")
    {
      lines.append(StyledText(text, .faint))
    }
    return lines
  }

  private func state(_ record: TransferRecord, _ catalogue: Catalogue) -> StyledText {
    let word = catalogue.text("text.file-state-\(record.state.rawValue)")
    return switch record.state {
    case .done: StyledText(word, .good)
    case .failed, .cancelled: StyledText(word, .bad)
    default: StyledText(word)
    }
  }

  private func share(_ record: TransferRecord) -> String {
    guard let fraction = TransferProgress(moved: record.moved, size: record.size).fraction else { return "–" }
    return "\(Int(fraction * 100)) %"
  }

  private func size(_ bytes: Int64?) -> String { bytes.map { ByteCount(UInt64(clamping: $0)).description } ?? "–" }
}

/// The notes of a run while it goes on: a bar on a terminal, and notes of what is tried again.
final class TransferNarrator: Sendable {
  private let terminal: Terminal
  private let label: String
  private let state = Mutex<(bar: Progress?, moved: [TransferID: Int64])>((nil, [:]))

  init(_ terminal: Terminal, label: String) {
    self.terminal = terminal
    self.label = label
  }

  func take(_ event: TransferEvent) {
    let catalogue = terminal.catalogue
    switch event {
    case .progress(let id, let progress): show(id, progress)
    case .retrying(let id, let error, let reason, let seconds):
      let values = [
        "id": id.description, "error": error, "reason": reason, "seconds": String(Int(seconds.rounded(.up))),
      ]
      terminal.note(StyledText(catalogue.text("text.file-retrying", values), .faint))
    case .waiting(let id, let hindrance):
      let text = catalogue.text("text.file-waits-\(hindrance.rawValue)", ["id": id.description])
      terminal.note(StyledText(text, .faint))
    case .began, .finished: break
    }
  }

  func finish() { state.withLock { $0.bar?.finish() } }

  private func show(_ id: TransferID, _ progress: TransferProgress) {
    guard let size = progress.size, size > 0 else { return }
    let (bar, delta) = state.withLock { state in
      if state.bar == nil { state.bar = terminal.progress(label, total: UInt64(size), isBytes: true) }
      let delta = progress.moved - (state.moved[id] ?? 0)
      state.moved[id] = max(progress.moved, state.moved[id] ?? 0)
      return (state.bar, delta)
    }
    if delta > 0 { bar?.advance(by: UInt64(delta)) }
  }
}

extension TransferRecord {
  /// The name by which a user knows the file.
  fileprivate var name: String { transfer.source ?? transfer.file }
  /// The server's address of it; S3's word for an upload in parts is no place.
  fileprivate var place: String? { transfer.method == .s3 ? nil : location }
}
