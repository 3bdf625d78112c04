package import Hummingbird

/// A part of the server: its routes, and what it does when an upload is published.
package protocol ServerRoutes: Sendable {
  init(_ services: ServerServices)

  /// Adds its routes.
  func add(to router: Router<ServerContext>)

  /// Does what it has to do before requests come, and from time to time later.
  func begin() async throws
  func tidy() async

  /// Reads anew what a server of the same console has changed.
  func follow(_ editions: Set<SharedEdition>) async throws

  /// Begins and ends work that goes on beside requests: once the server listens, and when it takes no more.
  func work()
  func end() async

  /// The work in the transaction in which an upload becomes whole; nil for nothing.
  static func publication(_ services: ServerServices) -> ServerServices.Publication?
}

extension ServerRoutes {
  package func begin() async throws {}
  package func tidy() async {}
  package func follow(_ editions: Set<SharedEdition>) async throws {}
  package func work() {}
  package func end() async {}
  package static func publication(_ services: ServerServices) -> ServerServices.Publication? { nil }
}
