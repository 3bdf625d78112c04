/// The owner of all that runs an app: its modules, its micro-apps on their stack, its services, routes, exported
/// methods and messages.
///
/// ```swift
/// let context = try MobileContext(.mobileRuntime)
/// try await context.launch()
/// try context.start("cart", parameters: ["id": 42])
/// ```
/// An app usually has one; tests make as many as they like. Services and exported methods may be used from any thread,
/// the rest on the main actor.
@MainActor public final class MobileContext {
  /// The micro-apps that may be started, in the order of the tables.
  public nonisolated let applications: [ApplicationEntry]
  /// The micro-app that is started first and stays at the bottom of the stack.
  public nonisolated let launcher: String?
  /// The services of the app.
  public nonisolated let services: ServiceRegistry
  /// The methods that modules export to one another.
  public nonisolated let methods: ExportedMethods
  /// The app's settings and its points in the launch.
  public nonisolated let interface: any MPaaSAppInterface
  /// The routes that open URLs.
  public let routes: RouteTable
  /// The modules of the app.
  public let modules: ModuleRegistry
  /// The queue of the app's messages.
  public nonisolated let messages: MessageQueue
  /// The actions, their times, durations and objects.
  public nonisolated let trace: TraceRecorder
  /// The world that the app talks to.
  public nonisolated let environment: AppEnvironment
  /// The app's texts, and the language that they are shown in; `speak(_:)` changes it.
  public let languages: LanguageSetting

  /// The micro-apps that run, the launcher first, the current one last.
  public internal(set) var stack: [MicroApp] = []
  /// Tells whether `terminate()` has ended everything.
  public internal(set) var isTerminated = false

  /// The points of the launch that the interface was told of.
  var told: Set<LaunchPoint> = []
  private let entries: [String: ApplicationEntry]
  var isChanging = false
  var waiting: [StackChange] = []
  var observers: [LifecycleObserver] = []

  /// Makes a context of one or more tables; nothing is started before `launch()` or `start(_:)`.
  ///
  /// - Parameters:
  ///   - tables: The lists of what the app is made of.
  ///   - interface: The app's settings and its points in the launch.
  ///   - environment: `MPAAS_ENVIRONMENT` decides where it is nil, and then it is the release.
  ///   - trace: A recorder of its own where it is nil; `MPAAS_TRACE` names the file that it writes.
  /// - Throws: `application-registered-twice`, `service-registered-twice`, `module-registered-twice`,
  ///   `controller-attached-twice`, `launcher-ambiguous`, with the lines; `environment-unknown`, `interface-malformed`.
  public init(
    _ tables: RuntimeTable..., interface: any MPaaSAppInterface = StandardAppInterface(),
    environment: AppEnvironment? = nil, trace: TraceRecorder? = nil
  ) throws(FrameworkError) {
    try interface.check()
    let trace = trace ?? .live()
    let table = try RuntimeTable.joining(tables)
    applications = table.applications
    launcher = table.launcher
    entries = Dictionary(table.applications.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.trace = trace
    if let environment { self.environment = environment } else { self.environment = try .selected() }
    services = try ServiceRegistry(table.services, trace: trace)
    messages = MessageQueue()
    modules = ModuleRegistry(trace: trace)
    methods = ExportedMethods()
    routes = RouteTable(handlers: interface.schemeHandlers)
    self.interface = interface
    languages = LanguageSetting(
      interface.languageTexts, system: interface.systemLanguages, preference: interface.languagePreference)
    try modules.register(contentsOf: table.modules)
    try messages.attach(table.controllers, services: services)
  }

  /// Sets the modules up, starts the services that are not lazy, initialises the modules, and starts the launcher.
  ///
  /// Asynchronous modules go on afterwards; `modules.settled()` waits for them.
  /// The interface is told before all that, before the launcher, and at the end.
  /// A second call goes on where the first one failed, and else does nothing. The trace is written in either case.
  /// - Parameter parameters: What the launcher is started with.
  /// - Throws: `basic-module-failed`, what services and the launcher threw, `interface-failed`, `context-terminated`.
  public func launch(parameters: Parameters = [:]) async throws(FrameworkError) {
    guard !isTerminated else { throw FrameworkError(.contextTerminated, .context) }
    defer { modules.settle() }
    try trace.measure(.framework, "launch") { () throws(FrameworkError) in
      try tell(.willLaunch)
      try modules.setUp(in: self)
      try trace.measure(.phase, "services") { () throws(FrameworkError) in try services.start() }
      try modules.initialize(in: self)
      modules.splash(in: self)
      if let launcher, find(launcher) == nil {
        try tell(.willStartLauncher)
        try start(launcher, parameters: parameters)
      }
      try tell(.didLaunch)
    }
  }

  /// The micro-app on top of the stack, which the user sees.
  public var current: MicroApp? { stack.last }

  /// The topmost micro-app of that name on the stack.
  public func find(_ name: String) -> MicroApp? {
    stack.last { $0.name == name }
  }

  /// The service that was registered for the protocol, or of that class: `service(for: (any AccountService).self)`.
  public nonisolated func service<Service>(for type: Service.Type) throws(FrameworkError) -> Service {
    try services.service(for: type)
  }

  /// The service of that name.
  public nonisolated func service(named name: String) throws(FrameworkError) -> any MobileService {
    try services.service(named: name)
  }

  /// The service of that name as the type that the caller expects.
  public nonisolated func service<Service>(named name: String, as type: Service.Type) throws(FrameworkError) -> Service
  {
    try services.service(named: name, as: type)
  }

  /// The entry that is registered under a name; an unknown name is answered with the nearest known one.
  func entry(_ name: String) throws(FrameworkError) -> ApplicationEntry {
    if let entry = entries[name] { return entry }
    let near = nearest(to: name, among: applications.map(\.name))
    throw FrameworkError(
      .applicationUnknown, .application(name), values: ["suggestion": near.map { " (\($0)?)" } ?? ""])
  }
}
