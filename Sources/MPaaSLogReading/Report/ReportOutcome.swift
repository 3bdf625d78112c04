package import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
package import MPaaSSupport
import MPaaSTransfer

/// The outcome of bringing a file to a server as a report.
package struct ReportOutcome: Sendable {
  package let path: String
  /// The queue's knowledge of it; nil where it did not come into the queue.
  package let delivery: ReportDelivery?
  /// The reason why it is not there; what a rule of the device holds back has none.
  package let error: Diagnostic?
  private let isSecond: Bool

  /// - Parameter isSecond: True where the same report was named before.
  init(_ delivery: ReportDelivery, at path: String, isSecond: Bool = false) {
    self.path = path
    self.delivery = delivery
    error = delivery.error?.diagnostic
    self.isSecond = isSecond
  }

  /// A file that was refused.
  init(_ path: String, _ error: Diagnostic) {
    self.path = path
    delivery = nil
    self.error = error
    isSecond = false
  }

  /// True once the server has stored and verified it.
  package var isDone: Bool { delivery?.state == .done }

  /// True while it may still come to the server.
  package var isQueued: Bool {
    switch delivery?.state {
    case .waiting, .active, .paused: true
    case .done, .failed, .cancelled, nil: false
    }
  }

  /// True where the server had the same report already.
  package var isDuplicate: Bool { delivery?.receipt?.duplicate == true || (isSecond && isDone) }

  /// The error, or that it waits; nil for a report that is there.
  package var failure: Diagnostic? {
    error ?? (isDone ? nil : LogError(.reportWaits, ["path": path]).diagnostic)
  }
}

extension LogError.Code {
  /// A rule of the device holds a report back.
  package static var reportWaits: Self { LogError.Code("report-waits", exit: .tryAgain) }
}
