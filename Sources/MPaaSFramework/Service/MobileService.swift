/// Something that other parts of an app use by its name or by its protocol; it may be asked for from any thread.
///
/// It is made when it is first asked for, or as the framework starts: `init(services:)`, `didCreate()`, `start()`, each
/// once. It is not given to others before `start()` has returned, except to services that are made meanwhile because of
/// it. `willDestroy()` comes when it is unregistered or the context ends, for those of which there is one.
///
/// ```swift
/// protocol CartService: MobileService { func add(_ item: Item) }
///
/// final class StoredCart: CartService {
///   private let account: any AccountService
///   init(services: ServiceRegistry) throws {
///     account = try services.service(for: (any AccountService).self)
///   }
///   func add(_ item: Item) { … }
/// }
/// ```
public protocol MobileService: AnyObject, Sendable {
  /// Makes the service; what it needs of other services it asks from the registry here or later.
  init(services: ServiceRegistry) throws

  /// The service was made.
  func didCreate() throws

  /// The service begins its work.
  func start() throws

  /// The service is about to be let go.
  func willDestroy()
}

extension MobileService {
  /// Does nothing by default once the service is made.
  public func didCreate() throws {}
  /// Begins no work by default.
  public func start() throws {}
  /// Does nothing by default before the service is let go.
  public func willDestroy() {}
}
