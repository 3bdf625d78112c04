import MPaaSSupport

/// Brings many files at once, each from the first of its places that has it.
///
/// One thread drives all transfers; over TLS they share connections where the server speaks HTTP/2. Proxies come from
/// the environment, as libcurl reads it.
package struct ParallelDownloads: Sendable {
  package let policy: DownloadPolicy
  private let agent: (name: String, settings: HTTPSettings)
  private let times: TransferTimes
  private let multis: CurlMultiPool

  /// - Parameters:
  ///   - userAgent: How the client names itself to servers.
  ///   - certificates: A file of certificates to trust instead of the system's.
  package init(
    policy: DownloadPolicy = DownloadPolicy(), userAgent: String, certificates: String? = nil,
    times: TransferTimes = .live
  ) {
    self.init(
      policy: policy, userAgent: userAgent, settings: HTTPSettings(certificates: certificates), times: times,
      pool: CurlMultiPool())
  }

  init(
    policy: DownloadPolicy, userAgent: String, settings: HTTPSettings, times: TransferTimes = .live,
    pool: CurlMultiPool = CurlMultiPool()
  ) {
    self.policy = policy
    agent = (userAgent, settings)
    self.times = times
    multis = pool
  }

  /// Brings all files; a cancelled task ends at once, and keeps what came where a job has a place for that.
  ///
  /// - Parameter progress: Told on the thread of the downloads, which it must not hold up.
  /// - Returns: For each job, in order, the answer that the file came with, or why it did not come.
  package func run(
    _ jobs: [DownloadJob], progress: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
  ) async -> [Result<HTTPResponse, HTTPError>] {
    guard let multi = multis.take(connectionsPerHost: policy.parallel) else {
      let reason = CurlMulti.missing ?? "curl_multi_init"
      return jobs.map { .failure(HTTPError(.noLibrary, url: $0.urls.first ?? "", reason: reason)) }
    }
    let signals = DownloadSignals(multi)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DetachedThread.run {
          let loop = DownloadLoop(
            jobs, policy, agent: agent, times, multi, signals, verify: { check in Task.detached { check() } },
            progress: progress)
          let results = loop.run()
          multis.giveBack(multi)
          continuation.resume(returning: results)
        }
      }
    } onCancel: {
      signals.cancel()
    }
  }

  /// Brings one file on the thread of the caller, and waits for it.
  func wait(
    for job: DownloadJob, isCancelled: () -> Bool = { false }, progress: @escaping (DownloadEvent) -> Void
  ) throws(HTTPError) -> HTTPResponse {
    let url = job.urls.first ?? ""
    guard let multi = multis.take(connectionsPerHost: policy.parallel) else {
      throw HTTPError(.noLibrary, url: url, reason: CurlMulti.missing ?? "curl_multi_init")
    }
    defer { multis.giveBack(multi) }
    let loop = DownloadLoop(
      [job], policy, agent: agent, times, multi, DownloadSignals(multi), verify: { check in check() },
      progress: progress)
    guard let result = loop.run(isCancelled: { Task.isCancelled || isCancelled() }).first else {
      throw HTTPError(.other, url: url)
    }
    return try result.get()
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
