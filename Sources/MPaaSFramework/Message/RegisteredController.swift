import MPaaSLock

/// A controller that attaches itself: it is made as the first message of its prefix is sent.
///
/// ```swift
/// struct CartController: RegisteredController {
///   static let prefix = "cart"
///   init(services: ServiceRegistry) throws { … }
///   func register(_ handlers: inout MessageHandlers) { … }
/// }
/// ```
/// The build-tool plug-in `RuntimeTable` finds the types that name this protocol.
public protocol RegisteredController: MessageController {
  /// The messages that it takes; the name of its type where it does not say.
  static var prefix: String { get }

  /// Makes the controller as the first message of its prefix is sent.
  init(services: ServiceRegistry) throws
}

extension RegisteredController {
  /// The name of the controller's type.
  public static var prefix: String { "\(Self.self)" }
  /// The prefix of the controller's type.
  public var prefix: String { Self.prefix }
}

/// A controller that attaches itself.
public struct ControllerEntry: Sendable {
  /// The type of the controller, of which one is made with the first message.
  public let type: any RegisteredController.Type
  /// The line that registered the controller; nil where it is unknown.
  public let place: SourcePlace?

  /// Makes an entry for a type of controllers.
  public init(registered type: any RegisteredController.Type, place: SourcePlace? = nil) {
    self.type = type
    self.place = place
  }
}

extension MessageQueue {
  /// Makes a controller when the first message of its prefix is sent that no longer prefix takes.
  ///
  /// Several threads that send the first message at once may make more than one, of which one is kept. A controller
  /// that cannot be made is tried again with the next message.
  /// - Parameters:
  ///   - prefix: The prefix of the messages that the controller handles.
  ///   - file: The file that the registration stands in, for errors.
  ///   - line: The line that the registration stands in, for errors.
  ///   - make: Runs on the thread that sends.
  /// - Throws: `controller-attached-twice`.
  public func attach(
    onFirst prefix: String, file: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable () throws -> any MessageController
  ) throws(FrameworkError) {
    try attach(onFirst: prefix, "a controller", at: SourcePlace(file, line: line), make)
  }

  func attach(
    onFirst prefix: String, _ name: String, at place: SourcePlace?,
    _ make: @escaping @Sendable () throws -> any MessageController
  ) throws(FrameworkError) {
    let first = state.withLock { state -> Taken? in
      if let taken = state.taken(prefix) { return taken }
      state.offers[prefix] = ControllerOffer(place: place, make: make)
      state.routes = [:]
      return nil
    }
    if let first { throw attachedTwice(prefix, first, name, place) }
  }

  func attach(_ entries: [ControllerEntry], services: ServiceRegistry) throws(FrameworkError) {
    for entry in entries {
      let type = entry.type
      try attach(onFirst: type.prefix, "\(type)", at: entry.place) { [unowned services] in
        try type.init(services: services)
      }
    }
  }

  /// Makes and attaches the controllers that have to be asked for a message.
  func attachOffered(for name: String) throws(FrameworkError) {
    while let (prefix, offer) = state.withLock({ $0.offer(for: name) }) {
      let controller: any MessageController
      do {
        controller = try offer.make()
      } catch {
        throw FrameworkError(.controllerFailed, .message(prefix), at: offer.place, underlying: error)
      }
      let (known, limit) = (try handlers(of: controller, prefix, at: offer.place), controller.delivery.limit)
      state.withLock { state in
        guard state.offers[prefix]?.identity === offer.identity else { return }
        state.offers[prefix] = nil
        state.add(MessageLane(handlers: known, limit: limit, place: offer.place), prefix)
      }
    }
  }
}

/// A controller that is not made yet.
struct ControllerOffer: Sendable {
  /// Tells an offer from another for the same prefix.
  final class Identity: Sendable {}

  let identity = Identity()
  let place: SourcePlace?
  let make: @Sendable () throws -> any MessageController
}

extension MessageQueue.State {
  /// The offer that must be taken up before it is known who handles a message; nil for none.
  func offer(for name: String) -> (prefix: String, offer: ControllerOffer)? {
    guard !offers.isEmpty, routes[name] == nil, !isClosed else { return nil }
    var prefix = Substring(name)
    while true {
      if let lane = laneByPrefix[String(prefix)] {
        let handlers = lanes[lane].handlers
        if handlers.byName[name] != nil || handlers.other != nil { return nil }
      }
      if let offer = offers[String(prefix)] { return (String(prefix), offer) }
      guard !prefix.isEmpty else { return nil }
      prefix = prefix.lastIndex(of: ".").map { prefix[..<$0] } ?? ""
    }
  }
}

extension FrameworkError.Code {
  /// A controller that attaches itself could not be made; `underlying` is what it threw.
  public static let controllerFailed = FrameworkError.Code(
    "controller-failed",
    en: "The controller for the prefix {name} could not be made: {reason}.",
    enHelp: "It is tried again with the next message.",
    zh: "无法创建前缀 {name} 的控制器：{reason}。",
    zhHelp: "下一条消息到来时会重试。")
}
