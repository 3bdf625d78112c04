/// A module that says in its source how it is registered; it needs no line in `MobileRuntime.plist`.
///
/// ```swift
/// final class CartModule: RegisteredModule {
///   static var registration: ModuleRegistration { ModuleRegistration(priority: 10) }
/// }
/// ```
/// The build-tool plugin `RuntimeTable` finds such classes by their inheritance clause.
public protocol RegisteredModule: FrameworkModule {
  /// Its place among the modules; a normal one of priority 0 where it does not say.
  nonisolated static var registration: ModuleRegistration { get }
}

extension RegisteredModule {
  /// A registration of level 1 and priority 0.
  nonisolated public static var registration: ModuleRegistration { ModuleRegistration() }
}

/// The place of a module among the others.
public struct ModuleRegistration: Sendable, Hashable {
  /// Modules of a lower level come first: 0 is basic, 1 normal.
  public var level: Int
  /// Within a level, modules of a higher priority come first.
  public var priority: Int

  /// Makes a registration: level 1 and priority 0 unless they are given.
  public init(level: Int = 1, priority: Int = 0) {
    self.level = level
    self.priority = priority
  }
}

extension ModuleEntry {
  /// The entry of a module that says itself how it is registered.
  ///
  /// - Parameters:
  ///   - type: The class of the module.
  ///   - place: The line of the class.
  public init(registered type: any RegisteredModule.Type, place: SourcePlace? = nil) {
    self.init(type: type, place: place)
  }

  /// The name that messages call the module: the name of its type.
  public var name: String { String(describing: type) }
}
