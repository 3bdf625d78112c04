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
  public let application: String
  public let step: LifecycleStep
  public let options: LaunchOptions
  /// What the callback threw.
  public let error: FrameworkError?
}

/// Somebody who is told each step of each micro-app, until this is cancelled or let go.
@MainActor public final class LifecycleObservation {
  private weak var context: MobileContext?
  private let number: Int

  init(_ context: MobileContext, number: Int) {
    self.context = context
    self.number = number
  }

  public func cancel() {
    context?.observers[number] = nil
  }

  isolated deinit { context?.observers[number] = nil }
}

extension MobileContext {
  /// Tells `body` of each callback after it was made, as long as the result is kept.
  public func observe(_ body: @escaping @MainActor (LifecycleEvent) -> Void) -> LifecycleObservation {
    nextObserver += 1
    observers[nextObserver] = body
    return LifecycleObservation(self, number: nextObserver)
  }
}
