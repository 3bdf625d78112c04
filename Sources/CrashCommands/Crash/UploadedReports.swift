import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// What `mpaas crash upload` brought to the server.
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
    let failure: Diagnostic?

    private enum CodingKeys: String, CodingKey { case path, id, group, duplicate, state, transfer, error, code, reason }

    /// - Parameter isSecond: Whether the same report was named before.
    init(_ delivery: ReportDelivery, at path: String, isSecond: Bool = false) {
      self.path = path
      let receipt = delivery.receipt
      (id, group) = (receipt?.id, receipt?.group)
      duplicate = receipt?.duplicate == true || (isSecond && delivery.state == .done)
      state = delivery.state.rawValue
      transfer = delivery.id.rawValue
      error = delivery.error?.code.id.name
      code = delivery.error?.values["code"].flatMap { $0.isEmpty ? nil : $0 }
      reason = delivery.error?.values["reason"].flatMap { $0.isEmpty ? nil : $0 }
      // What a rule of the device holds back has no error.
      failure =
        delivery.error?.diagnostic
        ?? (delivery.state == .done ? nil : Diagnostic("report-waits", ["path": path], exit: .tryAgain))
    }

    init(_ path: String, _ failure: Diagnostic) {
      self.path = path
      (id, group, duplicate) = (nil, nil, false)
      (state, transfer) = (TransferState.failed.rawValue, nil)
      error = failure.id.name
      (code, reason) = (nil, nil)
      self.failure = failure
    }

    /// Whether it may still come to the server.
    var isQueued: Bool {
      [.waiting, .active, .paused].contains(TransferState(rawValue: state))
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

  var reports: [Row] = []
  /// Reports of earlier calls that waited and have arrived now.
  var earlier: [Row] = []

  var exit: ExitStatus { reports.compactMap(\.failure).first?.exit ?? .done }

  func document(_ catalogue: Catalogue) -> Document {
    Document(blocks: (reports + earlier).flatMap { $0.document(catalogue).blocks })
  }
}
