extension RPCClient {
  /// Asks the server, as often as the policy, the budget and the time allow.
  func attempts(
    _ plan: CallPlan, _ record: CallRecord, conditions: [String: String] = [:]
  ) async throws(RPCError) -> RPCTransport.Response {
    let policy = plan.configuration.retry
    parts.budget.deposit()
    var attempt = 0
    while true {
      attempt += 1
      do throws(RPCError) {
        return try await hedged(plan, record, conditions)
      } catch {
        guard attempt < policy.attempts, plan.call.isRepeatable, error.isWorthRetrying, !Task.isCancelled else {
          throw error
        }
        let pause = policy.pause(after: attempt, wish: error.retryAfter, chance: parts.clock.chance())
        guard parts.clock.uptime() + pause < record.deadline, parts.budget.withdraw() else { throw error }
        do { try await parts.clock.sleep(pause) } catch { throw RPCError(.cancelled) }
      }
    }
  }

  /// Sends a request and, where its answer is late, a second one beside it.
  private func hedged(
    _ plan: CallPlan, _ record: CallRecord, _ conditions: [String: String]
  ) async throws(RPCError) -> RPCTransport.Response {
    guard let policy = plan.configuration.hedge, plan.call.isRepeatable,
      let delay = latencies.delay(policy, of: plan.call.operationType)
    else { return try await timed(plan, record, conditions) }
    let result = await withTaskGroup(of: HedgeLeg.self) { group -> Result<RPCTransport.Response, RPCError> in
      let send: @Sendable () async -> HedgeLeg = {
        do throws(RPCError) { return .ended(.success(try await self.timed(plan, record, conditions))) } catch {
          return .ended(.failure(error))
        }
      }
      group.addTask(operation: send)
      let clock = parts.clock
      group.addTask { await (try? clock.sleep(delay)) == nil ? .idle : .isLate }
      var running = 1
      while let leg = await group.next() {
        switch leg {
        case .idle: continue
        case .isLate:
          guard parts.budget.withdraw() else { continue }
          record.note { $0.isHedged = true }
          running += 1
          group.addTask(operation: send)
        case .ended(let result):
          running -= 1
          // While another is under way, a failure decides nothing.
          if case .failure = result, running > 0 { continue }
          group.cancelAll()
          return result
        }
      }
      return .failure(RPCError(.cancelled))
    }
    return try result.get()
  }

  /// Sends a request, and learns how long its answer took.
  private func timed(
    _ plan: CallPlan, _ record: CallRecord, _ conditions: [String: String]
  ) async throws(RPCError) -> RPCTransport.Response {
    let begin = parts.clock.uptime()
    let response = try await guarded(plan, record, conditions)
    if plan.configuration.hedge != nil {
      latencies.add(parts.clock.uptime() - begin, of: plan.call.operationType)
    }
    return response
  }

  /// Sends a request where the circuit to its host is closed, and counts how it ended.
  private func guarded(
    _ plan: CallPlan, _ record: CallRecord, _ conditions: [String: String]
  ) async throws(RPCError) -> RPCTransport.Response {
    guard let policy = plan.configuration.breaker else { return try await once(plan, record, conditions) }
    let host = plan.address.origin
    if let wait = circuits.admit(host, policy, at: parts.clock.uptime()) {
      let seconds = String(max(wait.components.seconds, 1))
      throw RPCError(.circuitOpen, ["host": plan.address.host, "seconds": seconds], retryAfter: wait)
    }
    do throws(RPCError) {
      let response = try await once(plan, record, conditions)
      circuits.count(nil, host, policy, at: parts.clock.uptime())
      return response
    } catch {
      circuits.count(error, host, policy, at: parts.clock.uptime())
      throw error
    }
  }

  /// Sends a request once.
  private func once(
    _ plan: CallPlan, _ record: CallRecord, _ conditions: [String: String]
  ) async throws(RPCError) -> RPCTransport.Response {
    guard !Task.isCancelled else { throw RPCError(.cancelled) }
    let clock = parts.clock
    let left = record.deadline - clock.uptime()
    guard left > .zero else { throw RPCError(.timedOut) }
    let request = try plan.attempt(parts.signer, now: clock.now(), left: left, conditions: conditions)
    record.note { facts in
      facts.attempts += 1
      facts.sentBytes = request.body?.count ?? 0
    }
    var response = try await parts.transport(request)
    record.note { $0.receivedBytes += response.body.count }
    guard response.body.count <= plan.configuration.answerLimit else {
      throw RPCError(.tooLarge, ["limit": String(plan.configuration.answerLimit)])
    }
    try RPCContentCoding.decode(&response, limit: plan.configuration.answerLimit)
    try Self.check(response, isConditional: !conditions.isEmpty || plan.isConditional, now: clock.now())
    return response
  }
}

/// The end of a part of a call that has two requests.
private enum HedgeLeg: Sendable {
  case ended(Result<RPCTransport.Response, RPCError>)
  /// The answer is later than most are.
  case isLate
  case idle
}
