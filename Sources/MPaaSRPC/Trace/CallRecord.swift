import MPaaSLock

/// The facts of a call while it is on its way, of which its span is made.
final class CallRecord: Sendable {
  struct Facts {
    var attempts = 0
    var isHedged = false
    var host = ""
    var sentBytes = 0
    var receivedBytes = 0
    var status: Int?
    var trace: RPCTraceContext?
  }

  /// The time since a fixed moment at which the call ends, whatever is under way.
  let deadline: TimeSpan
  let begin: TimeSpan
  private let facts = Lock(Facts())

  init(begin: TimeSpan, timeout: TimeSpan) {
    self.begin = begin
    deadline = begin + timeout
  }

  func note(_ change: (inout Facts) -> Void) { facts.withLock { change(&$0) } }

  func span(_ operation: String, start: Double, end: TimeSpan, _ result: Result<RPCResponse, RPCError>) -> RPCSpan {
    let facts = facts.withLock { $0 }
    var span = RPCSpan(
      operation: operation, host: facts.host, start: start, duration: end - begin, status: facts.status,
      resultCode: nil, error: nil, attempts: facts.attempts, isHedged: facts.isHedged, source: .network,
      sentBytes: facts.sentBytes, receivedBytes: facts.receivedBytes, trace: facts.trace)
    switch result {
    case .success(let response):
      (span.status, span.source) = (response.status, response.source)
      span.resultCode = response.resultCode?.rawValue
    case .failure(let error):
      span.error = error.code.id
      span.resultCode = error.resultCode?.rawValue
      if let response = error.response { span.status = response.status }
    }
    return span
  }
}
