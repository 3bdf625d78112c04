/// Lists what an app is made of: its launcher, micro-apps, services, modules and controllers, with their types.
///
/// The build-tool plugin `RuntimeTable` writes one from `MobileRuntime.plist` and from the types that say in their
/// source that they register themselves; others are made by hand.
public struct RuntimeTable: Sendable {
  /// The name of the micro-app that is started first; nil where the app starts none by itself.
  public var launcher: String?
  /// The micro-apps that may be started.
  public var applications: [ApplicationEntry]
  /// The services of the app.
  public var services: [ServiceEntry]
  /// The modules of the app.
  public var modules: [ModuleEntry]
  /// Controllers that attach themselves with their first message.
  public var controllers: [ControllerEntry]

  /// Makes a table; what is left out is empty.
  public init(
    launcher: String? = nil, applications: [ApplicationEntry] = [], services: [ServiceEntry] = [],
    modules: [ModuleEntry] = [], controllers: [ControllerEntry] = []
  ) {
    self.launcher = launcher
    self.applications = applications
    self.services = services
    self.modules = modules
    self.controllers = controllers
  }
}

/// A micro-app: an entry of `Applications` in `MobileRuntime.plist`.
public struct ApplicationEntry: Sendable {
  /// The name that starts the micro-app: `20000003`.
  public let name: String
  /// The plist's `description`: what people call it.
  public let title: String?
  /// The type of the micro-app's delegate, of which each start makes one.
  public let delegate: any MicroAppDelegate.Type
  /// The line that registers the micro-app; nil where it is unknown.
  public let place: SourcePlace?

  /// Makes the entry of a micro-app.
  ///
  /// - Parameters:
  ///   - name: The name that starts the micro-app.
  ///   - title: The name that people know it by; `name` serves where it is nil.
  ///   - delegate: The type of the delegate, of which each start makes one.
  ///   - place: The line that registers it; nil where it is unknown.
  public init(
    name: String, title: String? = nil, delegate: any MicroAppDelegate.Type, place: SourcePlace? = nil
  ) {
    self.name = name
    self.title = title
    self.delegate = delegate
    self.place = place
  }
}

/// A module: an entry of `Modules` in `MobileRuntime.plist`, or of `moduleClasses` in BeeHive's file.
public struct ModuleEntry: Sendable {
  /// The type of the module, of which the framework makes one.
  public let type: any FrameworkModule.Type
  /// Modules of a lower level are set up first: 0 is basic, 1 normal.
  public let level: Int
  /// Within a level, modules of a higher priority are set up first.
  public let priority: Int
  /// The line that registers the module; nil where it is unknown.
  public let place: SourcePlace?

  /// Registers a module where the caller says, else where its type declares it to be (`RegisteredModule`).
  ///
  /// - Parameters:
  ///   - type: The type of the module.
  ///   - level: Nil for the declared one; 1 where the type declares none.
  ///   - priority: Nil for the declared one; 0 where the type declares none.
  ///   - place: The line that registers it; nil where it is unknown.
  public init(
    type: any FrameworkModule.Type, level: Int? = nil, priority: Int? = nil, place: SourcePlace? = nil
  ) {
    let declared = (type as? any RegisteredModule.Type)?.registration ?? ModuleRegistration()
    self.type = type
    self.level = level ?? declared.level
    self.priority = priority ?? declared.priority
    self.place = place
  }
}
