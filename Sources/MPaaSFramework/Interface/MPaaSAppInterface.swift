/// What an app tells the kit of itself; each point has a default.
public protocol MPaaSAppInterface: Sendable {
  /// Classes that open URLs, in the order in which they are asked.
  @MainActor var schemeHandlers: [any SchemeHandler.Type] { get }
}

extension MPaaSAppInterface {
  @MainActor public var schemeHandlers: [any SchemeHandler.Type] { [StartApplicationHandler.self] }
}

/// An interface in which every point has its default.
public struct StandardAppInterface: MPaaSAppInterface {
  public init() {}
}
