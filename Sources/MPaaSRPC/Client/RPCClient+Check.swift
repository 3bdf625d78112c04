import MPaaSSupport

extension RPCClient {
  /// Tells answers that do what was asked from all others, by their status and the gateway's code.
  ///
  /// - Throws: `rpc-result`, `rpc-refused`, `rpc-failed`.
  static func check(_ response: RPCTransport.Response, isConditional: Bool, now: Double) throws(RPCError) {
    let result = RPCResultCode(field: response.headers["result-status"])
    let isDone = 200..<300 ~= response.status || (isConditional && response.status == 304)
    if isDone, result == nil || result == .success { return }
    let answer = RPCResponse(
      status: response.status, headers: response.headers, body: response.body, resultCode: result)
    let wait = retryAfter(response.headers["retry-after"], now: now)
    let values = ["status": String(response.status)]
    if let result, result != .success {
      throw RPCError(.gateway, resultCode: result, response: answer, retryAfter: wait)
    }
    let code: RPCError.Code = 300..<500 ~= response.status ? .refused : .failed
    throw RPCError(code, values, resultCode: result, response: answer, retryAfter: wait)
  }

  /// The longest time that a server may ask not to be asked again.
  static let longestWait = TimeSpan.seconds(3600)

  /// The time that a server wants not to be asked again: seconds, or a date.
  ///
  /// - Source: RFC 9110, 10.2.3.
  static func retryAfter(_ field: String?, now: Double) -> TimeSpan? {
    guard let field else { return nil }
    if let seconds = UInt32(field) { return min(.seconds(seconds), longestWait) }
    return HTTPDate.seconds(field).map { min(max(.seconds($0 - now), .zero), longestWait) }
  }
}
