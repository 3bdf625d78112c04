/// A service: an entry of `Services` in `MobileRuntime.plist`.
public struct ServiceEntry: Sendable {
  public let name: String
  public let type: any MobileService.Type
  /// The protocol that it is found by besides its name: `(any AccountService).self`.
  public let interface: Any.Type?
  /// Made when it is first asked for; otherwise when the framework starts.
  public let isLazy: Bool
  /// One for all; otherwise a new one for each who asks.
  public let isSingleton: Bool
  public let place: SourcePlace?

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
