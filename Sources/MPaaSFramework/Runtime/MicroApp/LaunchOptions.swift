/// The way in which a micro-app comes onto the screen.
public struct LaunchMode: Sendable, Hashable {
  /// A way onto the screen: pushed onto what is shown, or presented over it.
  public enum Style: Sendable, Hashable {
    /// Pushed onto what is shown.
    case push
    /// Presented over what is shown.
    case present
  }

  /// The way onto the screen; pushed unless set.
  public var style: Style
  /// True where the screen changes with an animation.
  public var isAnimated: Bool
  /// Starts one more of a micro-app that is on the stack already, on top; otherwise that one comes back.
  public var startsAnother: Bool

  /// Makes a mode: pushed, with an animation, and once on the stack, unless told otherwise.
  public init(style: Style = .push, isAnimated: Bool = true, startsAnother: Bool = false) {
    self.style = style
    self.isAnimated = isAnimated
    self.startsAnother = startsAnother
  }

  /// A push with an animation.
  public static let push = LaunchMode()
  /// A push without an animation.
  public static let pushWithoutAnimation = LaunchMode(isAnimated: false)
  /// A presentation with an animation.
  public static let present = LaunchMode(style: .present)
  /// A presentation without an animation.
  public static let presentWithoutAnimation = LaunchMode(style: .present, isAnimated: false)
  /// One more on top, whether or not the micro-app is on the stack.
  public static let another = LaunchMode(startsAnother: true)
}

/// With what, how and why a micro-app is started or comes back.
public struct LaunchOptions: Sendable {
  /// The reasons why the micro-app is called.
  public enum Reason: Sendable, Hashable {
    /// It was not on the stack.
    case launch
    /// It was on the stack and was started again; what stood above it has ended.
    case restart
    /// Called since what covered it ended, or could not be started.
    case uncovered
  }

  /// The values that the micro-app is given.
  public var parameters: Parameters
  /// The way in which the micro-app comes onto the screen.
  public var mode: LaunchMode
  /// The reason for which the micro-app is called.
  public var reason: Reason
  /// The micro-app that was current when this was asked for.
  public var source: String?

  /// Makes options: a first launch, pushed and without parameters, unless told otherwise.
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
