import MPaaSTime

/// The keys of an event.
enum EventKey: Hashable {
  case type(ObjectIdentifier)
  case name(String)
}

/// A module that wants to hear an event.
@MainActor struct EventObserver {
  let slot: ModuleSlot
  let handler: @MainActor (any Sendable) throws -> Void
}

extension ModuleRegistry {
  /// Says that a module wants to hear an event of the app's own.
  ///
  /// Modules hear an event in their order, and a module that observes it twice in the order of its observing.
  /// - Throws: `app-module-unknown` where the module is none of these.
  public func observe<Event: ModuleEvent>(
    _ event: Event.Type, by module: any FrameworkModule, _ handler: @escaping @MainActor (Event) throws -> Void
  ) throws(FrameworkError) {
    try observe(.type(ObjectIdentifier(event)), by: module) { value in
      if let value = value as? Event { try handler(value) }
    }
  }

  /// Says that a module wants to hear the events of a name.
  ///
  /// - Throws: `app-module-unknown` where the module is none of these.
  public func observe(
    named name: String, by module: any FrameworkModule, _ handler: @escaping @MainActor (NamedEvent) throws -> Void
  ) throws(FrameworkError) {
    try observe(.name(name), by: module) { value in
      if let value = value as? NamedEvent { try handler(value) }
    }
  }

  /// Takes back all that a module wanted to hear of an event.
  public func stopObserving<Event: ModuleEvent>(_ event: Event.Type, by module: any FrameworkModule) {
    stopObserving(.type(ObjectIdentifier(event)), by: module)
  }

  /// Takes back all that a module wanted to hear of the events of a name.
  public func stopObserving(named name: String, by module: any FrameworkModule) {
    stopObserving(.name(name), by: module)
  }

  func removeObservers(of slot: ModuleSlot) {
    for key in observers.keys { observers[key]?.removeAll { $0.slot === slot } }
  }
}

extension ModuleRegistry {
  /// Events within events within events: more is taken for a circle.
  fileprivate static var depthLimit: Int { 32 }
  /// A module that took less in an event than this is counted, but gets no span of its own.
  private static var shortest: TimeSpan { .microseconds(10) }

  private func observe(
    _ key: EventKey, by module: any FrameworkModule, _ handler: @escaping @MainActor (any Sendable) throws -> Void
  ) throws(FrameworkError) {
    let slot = try slot(of: module)
    var all = observers[key] ?? []
    let place = all.firstIndex { slot < $0.slot } ?? all.endIndex
    all.insert(EventObserver(slot: slot, handler: handler), at: place)
    observers[key] = all
  }

  private func stopObserving(_ key: EventKey, by module: any FrameworkModule) {
    observers[key]?.removeAll { $0.slot.module === module }
  }

  fileprivate func trigger(_ event: SystemEvent, in context: MobileContext) -> [FrameworkError] {
    let slots = slots
    return deliver(event.name, to: slots) { try slots[$0].module?.handle(event, in: context) }
  }

  fileprivate func deliver(_ name: String, _ event: any Sendable, _ key: EventKey) -> [FrameworkError] {
    let observers = (observers[key] ?? []).filter(\.slot.takesPart)
    return deliver(name, to: observers.map(\.slot)) { try observers[$0].handler(event) }
  }

  /// Lets modules handle an event one after another; one that was torn down meanwhile is left out.
  ///
  /// - Parameter handle: Gets the position in `slots`.
  private func deliver(
    _ name: String, to slots: [ModuleSlot], _ handle: (Int) throws -> Void
  ) -> [FrameworkError] {
    guard eventDepth < Self.depthLimit else {
      return [FrameworkError(.eventTooDeep, .message(name), values: ["limit": "\(Self.depthLimit)"])]
    }
    eventDepth += 1
    defer { eventDepth -= 1 }
    return trace.measure(.event, name) {
      slots.indices.compactMap { index in
        slots[index].takesPart ? time(slots[index], name) { try handle(index) } : nil
      }
    }
  }

  private func time(_ slot: ModuleSlot, _ event: String, _ handle: () throws -> Void) -> FrameworkError? {
    let start = trace.clock.now()
    var failure: FrameworkError?
    do { try handle() } catch { failure = report(error, .event, slot) }
    let duration = trace.clock.now() - start
    slot.spent[.event, default: .zero] += duration
    if duration >= Self.shortest || failure != nil {
      trace.record(
        .module, .type(slot.entry.type), phase: event, at: slot.entry.place, start: start, duration: duration,
        error: failure?.underlying)
    }
    return failure
  }
}

extension MobileContext {
  /// Tells the app's interface, and then the modules in their order, what the system said.
  ///
  /// Notifications from a server go to the micro-apps too, from the top of the stack down, until one says that it was
  /// meant.
  /// - Returns: The errors of those that threw, those of modules are in `modules.failures` too; or `event-too-deep`
  ///   alone.
  @discardableResult
  public func trigger(_ event: SystemEvent) -> [FrameworkError] {
    let errors = hand(event) + modules.trigger(event, in: self)
    guard case .didReceiveRemoteNotification(let notification, let reply) = event else { return errors }
    return errors + offer(notification, reply)
  }

  /// Tells the interface; an event within an event counts as it does for modules.
  private func hand(_ event: SystemEvent) -> [FrameworkError] {
    guard modules.eventDepth < ModuleRegistry.depthLimit else { return [] }
    modules.eventDepth += 1
    defer { modules.eventDepth -= 1 }
    do { try interface.handle(event, in: self) } catch { return [interfaceFailed(event.name, error)] }
    return []
  }

  /// Tells those modules that observe it of an event of the app's own.
  ///
  /// An event that a handler triggers is delivered before the rest of the modules hear the first one. Modules that
  /// begin to observe meanwhile do not hear it.
  /// - Returns: As for events of the system.
  @discardableResult
  public func trigger(_ event: some ModuleEvent) -> [FrameworkError] {
    modules.deliver("\(type(of: event))", event, .type(ObjectIdentifier(type(of: event))))
  }

  /// Tells those modules that observe its name.
  ///
  /// - Returns: As for events of the system.
  @discardableResult
  public func trigger(_ event: NamedEvent) -> [FrameworkError] {
    modules.deliver(event.name, event, .name(event.name))
  }
}
