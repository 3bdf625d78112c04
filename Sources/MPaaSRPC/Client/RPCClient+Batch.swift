extension RPCClient {
  /// Sends several calls at the same time over few connections, and waits for all of them.
  ///
  /// Each passes the layers, and is repeated, by itself: one that fails takes no other along.
  ///
  /// - Parameters:
  ///   - calls: The calls.
  ///   - width: The most calls that are under way at a time.
  /// - Returns: The outcomes in the order of the calls.
  public func sendAll(_ calls: [RPCCall], width: Int = 6) async -> [Result<RPCResponse, RPCError>] {
    await withTaskGroup(of: (Int, Result<RPCResponse, RPCError>).self) { group in
      var outcomes = [Result<RPCResponse, RPCError>](repeating: .failure(RPCError(.cancelled)), count: calls.count)
      var waiting = calls.enumerated().makeIterator()
      for _ in 0..<min(max(width, 1), calls.count) {
        guard let (index, call) = waiting.next() else { break }
        group.addTask { (index, await self.outcome(of: call)) }
      }
      while let (index, outcome) = await group.next() {
        outcomes[index] = outcome
        guard let (next, call) = waiting.next() else { continue }
        group.addTask { (next, await self.outcome(of: call)) }
      }
      return outcomes
    }
  }

  private func outcome(of call: RPCCall) async -> Result<RPCResponse, RPCError> {
    do throws(RPCError) { return .success(try await send(call)) } catch { return .failure(error) }
  }

  /// Calls an operation with several lists of arguments at the same time.
  ///
  /// - Returns: The results in the order of the lists.
  /// - Throws: The error of the first call of the list that failed, once all have ended.
  public func callAll<Value>(
    _ method: RPCMethod<Value>, _ arguments: [[any Encodable & Sendable]], width: Int = 6
  ) async throws(RPCError) -> [Value] {
    var calls: [RPCCall] = []
    for list in arguments { calls.append(try method.call(with: list)) }
    var values: [Value] = []
    for outcome in await sendAll(calls, width: width) {
      values.append(try outcome.get().value(Value.self))
    }
    return values
  }
}
