import MPaaSSupport
import MPaaSTime

extension FlagClient {
  /// Begins to follow the server, and to report counts; a second call changes nothing.
  ///
  /// A client on a stream stays alive until `stop()`.
  public func start() {
    guard worker == nil else { return }
    restart()
    guard configuration.pace.metrics > .zero else { return }
    reporter = Task { [weak self, clock = configuration.clock] in
      await self?.register()
      while !Task.isCancelled {
        guard let pause = await self?.reportPause, (try? await clock.sleep(pause)) != nil else { return }
        await self?.flush()
      }
    }
  }

  /// The pause until the next report of counts.
  private var reportPause: TimeSpan {
    max(configuration.pace.spread(configuration.pace.metrics, configuration.random()), reportWait)
  }

  /// Ends all work; counts that are not reported yet are sent first.
  public func stop() async {
    let reporter = reporter
    worker?.cancel()
    reporter?.cancel()
    (worker, self.reporter) = (nil, nil)
    await reporter?.value
    if configuration.pace.metrics > .zero { await flush() }
  }

  /// Follows the server anew, for the user of now.
  func restart() {
    worker?.cancel()
    progress = FlagProgress()
    worker = Task { [weak self, clock = configuration.clock] in
      while !Task.isCancelled {
        guard let pause = await self?.step() else { return }
        guard (try? await clock.sleep(pause)) != nil else { return }
      }
    }
  }

  /// One stream or one question.
  ///
  /// - Returns: The pause until the next one; nil where the work no longer counts.
  private func step() async -> TimeSpan? {
    let ticket = ticket
    let pause = isStreamDue ? await stream() : await poll()
    return ticket == self.ticket && !Task.isCancelled ? pause : nil
  }

  /// Tells whether the next step is a stream.
  private var isStreamDue: Bool {
    guard configuration.updates == .streaming, !configuration.trust.isSigned else { return false }
    return progress.streamAfter.map { configuration.clock.uptime() >= $0 } ?? true
  }

  /// Asks the server once, and tells the failure.
  private func poll() async -> TimeSpan {
    let (pace, random) = (configuration.pace, configuration.random())
    do throws(FlagFetchFailure) {
      try await fetch()
      // The course is that of another user, or of a new start.
      guard !Task.isCancelled else { return .zero }
      progress.failures = 0
      progress.hasAnswered = true
      return untilStream(pace.spread(pace.interval, random))
    } catch {
      guard !Task.isCancelled else { return .zero }
      progress.failures += 1
      listeners.tell(.failed(error.error))
      return untilStream(
        pace.pause(failures: progress.failures, hasAnswered: progress.hasAnswered, wait: error.wait, random))
    }
  }

  /// The pause, or the shorter one until the stream is tried again.
  private func untilStream(_ pause: TimeSpan) -> TimeSpan {
    guard configuration.updates == .streaming, let moment = progress.streamAfter else { return pause }
    return min(pause, max(moment - configuration.clock.uptime(), .zero))
  }
}
