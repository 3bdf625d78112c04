/// A part of an app that takes part in its start, its events and its end.
///
/// The life of a module, each step for all modules in their order before the next step begins:
///
/// | step | for | BeeHive's name |
/// | --- | --- | --- |
/// | `init()` | the object alone; nothing else is there yet | `init` |
/// | `setUp` | services, handlers, routes: what others may ask for | `modSetUp:` |
/// | `initialize` | work that uses what others have set up | `modInit:` |
/// | `initializeLater` | work that the first screen need not wait for | `modInit:` of an `async` module |
/// | `splash` | the first screen is about to be shown | `modSplash:` |
/// | `handle` | events of the system | `modDidBecomeActive:` … |
/// | `tearDown` | in reverse order | `modTearDown:` |
///
/// A step that throws is reported with the module's name and the line that registered it. The others go on; the module
/// itself takes part in nothing that comes later, unless it threw in `handle` or `splash`. A module of level 0 is what
/// others build on: where its `setUp` or `initialize` throws, the modules that are set up are torn down and the start
/// ends with the error.
@MainActor public protocol FrameworkModule: AnyObject, Sendable {
  /// Makes the module's object; neither context nor other modules are there yet.
  init()

  /// Tells whether `initializeLater` has something to do.
  static var isAsynchronous: Bool { get }

  /// Offers what other modules may ask for.
  func setUp(in context: MobileContext) throws

  /// Begins its own work; all modules are set up.
  func initialize(in context: MobileContext) throws

  /// Does what the first screen need not wait for, beside the other asynchronous modules.
  ///
  /// Called only where `isAsynchronous` is true, after `initialize` of all modules. It begins in the order of the
  /// modules and runs on the main actor until it first waits. Its task is cancelled when the module is torn down.
  func initializeLater(in context: MobileContext) async throws

  /// Prepares the first screen, which is about to be shown.
  func splash(in context: MobileContext) throws

  /// Hears what the system tells the app.
  func handle(_ event: SystemEvent, in context: MobileContext) throws

  /// Gives back what it holds; modules are torn down in the reverse of their order.
  func tearDown(in context: MobileContext) throws
}

extension FrameworkModule {
  /// False by default: the module has no work that the first screen need not wait for.
  public static var isAsynchronous: Bool { false }
  /// Offers nothing to other modules by default.
  public func setUp(in context: MobileContext) throws {}
  /// Begins no work by default.
  public func initialize(in context: MobileContext) throws {}
  /// Does no later work by default.
  public func initializeLater(in context: MobileContext) async throws {}
  /// Prepares nothing for the first screen by default.
  public func splash(in context: MobileContext) throws {}
  /// Ignores events by default.
  public func handle(_ event: SystemEvent, in context: MobileContext) throws {}
  /// Gives nothing back by default.
  public func tearDown(in context: MobileContext) throws {}
}
