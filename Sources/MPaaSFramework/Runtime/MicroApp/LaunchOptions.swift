/// How a micro-app comes onto the screen.
public struct LaunchMode: Sendable, Hashable {
  public enum Style: Sendable, Hashable {
    case push
    case present
  }

  public var style: Style
  public var isAnimated: Bool
  /// Starts one more of a micro-app that is on the stack already, on top; otherwise that one comes back.
  public var startsAnother: Bool

  public init(style: Style = .push, isAnimated: Bool = true, startsAnother: Bool = false) {
    self.style = style
    self.isAnimated = isAnimated
    self.startsAnother = startsAnother
  }

  public static let push = LaunchMode()
  public static let pushWithoutAnimation = LaunchMode(isAnimated: false)
  public static let present = LaunchMode(style: .present)
  public static let presentWithoutAnimation = LaunchMode(style: .present, isAnimated: false)
  /// One more on top, whether or not the micro-app is on the stack.
  public static let another = LaunchMode(startsAnother: true)
}

/// With what, how and why a micro-app is started or comes back.
public struct LaunchOptions: Sendable {
  /// Why the micro-app is called.
  public enum Reason: Sendable, Hashable {
    /// It was not on the stack.
    case launch
    /// It was on the stack and was started again; what stood above it has ended.
    case restart
    /// What covered it ended, or could not be started.
    case uncovered
  }

  public var parameters: Parameters
  public var mode: LaunchMode
  public var reason: Reason
  /// The micro-app that was current when this was asked for.
  public var source: String?

  public init(
    parameters: Parameters = [:], mode: LaunchMode = .push, reason: Reason = .launch, source: String? = nil
  ) {
    self.parameters = parameters
    self.mode = mode
    self.reason = reason
    self.source = source
  }

  /// The parameter of that name as text, where it is text.
  public subscript(name: String) -> String? { parameters[name] as? String }
}
