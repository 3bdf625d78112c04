/// A service: an entry of `Services` in `MobileRuntime.plist`.
public struct ServiceEntry: Sendable {
  /// The name that finds the service.
  public let name: String
  /// The type of the service.
  public let type: any MobileService.Type
  /// The protocol that it is found by besides its name: `(any AccountService).self`.
  public let interface: Any.Type?
  /// Made when it is first asked for; otherwise when the framework starts.
  public let isLazy: Bool
  /// One for all; otherwise a new one for each caller.
  public let isSingleton: Bool
  /// The line that registers the service; nil where it is unknown.
  public let place: SourcePlace?

  /// Makes the entry of a service: lazy and one for all, unless told otherwise.
  public init(
    name: String, type: any MobileService.Type, interface: Any.Type? = nil, isLazy: Bool = true,
    isSingleton: Bool = true, place: SourcePlace? = nil
  ) {
    self.name = name
    self.type = type
    self.interface = interface
    self.isLazy = isLazy
    self.isSingleton = isSingleton
    self.place = place
  }
}
