import MPaaSLogReading
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// The reports that `mpaas crash upload` brought to the server.
struct UploadedReports: Presentable {
  struct Row: Presentable {
    let path: String
    let id: String?
    let group: String?
    let duplicate: Bool
    /// `done` once the server has stored and verified it; `waiting` while it is in the queue.
    let state: String
    /// Its number in the queue.
    let transfer: Int64?
    let error: String?
    /// The server's own word for what it refused, and its sentence.
    let code: String?
    let reason: String?
    private let isQueued: Bool

    private enum CodingKeys: String, CodingKey { case path, id, group, duplicate, state, transfer, error, code, reason }

    init(_ outcome: ReportOutcome) {
      path = outcome.path
      let receipt = outcome.delivery?.receipt
      (id, group) = (receipt?.id, receipt?.group)
      duplicate = outcome.isDuplicate
      state = (outcome.delivery?.state ?? .failed).rawValue
      transfer = outcome.delivery?.id.rawValue
      error = outcome.error?.id.name
      let said = outcome.delivery?.error?.values
      code = said?["code"].flatMap { $0.isEmpty ? nil : $0 }
      reason = said?["reason"].flatMap { $0.isEmpty ? nil : $0 }
      isQueued = outcome.isQueued
    }

    func document(_ catalogue: Catalogue) -> Document {
      var line = StyledText(path, .path)
      if isQueued {
        let number = transfer.map { "\($0)" } ?? ""
        line.append("  " + catalogue.text("text.crash-upload-\(state)", ["transfer": number]), .warning)
        if let error { line.append("  " + error, .faint) }
        return [.line(line)]
      }
      if state != TransferState.done.rawValue {
        line.append("  \(catalogue.text("text.crash-upload-failed")): \(code ?? error ?? state)", .bad)
        return [.line(line)]
      }
      line.append("  " + catalogue.text(duplicate ? "text.crash-upload-known" : "text.crash-upload-stored"), .good)
      if let id { line.append("  " + id, .faint) }
      if let group { line.append("  " + catalogue.text("text.crash-upload-group", ["group": group])) }
      return [.line(line)]
    }
  }

  let reports: [Row]
  /// Reports of earlier calls that waited and have arrived now.
  let earlier: [Row]
  let exit: ExitStatus

  private enum CodingKeys: String, CodingKey { case reports, earlier }

  init(_ uploads: ReportUploads) {
    reports = uploads.reports.map(Row.init)
    earlier = uploads.earlier.map(Row.init)
    exit = uploads.reports.lazy.compactMap(\.failure).first?.exit ?? .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(blocks: (reports + earlier).flatMap { $0.document(catalogue).blocks })
  }
}
