import MPaaSLock

#if canImport(Network)
  import Network
#endif

/// The way from this device to the network, as the system knows it; whether a server answers is another matter.
///
///     for await state in Reachability.changes { banner.isHidden = state.isReachable }
public struct Reachability: Sendable, Hashable {
  /// The kinds of ways.
  public enum Interface: String, Sendable, Hashable {
    /// A wireless network.
    case wifi
    /// The network of a mobile operator.
    case cellular
    /// A cable.
    case wired
    /// Any other: a tunnel, a virtual network.
    case other
  }

  /// The way that is taken; nil where there is none.
  public let interface: Interface?
  /// The system's name of it, such as `eth0`; empty where it is not told.
  public let name: String

  /// Tells whether there is a way.
  public var isReachable: Bool { interface != nil }

  /// No way.
  static let none = Reachability(interface: nil, name: "")

  /// The present state, and each one that differs from the one before.
  public static var changes: AsyncStream<Reachability> {
    AsyncStream { continuation in
      let last = Lock<Reachability?>(nil)
      let tell: @Sendable (Reachability) -> Void = { state in
        let isNew = last.withLock { known in
          defer { known = state }
          return known != state
        }
        if isNew { continuation.yield(state) }
      }
      let watch = watch(tell)
      continuation.onTermination = { _ in watch() }
    }
  }

  #if os(Linux)
    /// Tells of the state now and at each change of links, addresses and routes.
    ///
    /// - Returns: What ends it.
    private static func watch(_ tell: @escaping @Sendable (Reachability) -> Void) -> @Sendable () -> Void {
      let watch = RouteWatch { tell(RouteTable.current) }
      tell(RouteTable.current)
      return { watch?.end() }
    }
  #elseif canImport(Network)
    private static func watch(_ tell: @escaping @Sendable (Reachability) -> Void) -> @Sendable () -> Void {
      let monitor = NWPathMonitor()
      monitor.pathUpdateHandler = { path in tell(Reachability(path)) }
      monitor.start(queue: .global(qos: .utility))
      return { monitor.cancel() }
    }

    private init(_ path: NWPath) {
      guard path.status == .satisfied else {
        self = .none
        return
      }
      let kinds: [(NWInterface.InterfaceType, Interface)] = [
        (.wifi, .wifi), (.wiredEthernet, .wired), (.cellular, .cellular),
      ]
      interface = kinds.first { path.usesInterfaceType($0.0) }?.1 ?? .other
      name = path.availableInterfaces.first?.name ?? ""
    }
  #else
    private static func watch(_ tell: @escaping @Sendable (Reachability) -> Void) -> @Sendable () -> Void { {} }
  #endif
}
