extension RPCClient {
  /// Answers from the cache where that is allowed, else asks the server and keeps its answer.
  ///
  /// - Source: RFC 9111, 4.
  func cached(
    _ plan: CallPlan, _ key: CacheKey, _ cache: RPCCache, _ record: CallRecord
  ) async throws(RPCError) -> RPCResponse {
    let request = CacheControl(plan.header("cache-control"))
    let isHeuristic = plan.call.form != .operation
    // A call for a part, or for a named version, goes to the server.
    let isPlain = ["range", "if-none-match", "if-modified-since", "if-match", "if-range"]
      .allSatisfy { plan.header($0) == nil }
    let known = isPlain ? cache.answer(key, plan.request.headers) : nil
    let now = parts.clock.now()
    if let known, plan.call.usesCache {
      switch known.use(request, at: now, isHeuristic: isHeuristic) {
      case .fresh: return RPCResponse(known, .cache, at: now)
      case .staleWhileAsking:
        revalidate(plan, key, cache, known)
        return RPCResponse(known, .stale, at: now)
      case .validate: break
      }
    }
    if request.has("only-if-cached") {
      let answer = RPCResponse(status: 504)
      throw RPCError(.failed, ["status": "504"], response: answer)
    }
    return try await asked(plan, key, cache, known, record, request)
  }

  private func asked(
    _ plan: CallPlan, _ key: CacheKey, _ cache: RPCCache, _ known: KeptAnswer?, _ record: CallRecord,
    _ request: CacheControl
  ) async throws(RPCError) -> RPCResponse {
    let isHeuristic = plan.call.form != .operation
    do throws(RPCError) {
      guard let known, !known.conditions.isEmpty else {
        let sent = parts.clock.now()
        let response = try await shared(plan, key, record)
        keep(response, plan, key, cache, sent: sent)
        return response
      }
      return try await validated(plan, key, cache, known, record)
    } catch {
      if let known, error.isPassing, known.standsIn(request, at: parts.clock.now(), isHeuristic: isHeuristic) {
        return RPCResponse(known, .stale, at: parts.clock.now())
      }
      throw error
    }
  }

  /// Asks whether a kept answer is still good.
  private func validated(
    _ plan: CallPlan, _ key: CacheKey, _ cache: RPCCache, _ known: KeptAnswer, _ record: CallRecord
  ) async throws(RPCError) -> RPCResponse {
    let sent = parts.clock.now()
    let response = try await attempts(plan, record, conditions: known.conditions)
    let received = parts.clock.now()
    guard response.status == 304 else {
      let answer = RPCResponse(response, record)
      keep(answer, plan, key, cache, sent: sent)
      return answer
    }
    let fresh = known.freshened(by: response.headers, requestTime: sent, responseTime: received)
    if fresh.isStorable(CacheControl(plan.header("cache-control")), isExplicit: plan.call.form == .operation) {
      cache.keep(fresh, key, plan.request.headers, at: received)
    } else {
      cache.remove(key)
    }
    var answer = RPCResponse(fresh, .validated, at: received)
    record.note { answer.attempts = $0.attempts }
    return answer
  }

  private func keep(_ response: RPCResponse, _ plan: CallPlan, _ key: CacheKey, _ cache: RPCCache, sent: Double) {
    guard response.source == .network else { return }
    let now = parts.clock.now()
    let answer = KeptAnswer(
      status: response.status, headers: response.headers, body: response.body, requestTime: sent, responseTime: now)
    let request = CacheControl(plan.header("cache-control"))
    if answer.isStorable(request, isExplicit: plan.call.form == .operation) {
      cache.keep(answer, key, plan.request.headers, at: now)
    } else if !request.has("no-store"), response.status != 206, response.status != 304 {
      cache.remove(key)
    }
  }

  /// Asks for a new answer while the old one is given out; one such question a time for each answer.
  private func revalidate(_ plan: CallPlan, _ key: CacheKey, _ cache: RPCCache, _ known: KeptAnswer) {
    guard flights.beginRevalidation(key) else { return }
    let record = CallRecord(begin: parts.clock.uptime(), timeout: plan.configuration.timeout)
    Task {
      _ = try? await self.validated(plan, key, cache, known, record)
      self.flights.endRevalidation(key)
    }
  }
}

extension CallPlan {
  /// The value of a field of the request, by its name in lower case.
  func header(_ name: String) -> String? {
    request.headers.first { $0.key.lowercased() == name }?.value
  }
}

extension RPCResponse {
  init(_ answer: KeptAnswer, _ source: Source, at now: Double) {
    var headers = answer.headers
    headers["age"] = String(Int(min(answer.age(at: now), 2_147_483_648)))
    self.init(
      status: answer.status, headers: headers, body: answer.body,
      resultCode: RPCResultCode(field: headers["result-status"]))
    self.source = source
    attempts = 0
  }
}
