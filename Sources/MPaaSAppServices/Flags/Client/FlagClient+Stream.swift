import MPaaSSupport
import MPaaSTime
import MPaaSTransfer

/// The end of a part of the work on a stream.
private enum StreamEnd: Sendable {
  /// The transport is done; nil where the server closed the stream in order.
  case closed(FlagFetchFailure?)
  /// All events that came were taken.
  case drained
  /// No byte came for too long.
  case silent
  /// An event was refused.
  case refused(AppServiceError)
}

extension FlagClient {
  /// Follows a stream until it ends.
  ///
  /// - Returns: The pause until the next step.
  func stream() async -> TimeSpan {
    let (pace, clock, url) = (configuration.pace, configuration.clock, configuration.address("client/streaming"))
    let began = clock.uptime()
    let inbox = StreamInbox(clock)
    let failure = failure(await follow(inbox, url, for: ticket), inbox, url)
    guard !Task.isCancelled else { return .zero }
    if let failure { listeners.tell(.failed(failure.error)) }
    let isSteady = clock.uptime() - began >= pace.steadyStream
    progress.streamFailures = isSteady ? 1 : progress.streamFailures + 1
    let isOver = failure?.isAbsence == true || progress.streamFailures >= pace.streamAttempts
    let wait = failure?.wait ?? .zero
    guard isOver else {
      // All devices lose a server at the same time, and must not come back so.
      let pause = pace.firstRetry * (1 << min(progress.streamFailures - 1, 20)) * (1 + configuration.random())
      let asked = min(inbox.retry ?? .zero, FlagResponse.longestWait)
      return max(min(pause, pace.longestRetry), max(wait, asked))
    }
    progress.streamFailures = 0
    progress.streamAfter = clock.uptime() + pace.streamRetry
    return max(pace.firstRetry * configuration.random(), wait)
  }

  private func follow(_ inbox: StreamInbox, _ url: String, for ticket: UserTicket) async -> StreamEnd {
    var headers = fields + [("Accept", "text/event-stream"), ("Cache-Control", "no-cache")]
    let eventID = holding?.eventID
    if let eventID { headers.append(("Last-Event-ID", eventID)) }
    let request = FlagRequest("GET", url, headers: headers)
    return await withTaskGroup(of: StreamEnd.self) { group in
      group.addTask { await self.open(request, inbox) }
      group.addTask { [pace = configuration.pace] in
        (try? await inbox.waitForSilence(pace.silence)) == nil ? .drained : .silent
      }
      group.addTask { await self.consume(inbox, isContinued: eventID != nil, for: ticket) }
      var end = StreamEnd.closed(nil)
      for await next in group {
        // Events that came before the stream was closed are taken first.
        if case .closed = next {
          end = next
          continue
        }
        if case .drained = next {} else { end = next }
        break
      }
      group.cancelAll()
      return end
    }
  }

  private nonisolated func open(_ request: FlagRequest, _ inbox: StreamInbox) async -> StreamEnd {
    defer { inbox.finish() }
    do {
      let response = try await transport.stream(request) { inbox.receive($0) }
      let isClosed = response.status == 200
      return .closed(isClosed ? nil : FlagFetchFailure(response, request.url, at: configuration.clock.now()))
    } catch { return .closed(FlagFetchFailure(error, request.url)) }
  }

  /// Takes the events of a stream one by one.
  ///
  /// - Parameter isContinued: Whether the server goes on where the state at hand ends.
  private func consume(_ inbox: StreamInbox, isContinued: Bool, for ticket: UserTicket) async -> StreamEnd {
    var isContinued = isContinued
    for await event in inbox.events {
      if ["unleash-connected", "unleash-updated"].contains(event.type) {
        do throws(AppServiceError) {
          if try take(event, isContinued: isContinued, for: ticket) { isContinued = true }
        } catch {
          // The next stream begins with a whole state.
          if ticket == self.ticket { holding?.eventID = nil }
          return .refused(error)
        }
      }
      inbox.done(event)
    }
    return .drained
  }

  /// The failure that an end stands for; nil where the server closed the stream in order.
  private func failure(_ end: StreamEnd, _ inbox: StreamInbox, _ url: String) -> FlagFetchFailure? {
    if inbox.isBroken {
      return FlagFetchFailure(error: AppServiceError(HTTPError(.tooLarge(limit: UInt64(StreamInbox.limit)), url: url)))
    }
    switch end {
    case .closed(let failure): return failure
    case .drained: return nil
    case .refused(let error): return FlagFetchFailure(error: error)
    case .silent:
      let reason = "no byte for \(configuration.pace.silence)"
      return FlagFetchFailure(error: AppServiceError(HTTPError(.timedOut, url: url, reason: reason)))
    }
  }
}
