/// A micro-app on the stack, or one that was there.
@MainActor public final class MicroApp: Identifiable {
  /// A stage in the life of a micro-app.
  public enum State: Sendable, Hashable {
    /// Made, and not yet told that it starts.
    case created
    case starting
    case running
    case paused
    case terminated
  }

  /// The registration of the micro-app, by which it was made.
  public nonisolated let entry: ApplicationEntry
  /// The app's object that hears the micro-app's callbacks.
  public let delegate: any MicroAppDelegate
  /// Those of the start, or of the last time it was started again.
  public internal(set) var options: LaunchOptions
  /// The stage that the micro-app is at.
  public internal(set) var state: State = .created
  /// The services of the context that made the micro-app.
  public nonisolated let services: ServiceRegistry
  /// The context that runs it; nil once that is gone.
  public private(set) weak var context: MobileContext?

  init(_ entry: ApplicationEntry, options: LaunchOptions, context: MobileContext) {
    self.entry = entry
    self.options = options
    self.context = context
    services = context.services
    delegate = entry.delegate.init()
  }

  /// The name that the micro-app is registered under: `20000003`.
  public nonisolated var name: String { entry.name }
  /// The title for people: the plist's description, else its name.
  public nonisolated var title: String { entry.title ?? entry.name }
  /// The line that registered the micro-app; nil where it is unknown.
  public nonisolated var place: SourcePlace? { entry.place }

  /// The object that shows it on a screen; asked from the delegate when it is first wanted.
  public private(set) lazy var rootController: AnyObject? = delegate.rootController(in: self)

  /// Starts another micro-app on top of what is current.
  @discardableResult
  public func start(
    _ name: String, parameters: Parameters = [:], mode: LaunchMode = .push
  ) throws(FrameworkError) -> MicroApp? {
    try livingContext.start(name, parameters: parameters, mode: mode)
  }

  /// Ends this micro-app, wherever it stands on the stack; those above it stay.
  ///
  /// - Parameters:
  ///   - animated: True where the screen changes with an animation.
  ///   - result: What the micro-app below is given as it comes back, if this one is on top.
  public func exit(animated: Bool = true, returning result: Parameters = [:]) throws(FrameworkError) {
    try livingContext.exit(self, animated: animated, returning: result)
  }

  /// Ends this micro-app without asking it.
  public func forceExit() throws(FrameworkError) {
    try livingContext.exit(self, isForced: true, animated: false)
  }

  private var livingContext: MobileContext {
    get throws(FrameworkError) {
      guard let context else { throw FrameworkError(.contextTerminated, .application(name), at: place) }
      return context
    }
  }
}
