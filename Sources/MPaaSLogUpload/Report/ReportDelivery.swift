package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
public import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fate of a report in a queue.
public struct ReportDelivery: Sendable {
  /// Its number in the queue.
  public let id: TransferID
  /// The file that it was read from.
  public let path: String
  /// `done` once the server has stored and verified it; `failed` where the server does not take it.
  public let state: TransferState
  /// The server's receipt for the stored report.
  package let receipt: Receipt?
  /// The reason why it is not there.
  package let error: LogError?

  package init(_ record: TransferRecord) {
    id = record.id
    path = record.transfer.source ?? record.transfer.file
    state = record.state
    receipt = record.state == .done ? record.answer.flatMap { Receipt(json: Array($0.utf8)) } : nil
    error = LogError(record)
  }

  /// The stable word of what is wrong; of a server's refusal the server's own word.
  public var word: String? {
    guard let error else { return nil }
    return error.values["code"].flatMap { $0.isEmpty ? nil : $0 } ?? error.code.id.name
  }
}

extension LogError {
  /// The reason why the transfer of a report is not done; nil where nothing has gone wrong so far.
  init?(_ record: TransferRecord) {
    guard record.state != .done, let word = record.error else { return nil }
    let url = record.transfer.url
    if ["server-refused", "server-failed", "transfer-oversize"].contains(word), let status = record.status {
      let reply = HTTPReply(status: status, body: Array((record.answer ?? "").utf8))
      self.init(refusal: reply, url)
      return
    }
    let isLater = ["server-timed-out", "server-failed", "transfer-unconfirmed"].contains(word)
    let exit = record.exit.map { ExitStatus(rawValue: $0) } ?? (isLater ? .tryAgain : .unreachable)
    let path = record.transfer.source ?? record.transfer.file
    self.init(
      LogError.Code(DiagnosticID(word), exit: exit), ["url": url, "reason": record.reason ?? "", "path": path])
  }
}

extension Receipt {
  init?(json: [UInt8]) {
    guard let receipt = try? JSONDecoder().decode(Receipt.self, from: Data(json)) else { return nil }
    self = receipt
  }
}
