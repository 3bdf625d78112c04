/// Plays a timeline: at each of its moments what then holds is put in force.
///
/// The times are counted from the start, so that lateness does not add up. While it is paused the conditions stay.
public actor TimelinePlayer {
  /// A stage of the playing.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case ready, playing, paused, ended, stopped
  }

  /// Puts toxics in force in the place of those that this timeline had before.
  public typealias Apply = @Sendable ([Toxic]) async throws -> Void
  /// Tells what happens.
  public typealias Note = @Sendable (NetworkEvent) async -> Void

  /// The timeline that is played.
  public nonisolated let timeline: Timeline
  /// The stage that the playing is at.
  public private(set) var state = State.ready
  /// The number of rounds that are done.
  public private(set) var rounds = 0
  /// The reason why the last change could not be put in force.
  public private(set) var failure: (any Error)?

  private let clock: any Clock<Duration>
  private let apply: Apply
  private let note: Note
  private let time: @Sendable () -> Double
  /// The place in the round while it does not play.
  private var held = Duration.zero
  private var elapsed: (() -> Duration)?
  private var playing: Task<Void, Never>?
  /// The end is over: its conditions are taken away and it has been told.
  private var isOver = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - time: Seconds since 1970, for the events.
  public init(
    _ timeline: Timeline, clock: any Clock<Duration> = ContinuousClock(),
    time: @escaping @Sendable () -> Double = NetworkJournal.now, note: @escaping Note = { _ in }, apply: @escaping Apply
  ) {
    self.timeline = timeline
    self.clock = clock
    self.time = time
    self.note = note
    self.apply = apply
  }

  /// The place in the round.
  public var position: Duration { elapsed?() ?? held }

  /// Begins, or goes on after a pause; the first conditions are in force when this returns.
  public func start() async {
    guard state == .ready || state == .paused else { return }
    let isNew = state == .ready
    state = .playing
    if isNew { await tell(.timelineStarted) }
    await begin(clock)
  }

  /// Stands still: the conditions stay as they are.
  public func pause() async {
    guard state == .playing else { return }
    state = .paused
    await halt()
  }

  /// Ends it; its conditions are taken away when this returns.
  ///
  /// Not to be called from what it calls.
  public func stop() async {
    guard state != .stopped, state != .ended else { return await wait() }
    state = .stopped
    await halt()
    await end(.stopped)
  }

  /// Ends the playing where it is; a change that is under way is done when this returns.
  private func halt() async {
    held = position
    elapsed = nil
    let task = playing
    playing = nil
    task?.cancel()
    await task?.value
  }

  /// Waits until it has ended or was stopped, and its conditions are taken away.
  public func wait() async {
    guard !isOver else { return }
    await withCheckedContinuation { waiting.append($0) }
  }

  // MARK: - Playing

  private func begin<Playing: Clock<Duration>>(_ clock: Playing) async {
    let position = held
    let begun = clock.now
    let zero = begun.advanced(by: .zero - position)
    elapsed = { zero.duration(to: clock.now) }
    await put(at: position)
    guard state == .playing, playing == nil else { return }
    playing = Task { await self.play(clock, from: zero, after: position) }
  }

  private func play<Playing: Clock<Duration>>(
    _ clock: Playing, from start: Playing.Instant, after position: Duration
  ) async {
    var zero = start
    var reached = position
    let moments = timeline.moments
    while true {
      for moment in moments where moment > reached {
        guard await slept(clock, until: zero.advanced(by: moment)) else { return }
        if moment == timeline.span { break }
        await put(at: moment)
        if Task.isCancelled { return }
      }
      guard let span = timeline.span else {
        // Steps that never end hold until it is stopped.
        return
      }
      rounds += 1
      guard timeline.repeats, span > .zero else {
        if !Task.isCancelled { await finish(at: span) }
        return
      }
      let next = zero.advanced(by: span)
      zero = next
      reached = .zero
      elapsed = { next.duration(to: clock.now) }
      await put(at: .zero)
      if Task.isCancelled { return }
    }
  }

  /// Tells whether the time came before the task was cancelled.
  private func slept<Playing: Clock<Duration>>(_ clock: Playing, until deadline: Playing.Instant) async -> Bool {
    do {
      try await clock.sleep(until: deadline, tolerance: .zero)
      return !Task.isCancelled
    } catch {
      return false
    }
  }

  private func put(at moment: Duration) async {
    let labels = timeline.active(at: moment).map { timeline.steps[$0].label }
    do {
      try await apply(timeline.toxics(at: moment))
      failure = nil
    } catch {
      failure = error
    }
    var details = ["at": Quantity.text(moment), "label": labels.isEmpty ? "normal" : labels.joined(separator: ", ")]
    if let failure = failure as? NetworkError { details["error"] = failure.code.word }
    await tell(.timelineStep, details)
  }

  private func finish(at span: Duration) async {
    held = span
    elapsed = nil
    playing = nil
    await end(.ended)
  }

  private func end(_ last: State) async {
    state = last
    do {
      try await apply([])
    } catch {
      failure = error
    }
    await tell(.timelineEnded, ["state": last.rawValue])
    isOver = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  private func tell(_ kind: NetworkEvent.Kind, _ details: [String: String] = [:]) async {
    var details = details
    details["timeline"] = timeline.name
    await note(NetworkEvent(time: time(), kind: kind, details: details))
  }
}
