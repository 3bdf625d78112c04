/// An event of the app's own, with what it carries.
///
/// ```swift
/// struct CartChanged: ModuleEvent { let count: Int }
/// ```
/// A module says in `setUp` that it wants to hear it, `context.modules.observe(CartChanged.self, by: self) { … }`, and
/// whoever knows of it tells: `context.trigger(CartChanged(count: 3))`.
public protocol ModuleEvent: Sendable {}

/// An event that is known by its name only, as from a script or a web page.
public struct NamedEvent: Sendable {
  /// The name that observers know the event by.
  public let name: String
  /// The values that the event carries, by key.
  public let values: [String: any Sendable]

  /// Makes an event from its name, without values unless some are given.
  public init(_ name: String, values: [String: any Sendable] = [:]) {
    self.name = name
    self.values = values
  }
}
