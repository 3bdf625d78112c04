import MPaaSFramework

/// A record of the modules of a test; set anew by each test through its context's journal.
@MainActor class NotingModule: FrameworkModule {
  /// Each task of a test has its own.
  @TaskLocal static var journal = Journal<String>()

  struct Refused: Error, CustomStringConvertible { var description: String { "not today" } }

  required init() {}

  /// The step in which this module throws.
  var refuses: String { "" }

  func note(_ step: String) throws {
    Self.journal.note("\(type(of: self)) \(step)")
    if refuses == step { throw Refused() }
  }

  func setUp(in context: MobileContext) throws { try note("set-up") }
  func initialize(in context: MobileContext) throws { try note("init") }
  func splash(in context: MobileContext) throws { try note("splash") }
  func handle(_ event: SystemEvent, in context: MobileContext) throws { try note(event.name) }
  func tearDown(in context: MobileContext) throws { try note("tear-down") }
}

final class Base: NotingModule {}
final class Cart: NotingModule {}
final class Pay: NotingModule {}
final class Mine: NotingModule {}

final class FailsInSetUp: NotingModule { override var refuses: String { "set-up" } }
final class FailsInInit: NotingModule { override var refuses: String { "init" } }
final class FailsInSplash: NotingModule { override var refuses: String { "splash" } }
final class FailsInEvent: NotingModule { override var refuses: String { "didBecomeActive" } }

final class Registered: NotingModule, RegisteredModule {
  static var registration: ModuleRegistration { ModuleRegistration(level: 0, priority: 7) }
}

final class RegisteredPlainly: NotingModule, RegisteredModule {}

struct CartChanged: ModuleEvent { let count: Int }

extension MobileContext {
  /// All steps of the start.
  func startModules() throws {
    try modules.setUp(in: self)
    try modules.initialize(in: self)
    modules.splash(in: self)
  }
}
