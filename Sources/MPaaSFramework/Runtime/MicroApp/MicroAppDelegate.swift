/// The life of a micro-app as it is started, covered, shown again and ended.
///
/// A start calls `applicationDidCreate`, `applicationShouldStart`, `willStartLaunchingWithOptions`, then
/// `applicationWillPause` of the micro-app that is covered, and `applicationDidFinishLaunching`. A micro-app that comes
/// back, because it was started again or because what covered it ended, gets `willResumeWithOptions` and
/// `applicationDidResume`. One that ends gets `applicationShouldTerminate` (unless it is forced) and
/// `applicationWillTerminate`; it is not paused before. Each micro-app that was told `willStartLaunchingWithOptions`
/// is told `applicationWillTerminate` once, even where its start is broken off later.
///
/// A callback may start and exit micro-apps: that happens as soon as the change that is under way is done, in the order
/// asked. An error that a callback throws ends up in a `FrameworkError` that names the micro-app, the callback and the
/// line that registered it; the stack stays consistent, see `Documentation/Framework.md`.
@MainActor public protocol MicroAppDelegate: AnyObject, Sendable {
  /// Makes the delegate of a micro-app that is started.
  init()

  /// The object that shows the micro-app on a screen: a view controller on phones; nil where there is no screen.
  func rootController(in application: MicroApp) -> AnyObject?

  /// The micro-app's object was made.
  func applicationDidCreate(_ application: MicroApp) throws

  /// Tells whether the micro-app may be started now.
  func applicationShouldStart(_ application: MicroApp, options: LaunchOptions) -> Bool

  /// The micro-app is about to be started; nothing is covered yet.
  func application(_ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions) throws

  /// The micro-app was started and is the current one.
  func applicationDidFinishLaunching(_ application: MicroApp) throws

  /// Another micro-app is about to cover this one.
  func applicationWillPause(_ application: MicroApp) throws

  /// The micro-app is about to be the current one again; `options.reason` says why.
  func application(_ application: MicroApp, willResumeWithOptions options: LaunchOptions) throws

  /// The micro-app is the current one again.
  func applicationDidResume(_ application: MicroApp) throws

  /// Tells whether the micro-app can exit now; not asked where the exit is forced.
  func applicationShouldTerminate(_ application: MicroApp) -> Bool

  /// The micro-app is about to end; an error is reported, and it ends all the same.
  func applicationWillTerminate(_ application: MicroApp, animated: Bool) throws

  /// A notification came from a server; the micro-app on top of the stack is asked first.
  ///
  /// - Returns: Whether it was meant for this one, so that those below are not asked.
  func application(
    _ application: MicroApp, didReceiveRemoteNotification notification: NotificationPayload,
    reply: EventReply<FetchResult>
  ) throws -> Bool

  /// Another language is spoken: what is shown gets its texts anew.
  func application(_ application: MicroApp, languageDidChange change: LanguageChange) throws
}

extension MicroAppDelegate {
  /// Returns nil by default: the micro-app has no view controller.
  public func rootController(in application: MicroApp) -> AnyObject? { nil }
  /// Does nothing by default once the micro-app's object is made.
  public func applicationDidCreate(_ application: MicroApp) throws {}
  /// Returns true by default: the micro-app may always be started.
  public func applicationShouldStart(_ application: MicroApp, options: LaunchOptions) -> Bool { true }
  /// Does nothing by default before the micro-app starts.
  public func application(_ application: MicroApp, willStartLaunchingWithOptions options: LaunchOptions) throws {}
  /// Does nothing by default once the micro-app has started.
  public func applicationDidFinishLaunching(_ application: MicroApp) throws {}
  /// Does nothing by default before another micro-app covers this one.
  public func applicationWillPause(_ application: MicroApp) throws {}
  /// Does nothing by default before the micro-app comes back.
  public func application(_ application: MicroApp, willResumeWithOptions options: LaunchOptions) throws {}
  /// Does nothing by default once the micro-app is back.
  public func applicationDidResume(_ application: MicroApp) throws {}
  /// Returns true by default: the micro-app can always exit.
  public func applicationShouldTerminate(_ application: MicroApp) -> Bool { true }
  /// Does nothing by default before the micro-app ends.
  public func applicationWillTerminate(_ application: MicroApp, animated: Bool) throws {}
  /// Returns false by default: the notification goes to the micro-app below.
  public func application(
    _ application: MicroApp, didReceiveRemoteNotification notification: NotificationPayload,
    reply: EventReply<FetchResult>
  ) throws -> Bool { false }
  /// Does nothing by default as the language changes.
  public func application(_ application: MicroApp, languageDidChange change: LanguageChange) throws {}
}
