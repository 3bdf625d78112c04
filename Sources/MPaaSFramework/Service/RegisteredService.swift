/// A service that registers itself: the build-tool plug-in `RuntimeTable` finds the types that name this protocol.
///
/// ```swift
/// final class StoredCart: CartService, RegisteredService {
///   static let registration = ServiceRegistration(name: "cart", interface: (any CartService).self)
///   …
/// }
/// ```
public protocol RegisteredService: MobileService {
  static var registration: ServiceRegistration { get }
}

extension RegisteredService {
  public static var registration: ServiceRegistration { ServiceRegistration() }
}

/// What a service says of itself: the same as an entry of `Services` in `MobileRuntime.plist`.
public struct ServiceRegistration: Sendable {
  /// The type's name where it is nil.
  public var name: String?
  public var interface: Any.Type?
  public var isLazy: Bool
  public var isSingleton: Bool

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
