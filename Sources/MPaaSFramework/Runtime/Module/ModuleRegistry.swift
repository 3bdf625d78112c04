import MPaaSTime

/// The modules of an app: their order, their steps, what they cost and where they failed.
///
/// Order: lower levels first, within a level higher priorities first, within a priority as they were registered.
/// `MobileContext` takes the steps: `launch()`, and the tear-down in `terminate()`.
@MainActor public final class ModuleRegistry {
  /// The progress of the modules.
  public enum Stage: Int, Sendable, Comparable {
    case idle, settingUp, setUp, initialized, splashed

    /// Orders stages as the modules come to them.
    public static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
  }

  /// The stage that the modules have come to.
  public internal(set) var stage = Stage.idle
  /// Steps that threw, in the order in which they did.
  public internal(set) var failures: [ModuleFailure] = []
  /// Called as a step throws.
  public var onFailure: (@MainActor (ModuleFailure) -> Void)?

  let trace: TraceRecorder
  weak var context: MobileContext?
  var observers: [EventKey: [EventObserver]] = [:]
  /// The number of events that are being delivered, one within another.
  var eventDepth = 0
  /// Writes the trace when all asynchronous modules are done.
  var settling: Task<Void, Never>?

  private var byType: [ObjectIdentifier: ModuleSlot] = [:]
  private var ordered: [ModuleSlot] = []
  private var isOrdered = true
  private var registered = 0

  init(trace: TraceRecorder) {
    self.trace = trace
  }

  /// In their order.
  public var entries: [ModuleEntry] { slots.map(\.entry) }

  /// The costs of each module so far, in their order.
  public var times: [ModuleTime] { slots.map(\.time) }

  /// Registers the modules of a table, in its order.
  public func register(contentsOf entries: [ModuleEntry]) throws(FrameworkError) {
    for entry in entries { try register(entry) }
  }

  /// Registers a module.
  ///
  /// While the app runs, it catches up at once with the steps that the others have behind them.
  /// - Throws: `module-registered-twice`, naming both lines; what a basic module throws as it catches up.
  public func register(_ entry: ModuleEntry) throws(FrameworkError) {
    let key = ObjectIdentifier(entry.type)
    if let known = byType[key] {
      throw FrameworkError(
        .moduleRegisteredTwice, .module(entry.name), at: entry.place,
        values: ["first": known.entry.place?.description ?? "-"])
    }
    registered += 1
    let slot = ModuleSlot(entry, number: registered)
    if let last = ordered.last, slot < last { isOrdered = false }
    byType[key] = slot
    ordered.append(slot)
    if stage > .settingUp, let context { try catchUp(slot, in: context) }
  }

  /// Registers a module by call; the line of the call is what errors name.
  ///
  /// A level or priority that the call leaves out is the one that the type declares (`RegisteredModule`).
  public func register(
    _ type: any FrameworkModule.Type, level: Int? = nil, priority: Int? = nil, file: String = #fileID,
    line: Int = #line
  ) throws(FrameworkError) {
    try register(ModuleEntry(type: type, level: level, priority: priority, place: SourcePlace(file, line: line)))
  }

  /// Takes a module out: it is torn down if it was set up, and hears no more events.
  ///
  /// - Throws: `app-module-unknown`.
  public func remove(_ type: any FrameworkModule.Type) throws(FrameworkError) {
    guard let slot = byType.removeValue(forKey: ObjectIdentifier(type)) else { throw unknown("\(type)") }
    ordered.removeAll { $0 === slot }
    if let context { tearDown(slot, in: context) }
    removeObservers(of: slot)
  }

  /// The module of this type, once it is made.
  ///
  /// - Throws: `app-module-unknown` where none is registered, or none is made yet, or it failed in its set-up.
  public func module<Module: FrameworkModule>(_ type: Module.Type) throws(FrameworkError) -> Module {
    guard let module = byType[ObjectIdentifier(type)]?.module as? Module else { throw unknown("\(type)") }
    return module
  }

  /// The module whose type bears this name, once it is made.
  ///
  /// - Throws: `app-module-unknown` as above.
  public func module(named name: String) throws(FrameworkError) -> any FrameworkModule {
    guard let module = ordered.first(where: { $0.entry.name == name })?.module else { throw unknown(name) }
    return module
  }
}

extension ModuleRegistry {
  /// All, in their order.
  var slots: [ModuleSlot] {
    if !isOrdered {
      ordered.sort(by: <)
      isOrdered = true
    }
    return ordered
  }

  func slot(of module: any FrameworkModule) throws(FrameworkError) -> ModuleSlot {
    guard let slot = byType[ObjectIdentifier(type(of: module))], slot.module === module else {
      throw unknown("\(type(of: module))")
    }
    return slot
  }

  func unknown(_ name: String) -> FrameworkError {
    let near = nearest(to: name, among: ordered.map(\.entry.name)).flatMap { $0 == name ? nil : $0 }
    return FrameworkError(.moduleUnknown, .module(name), values: ["suggestion": near.map { " (\($0)?)" } ?? ""])
  }
}

/// A registered module: its object while it lives, and what it has cost.
@MainActor final class ModuleSlot {
  let entry: ModuleEntry
  /// From 1, in the order of registration.
  let number: Int
  var module: (any FrameworkModule)?
  /// Tells whether it is initialised or may yet be: it hears events and prepares the first screen.
  var takesPart = false
  var spent: [ModulePhase: TimeSpan] = [:]
  /// `initializeLater` while it goes on.
  var later: Task<Void, Never>?

  init(_ entry: ModuleEntry, number: Int) {
    self.entry = entry
    self.number = number
  }

  var time: ModuleTime {
    ModuleTime(module: entry.name, level: entry.level, priority: entry.priority, spent: spent)
  }

  nonisolated static func < (left: ModuleSlot, right: ModuleSlot) -> Bool {
    let (one, other) = (left.entry, right.entry)
    if one.level != other.level { return one.level < other.level }
    if one.priority != other.priority { return one.priority > other.priority }
    return left.number < right.number
  }
}
