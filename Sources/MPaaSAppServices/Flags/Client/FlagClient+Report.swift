import MPaaSSupport
import MPaaSTime

extension FlagClient {
  /// Tells the server of this client; what fails is tried again with the next report.
  func register() async {
    guard !isRegistered else { return }
    let interval = configuration.pace.metrics.milliseconds / 1000
    let body = report.registration(started: countedSince, interval: interval)
    let response = try? await post("client/register", body)
    isRegistered = isRegistered || [200, 202].contains(response?.status)
  }

  /// Sends the counts and numbers that the server does not have yet.
  ///
  /// Counts that it does not take are kept for the next time; listeners are told of a failure.
  public func flush() async {
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    if !isRegistered { await register() }
    close()
    var numbers = impact.take()
    while buckets.first != nil || numbers != nil {
      let hasBucket = buckets.first != nil
      do throws(FlagFetchFailure) {
        try await send(buckets.first, numbers)
      } catch {
        if let numbers { impact.restore(numbers) }
        reportWait = error.wait ?? .zero
        listeners.tell(.failed(error.error))
        return
      }
      if hasBucket { buckets.removeFirst() }
      numbers = nil
    }
    reportWait = .zero
  }

  /// Puts what was counted since the last time into a bucket.
  private func close() {
    // The clock may have been set back.
    let now = max(configuration.clock.now(), countedSince)
    buckets.append(FlagBucket(start: countedSince, stop: now, counts: counter.take()))
    countedSince = now
  }

  private func send(_ bucket: FlagBucket?, _ numbers: [String: ImpactMetric]?) async throws(FlagFetchFailure) {
    let path = "client/metrics"
    let response = try await post(path, report.metrics(bucket, numbers))
    let url = configuration.address(path)
    switch response.status {
    case 200...299: return
    // It would never be taken.
    case 400, 413, 422: listeners.tell(.failed(FlagFetchFailure(response, url, at: configuration.clock.now()).error))
    default: throw FlagFetchFailure(response, url, at: configuration.clock.now())
    }
  }

  private func post(_ path: String, _ body: [UInt8]) async throws(FlagFetchFailure) -> FlagResponse {
    let url = configuration.address(path)
    let headers = fields + [("unleash-interval", String(configuration.pace.metrics.milliseconds))]
    let timeout = configuration.pace.timeout
    return try await send(FlagRequest("POST", url, headers: headers, body: body, timeout: timeout), url)
  }
}
