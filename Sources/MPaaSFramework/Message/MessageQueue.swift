import MPaaSLock
import MPaaSTime

/// Brings messages to the controllers that handle them, and their answers back.
///
/// Every message that is sent gets exactly one handler and exactly one last state. To one controller messages begin in
/// the order in which they were sent (`MessageDelivery` says whether they wait for one another); messages to different
/// controllers do not wait for each other. May be used from any thread.
public final class MessageQueue: Sendable {
  let state = Lock(State())
  let observers = MessageObservers()
  let deadlines: MessageDeadlines

  struct State {
    var lanes: [MessageLane] = []
    var laneByPrefix: [String: Int] = [:]
    /// Controllers that are made as their first message is sent, by their prefixes.
    var offers: [String: ControllerOffer] = [:]
    /// The routes of messages that were sent before and have a handler of their own.
    var routes: [String: Route] = [:]
    /// Messages that are queued or whose handlers have not returned.
    var live: [UInt64: MessageRecord] = [:]
    var sent: UInt64 = 0
    var isClosed = false
    /// The frozen prefixes; the empty prefix is all.
    var frozen: Set<String> = []
    /// Messages that may pass although they are frozen.
    var passing: Set<UInt64> = []

    mutating func add(_ lane: MessageLane, _ prefix: String) {
      laneByPrefix[prefix] = lanes.count
      lanes.append(lane)
      routes = [:]
    }

    /// The owner of a prefix; nil where it is free.
    func taken(_ prefix: String) -> Taken? {
      if let lane = laneByPrefix[prefix] { return Taken(place: lanes[lane].place) }
      return offers[prefix].map { Taken(place: $0.place) }
    }

    func isHeld(_ record: MessageRecord) -> Bool {
      guard !frozen.isEmpty, !passing.contains(record.id) else { return false }
      return frozen.contains { covers($0, record.name) }
    }
  }

  struct Route {
    let lane: Int
    let handler: MessageHandlers.Handler
    /// The line that attached the controller.
    let place: SourcePlace?
  }

  /// The line that attached a controller, where it is known.
  struct Taken {
    let place: SourcePlace?
  }

  /// Creates a queue whose time-outs are counted by the system's clock, which rests while the machine sleeps.
  public convenience init() { self.init(MonotonicClock()) }

  /// - Parameter clock: What time-outs are counted by; a stopped one in tests.
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  public convenience init(clock: some Clock<Duration>) { self.init(MonotonicClock(clock)) }

  private init(_ clock: MonotonicClock) {
    deadlines = MessageDeadlines(clock: clock)
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
    let (known, limit) = (try handlers(of: controller, prefix, at: place), controller.delivery.limit)
    let first = state.withLock { state -> Taken? in
      if let taken = state.taken(prefix) { return taken }
      state.add(MessageLane(handlers: known, limit: limit, place: place), prefix)
      return nil
    }
    if let first { throw attachedTwice(prefix, first, "\(type(of: controller))", place) }
  }

  func attachedTwice(_ prefix: String, _ first: Taken, _ name: String, _ place: SourcePlace?) -> FrameworkError {
    FrameworkError(
      .controllerAttachedTwice, .message(prefix), at: first.place,
      values: ["controller": name, "other_place": place.map { "\($0)" } ?? "-"])
  }

  /// The messages that a controller handles.
  ///
  /// - Throws: `message-handled-twice`, `message-outside-prefix`.
  func handlers(
    of controller: any MessageController, _ prefix: String, at place: SourcePlace?
  ) throws(FrameworkError) -> MessageHandlers {
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
    return handlers
  }

  /// Takes a controller back, as a module does in its tear-down: its prefix is free for another.
  ///
  /// Messages that it has, or that wait for it, are still handled.
  /// - Returns: False where no controller has exactly this prefix.
  @discardableResult
  public func detach(_ prefix: String) -> Bool {
    state.withLock { state in
      if state.offers.removeValue(forKey: prefix) != nil {
        state.routes = [:]
        return true
      }
      guard let lane = state.laneByPrefix.removeValue(forKey: prefix) else { return false }
      state.lanes[lane].handlers = MessageHandlers()
      state.routes = [:]
      return true
    }
  }
}
