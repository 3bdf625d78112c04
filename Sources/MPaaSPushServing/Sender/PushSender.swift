import MPaaSLock
package import MPaaSPush
import MPaaSSupport
import NIOCore
import NIOPosix

/// Sends notifications to a provider, over as many connections as are wanted.
///
/// A connection opens one stream until the first answer, then as many as the server allows at the time. Notifications that
/// the server has not processed for sure are sent again, over another connection; those that it has not answered for sure
/// are never.
package struct PushSender: Sendable {
  /// The manner of sending.
  package struct Options: Sendable {
    package var connections = 1
    /// The most notifications that are under way on a connection.
    package var streams = 1000
    /// Seconds after which an unanswered notification counts as unknown.
    package var patience = 30.0
    /// The most notifications in a second; nil for no limit.
    package var rate: Double?
    package var backoff = PushBackoff()
    /// True to give back what the provider is too busy for, in place of trying it again.
    ///
    /// The job ends as failed, with the pause that is asked for, and all that were not sent as unsent. A provider that
    /// cannot be reached is not tried again either.
    package var leavesRefusals = false
    /// A number from 0 to 1, another one each time.
    package var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }

    package init() {}
  }

  private let provider: any PushProvider
  private let connector: PushConnector
  private let options: Options

  package init(_ provider: APNsProvider, to address: PushAddress, trust: PushTrust, options: Options = Options()) {
    self.init(any: provider, to: address, trust: trust, options: options)
  }

  package init(_ provider: FCMProvider, to address: PushAddress, trust: PushTrust, options: Options = Options()) {
    self.init(any: provider, to: address, trust: trust, options: options)
  }

  private init(any provider: any PushProvider, to address: PushAddress, trust: PushTrust, options: Options) {
    self.provider = provider
    self.options = options
    connector = PushConnector(address: address, trust: trust)
  }

  /// Sends jobs, and returns when each has come to an end.
  ///
  /// - Parameter each: Told the end of each job, in any order, on other threads.
  /// - Throws: `push-unreachable` where no connection could be opened at all; no job has been sent, or told, then.
  package func send(_ jobs: [PushJob], each: @escaping @Sendable (PushResult) -> Void) async throws(PushError) {
    guard !jobs.isEmpty else { return }
    let ends = EndKeeper(each)
    let queue = queue(jobs, isOpen: false, ends)
    if let failure = await lanes(queue, ends), !ends.hasBegun { throw failure }
    queue.end(with: .unsent("Unreachable"))
    await queue.finished()
  }

  /// Makes a flow that jobs are added to.
  ///
  /// - Parameter each: Told the end of each job, in any order, on other threads.
  package func flow(each: @escaping @Sendable (PushResult) -> Void) -> PushFlow {
    let ends = EndKeeper(each)
    return PushFlow(self, queue([], isOpen: true, ends), ends)
  }

  private func queue(_ jobs: [PushJob], isOpen: Bool, _ ends: EndKeeper) -> PushQueue {
    PushQueue(
      jobs, isOpen: isOpen, rate: options.rate, backoff: options.backoff, leavesRefusals: options.leavesRefusals,
      jitter: options.jitter, each: ends.keep)
  }

  /// Keeps all connections open as long as there are jobs.
  ///
  /// - Returns: The first failure of one that gave up.
  func lanes(_ queue: PushQueue, _ ends: EndKeeper) async -> PushError? {
    await withTaskGroup(of: PushError?.self) { group in
      for _ in 0..<max(1, options.connections) { group.addTask { await lane(queue, ends) } }
      return await group.reduce(into: PushError?.none) { first, failure in first = first ?? failure }
    }
  }

  /// Keeps a connection open as long as there are jobs.
  ///
  /// - Returns: The last failure, where it gave up.
  private func lane(_ queue: PushQueue, _ ends: EndKeeper) async -> PushError? {
    var limits = PushConnection.Limits()
    limits.streams = max(1, options.streams)
    limits.patience = .nanoseconds(Int64(options.patience * 1e9))
    var failures = 0
    var last = PushError(.unreachable, ["address": connector.address.authority, "reason": "no answers"])
    while !queue.isDone {
      do throws(PushError) {
        let retired = try await connector.connect(queue, provider, limits: limits)
        ends.begin()
        failures = (try? await retired.get()) ?? 0 > 0 ? 0 : failures + 1
      } catch {
        last = error
        failures += 1
      }
      guard failures > 0, !queue.isDone else { continue }
      guard failures < (options.leavesRefusals ? 1 : options.backoff.attempts) else { return last }
      let seconds = options.backoff.wait(after: failures, retryAfter: nil, jitter: options.jitter())
      try? await Task.sleep(for: .seconds(seconds))
    }
    return nil
  }
}

/// Keeps whether anything was sent, beside telling the ends of jobs.
final class EndKeeper: Sendable {
  private let isBegun = AtomicFlag(false)
  private let each: @Sendable (PushResult) -> Void

  init(_ each: @escaping @Sendable (PushResult) -> Void) { self.each = each }

  var hasBegun: Bool { isBegun.load() }
  func begin() { isBegun.store(true) }
  @Sendable func keep(_ result: PushResult) { each(result) }
}
