/// The layers of a client around the exchange with the server.
struct MiddlewareChain: Sendable {
  let layers: [any RPCMiddleware]

  /// Passes a call through all layers to `exchange`, and its answer back.
  func run(
    _ call: RPCCall, _ exchange: @Sendable (RPCCall) async throws(RPCError) -> RPCResponse
  ) async throws(RPCError) -> RPCResponse {
    try await pass(0, call, exchange)
  }

  private func pass(
    _ index: Int, _ call: RPCCall, _ exchange: @Sendable (RPCCall) async throws(RPCError) -> RPCResponse
  ) async throws(RPCError) -> RPCResponse {
    guard index < layers.count else { return try await exchange(call) }
    let layer = layers[index]
    var isSecond = false
    while true {
      var changed = call
      try await layer.before(&changed)
      var response: RPCResponse
      do throws(RPCError) {
        response = try await pass(index + 1, changed, exchange)
      } catch {
        switch try await layer.failed(error, in: changed) {
        case .fail: throw error
        case .respond(let answer): return answer
        case .again:
          guard !isSecond, !Task.isCancelled else { throw error }
          isSecond = true
          continue
        }
      }
      try await layer.after(&response, to: changed)
      return response
    }
  }
}
