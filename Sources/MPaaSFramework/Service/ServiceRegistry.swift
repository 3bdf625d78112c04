internal import MPaaSLock

/// The services of an app, by name and by protocol; safe to use from any thread.
///
/// A service of which there is one is made once, however many threads ask for it at the same time. Services that need
/// each other while they are made are found, also across threads, and reported with the path.
public final class ServiceRegistry: Sendable {
  let shelf = Lock(ServiceShelf())
  let trace: TraceRecorder?

  /// Makes a registry; nothing is made before it is asked for, or `start()`.
  ///
  /// - Parameters:
  ///   - entries: The services, in the order in which they are made as the framework starts.
  ///   - trace: Records how long the making of each service takes.
  /// - Throws: `service-registered-twice`, with both lines.
  public init(_ entries: [ServiceEntry] = [], trace: TraceRecorder? = nil) throws(FrameworkError) {
    self.trace = trace
    for entry in entries { try register(entry) }
  }

  /// Adds a service; the same entry again changes nothing.
  public func register(_ entry: ServiceEntry) throws(FrameworkError) {
    let clash = shelf.withLock { $0.add(entry) }
    if let clash { throw Self.twice(clash, entry) }
  }

  /// Adds a service of that class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - name: The class's name where it is nil.
  ///   - interface: The protocol that it is found by besides: `(any AccountService).self`.
  ///   - isLazy: Made when it is first asked for; otherwise by `start()`.
  ///   - isSingleton: One for all; otherwise a new one for each caller.
  ///   - file: The file that the registration stands in, for errors.
  ///   - line: The line that the registration stands in, for errors.
  public func register(
    _ type: any MobileService.Type, name: String? = nil, as interface: Any.Type? = nil, isLazy: Bool = true,
    isSingleton: Bool = true, file: String = #fileID, line: Int = #line
  ) throws(FrameworkError) {
    try register(
      ServiceEntry(
        name: name ?? String(describing: type), type: type, interface: interface, isLazy: isLazy,
        isSingleton: isSingleton, place: SourcePlace(file, line: line)))
  }

  /// Adds a service that is there already: it is neither told `didCreate` nor `start`.
  public func register(
    _ service: any MobileService, name: String? = nil, as interface: Any.Type? = nil, file: String = #fileID,
    line: Int = #line
  ) throws(FrameworkError) {
    let type = type(of: service)
    let entry = ServiceEntry(
      name: name ?? String(describing: type), type: type, interface: interface, place: SourcePlace(file, line: line))
    try check(service, entry)
    let clash = shelf.withLock { $0.add(entry, made: service) }
    if let clash { throw Self.twice(clash, entry) }
  }

  /// Takes a service out; one that was made is told `willDestroy`.
  public func unregister(_ name: String) throws(FrameworkError) {
    let removed = shelf.withLock { $0.remove(name) }
    guard let removed else { throw unknown(name) }
    removed.object?.willDestroy()
  }

  /// The service of that name, made if need be.
  public func service(named name: String) throws(FrameworkError) -> any MobileService {
    switch shelf.withLock({ $0.find(name) }) {
    case .object(let object): return object
    case .slot(let index): return try make(index)
    case nil: throw unknown(name)
    }
  }

  /// The service of that name as the type that the caller expects.
  public func service<Service>(named name: String, as type: Service.Type) throws(FrameworkError) -> Service {
    let object = try service(named: name)
    guard let service = object as? Service else { throw mismatch(name, object, type) }
    return service
  }

  /// The service that was registered for the protocol, or is of that class: `service(for: (any AccountService).self)`.
  public func service<Service>(for type: Service.Type) throws(FrameworkError) -> Service {
    let object: any MobileService
    switch shelf.withLock({ $0.find(ObjectIdentifier(type)) }) {
    case .object(let made): object = made
    case .slot(let index): object = try make(index)
    case nil: throw unknown(String(describing: type))
    }
    guard let service = object as? Service else { throw mismatch(String(describing: type), object, type) }
    return service
  }

  /// Tells whether a service of that name is registered.
  public func contains(_ name: String) -> Bool { shelf.withLock { $0.find(name) != nil } }

  /// The registered services, in order, and which of it was made.
  public var entries: [(entry: ServiceEntry, isMade: Bool)] {
    shelf.withLock { $0.slots.filter { !$0.isRemoved }.map { ($0.entry, $0.object != nil) } }
  }

  /// Makes the services that are not lazy, in the order of their registration, and then starts them in that order.
  ///
  /// - Throws: What went wrong first, with the rest in `others`; the other services run.
  public func start() throws(FrameworkError) {
    var errors: [FrameworkError] = []
    var made: [Int] = []
    for index in shelf.withLock({ $0.eager }) {
      do {
        _ = try make(index, starts: false)
        made.append(index)
      } catch { errors.append(error) }
    }
    for index in made {
      do { try startLater(index) } catch { errors.append(error) }
    }
    if let error = FrameworkError.first(of: errors) { throw error }
  }

  /// Tells the services that were made `willDestroy`, the youngest first, and lets go of them.
  ///
  /// One that ends may still use those that were made before it; nothing is made any more.
  public func stop() {
    while let object = shelf.withLock({ $0.takeYoungest() }) { object.willDestroy() }
  }
}

extension ServiceRegistry {
  static func twice(_ first: ServiceEntry, _ second: ServiceEntry) -> FrameworkError {
    FrameworkError(
      .serviceRegisteredTwice, .service(second.name), at: first.place,
      values: [
        "first": "\(first.type)", "second": "\(second.type)",
        "other_place": second.place.map { " (\($0))" } ?? "",
      ])
  }

  func unknown(_ name: String) -> FrameworkError {
    let names = shelf.withLock { $0.slots.filter { !$0.isRemoved }.map(\.entry.name) }
    let near = nearest(to: name, among: names).map { " (\($0)?)" }
    return FrameworkError(.serviceUnknown, .service(name), values: ["suggestion": near ?? ""])
  }

  func mismatch(_ name: String, _ object: any MobileService, _ wanted: Any.Type) -> FrameworkError {
    let entry = shelf.withLock { $0.entry(of: object) }
    return FrameworkError(
      .serviceNotInterface, .service(entry?.name ?? name), at: entry?.place,
      values: ["type": "\(type(of: object))", "interface": "\(wanted)"])
  }

  /// Tells whether a service is what it is registered for.
  func check(_ object: any MobileService, _ entry: ServiceEntry) throws(FrameworkError) {
    func conforms<Interface>(to type: Interface.Type) -> Bool { object is Interface }
    guard let interface = entry.interface, !conforms(to: interface) else { return }
    throw FrameworkError(
      .serviceNotInterface, .service(entry.name), at: entry.place,
      values: ["type": "\(type(of: object))", "interface": "\(interface)"])
  }
}
