extension RPCClient {
  /// Does a call that has passed all layers: from the cache, together with an equal one, or by asking the server.
  func exchange(_ call: RPCCall, _ record: CallRecord) async throws(RPCError) -> RPCResponse {
    let session = parts.session()
    guard !call.checkLogin || session?.isLoggedIn == true else { throw RPCError(.notLoggedIn) }
    let configuration = configurations.configuration(for: call)
    let plan = try CallPlan(call, configuration, trace: RPCTraceContext.current)
    record.note { facts in
      facts.host = plan.address.host
      facts.trace = plan.trace
      facts.sentBytes = plan.request.body?.count ?? 0
    }
    guard call.effect == .reads else {
      let response = try await attempts(plan, record)
      invalidate(call, plan, session)
      return RPCResponse(response, record)
    }
    let key = CacheKey(call, url: plan.request.url, user: session?.userID)
    guard let cache = parts.cache, configuration.caches else { return try await shared(plan, key, record) }
    return try await cached(plan, key, cache, record)
  }

  /// Forgets answers that a change has made old.
  private func invalidate(_ call: RPCCall, _ plan: CallPlan, _ session: RPCSession?) {
    guard case .http = call.form else { return }
    parts.cache?.invalidate(url: plan.request.url, user: session?.userID)
  }

  /// Asks the server together with equal calls that are under way.
  func shared(_ plan: CallPlan, _ key: CacheKey, _ record: CallRecord) async throws(RPCError) -> RPCResponse {
    guard plan.configuration.sharesReads, plan.call.sent == nil, plan.call.received == nil else {
      return RPCResponse(try await attempts(plan, record), record)
    }
    let flight = FlightTable.Key(request: key, headers: plan.sharedHeaders)
    let (result, isShared) = await flights.join(flight, deadline: record.deadline) {
      do throws(RPCError) { return .success(try await self.attempts(plan, record)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let response):
      var answer = RPCResponse(response, record)
      if isShared { (answer.source, answer.attempts) = (.shared, 0) }
      return answer
    case .failure(let error):
      // The other call had less time, or was not wanted any more.
      let isOthers = isShared && (error.code == .timedOut || error.code == .cancelled) && !Task.isCancelled
      guard isOthers, parts.clock.uptime() < record.deadline else { throw error }
      return RPCResponse(try await attempts(plan, record), record)
    }
  }
}

extension RPCResponse {
  init(_ response: RPCTransport.Response, _ record: CallRecord) {
    self.init(
      status: response.status, headers: response.headers, body: response.body,
      resultCode: RPCResultCode(field: response.headers["result-status"]))
    record.note { attempts = $0.attempts }
  }
}

extension RPCResultCode {
  init?(field: String?) {
    guard let field, let number = Int(field) else { return nil }
    self.init(rawValue: number)
  }
}
