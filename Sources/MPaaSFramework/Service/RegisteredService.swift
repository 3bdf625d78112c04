/// A service that registers itself: the build-tool plug-in `RuntimeTable` finds the types that name this protocol.
///
/// ```swift
/// final class StoredCart: CartService, RegisteredService {
///   static let registration = ServiceRegistration(name: "cart", interface: (any CartService).self)
///   …
/// }
/// ```
public protocol RegisteredService: MobileService {
  /// The name, the protocol and the rules of the service.
  static var registration: ServiceRegistration { get }
}

extension RegisteredService {
  /// A registration under the name of the type: no protocol, lazy, and one service for all.
  public static var registration: ServiceRegistration { ServiceRegistration() }
}

/// The statements of a service about itself: the same as an entry of `Services` in `MobileRuntime.plist`.
public struct ServiceRegistration: Sendable {
  /// The type's name where it is nil.
  public var name: String?
  /// The protocol that finds the service: `(any CartService).self`; nil for the name alone.
  public var interface: Any.Type?
  /// True where the service is made as it is first asked for, false where the framework's start makes it.
  public var isLazy: Bool
  /// True where all get the same service, false where each gets a new one.
  public var isSingleton: Bool

  /// Makes a registration: lazy and one service for all, unless told otherwise.
  public init(name: String? = nil, interface: Any.Type? = nil, isLazy: Bool = true, isSingleton: Bool = true) {
    self.name = name
    self.interface = interface
    self.isLazy = isLazy
    self.isSingleton = isSingleton
  }
}

extension ServiceEntry {
  /// The entry of a service that registers itself; `place` is where its type is declared.
  public init(registered type: any RegisteredService.Type, place: SourcePlace? = nil) {
    let registration = type.registration
    self.init(
      name: registration.name ?? String(describing: type), type: type, interface: registration.interface,
      isLazy: registration.isLazy, isSingleton: registration.isSingleton, place: place)
  }
}
