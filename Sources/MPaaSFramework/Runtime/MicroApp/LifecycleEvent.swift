/// The callbacks of a micro-app's life cycle, by the name of the method.
public enum LifecycleStep: String, Sendable, Hashable, CaseIterable {
  case didCreate = "applicationDidCreate(_:)"
  case willStartLaunching = "application(_:willStartLaunchingWithOptions:)"
  case didFinishLaunching = "applicationDidFinishLaunching(_:)"
  case willPause = "applicationWillPause(_:)"
  case willResume = "application(_:willResumeWithOptions:)"
  case didResume = "applicationDidResume(_:)"
  case willTerminate = "applicationWillTerminate(_:animated:)"
}

/// A callback that a micro-app has come through.
public struct LifecycleEvent: Sendable {
  /// The name of the micro-app.
  public let application: String
  /// The callback that was made.
  public let step: LifecycleStep
  /// The options of the micro-app's start at that time.
  public let options: LaunchOptions
  /// The error that the callback threw.
  public let error: FrameworkError?
}

/// Somebody who is told each step of each micro-app, until this is cancelled or let go.
@MainActor public final class LifecycleObservation {
  fileprivate var body: (@MainActor (LifecycleEvent) -> Void)?

  init(_ body: @escaping @MainActor (LifecycleEvent) -> Void) { self.body = body }

  /// Ends the observation: the body is let go and not called again.
  public func cancel() { body = nil }
}

/// An observation that goes when its owner lets it go.
struct LifecycleObserver {
  weak var observation: LifecycleObservation?
}

extension MobileContext {
  /// Tells `body` of each callback after it was made, as long as the result is kept.
  public func observe(_ body: @escaping @MainActor (LifecycleEvent) -> Void) -> LifecycleObservation {
    let observation = LifecycleObservation(body)
    observers.removeAll { $0.observation?.body == nil }
    observers.append(LifecycleObserver(observation: observation))
    return observation
  }

  func tell(_ event: LifecycleEvent) {
    for observer in observers { observer.observation?.body?(event) }
  }
}
