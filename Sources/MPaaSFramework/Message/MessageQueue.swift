import Synchronization

/// Brings messages to the controllers that handle them, and their answers back.
///
/// Every message that is sent gets exactly one handler and exactly one last state. To one controller messages begin in
/// the order in which they were sent (`MessageDelivery` says whether they wait for one another); messages to different
/// controllers do not wait for each other. May be used from any thread.
public final class MessageQueue: Sendable {
  let state = Mutex(State())
  let observers = MessageObservers()
  let deadlines: MessageDeadlines

  struct State {
    var lanes: [MessageLane] = []
    var laneByPrefix: [String: Int] = [:]
    /// Of messages that were sent before and have a handler of their own.
    var routes: [String: Route] = [:]
    /// Messages that are queued or whose handlers have not returned.
    var live: [UInt64: MessageRecord] = [:]
    var sent: UInt64 = 0
    var isClosed = false
    /// What is frozen; the empty prefix is all.
    var frozen: Set<String> = []
    /// Messages that may pass although they are frozen.
    var passing: Set<UInt64> = []

    func isHeld(_ record: MessageRecord) -> Bool {
      guard !frozen.isEmpty, !passing.contains(record.id) else { return false }
      return frozen.contains { covers($0, record.name) }
    }
  }

  struct Route {
    let lane: Int
    let handler: MessageHandlers.Handler
    /// The line that attached the controller.
    let place: SourcePlace
  }

  /// - Parameter clock: What time-outs are counted by; a stopped one in tests.
  public init(clock: some Clock<Duration> = SuspendingClock()) {
    deadlines = MessageDeadlines(clock: MonotonicClock(clock))
    deadlines.begin { [weak self] in self?.expire($0) }
  }

  /// Lets a controller handle the messages of its prefix; the line of the call is what errors name.
  ///
  /// - Throws: `controller-attached-twice`, `message-handled-twice`, `message-outside-prefix`.
  public func attach(
    _ controller: some MessageController, file: String = #fileID, line: Int = #line
  ) throws(FrameworkError) {
    let place = SourcePlace(file, line: line)
    let prefix = controller.prefix
    var handlers = MessageHandlers()
    controller.register(&handlers)
    if let name = handlers.twice.first {
      throw FrameworkError(
        .messageHandledTwice, .message(name), at: place, values: ["controller": "\(type(of: controller))"])
    }
    if let name = handlers.byName.keys.filter({ !covers(prefix, $0) }).min() {
      throw FrameworkError(
        .messageOutsidePrefix, .message(name), at: place,
        values: ["controller": "\(type(of: controller))", "prefix": prefix])
    }
    let (limit, known) = (controller.delivery.limit, handlers)
    let first = state.withLock { state -> SourcePlace? in
      if let lane = state.laneByPrefix[prefix] { return state.lanes[lane].place }
      let lane = state.lanes.count
      state.lanes.append(MessageLane(handlers: known, limit: limit, place: place))
      state.laneByPrefix[prefix] = lane
      state.routes = [:]
      return nil
    }
    if let first {
      throw FrameworkError(
        .controllerAttachedTwice, .message(prefix), at: first,
        values: ["controller": "\(type(of: controller))", "other_place": "\(place)"])
    }
  }

  /// Takes a controller back, as a module does in its tear-down: its prefix is free for another.
  ///
  /// Messages that it has, or that wait for it, are still handled.
  /// - Returns: False where no controller has exactly this prefix.
  @discardableResult
  public func detach(_ prefix: String) -> Bool {
    state.withLock { state in
      guard let lane = state.laneByPrefix.removeValue(forKey: prefix) else { return false }
      state.lanes[lane].handlers = MessageHandlers()
      state.routes = [:]
      return true
    }
  }
}
