import MPaaSFramework
import Testing

@MainActor @Suite("Modules that fail") struct ModuleFailureTests {
  let journal = Journal<String>()

  func start(_ entries: ModuleEntry..., then: (MobileContext) -> Void = { _ in }) throws -> MobileContext {
    let context = try MobileContext(RuntimeTable(modules: entries))
    try NotingModule.$journal.withValue(journal) {
      try context.startModules()
      then(context)
    }
    return context
  }

  @Test("one that throws in its set-up is reported with its name and line, takes part in nothing, and stops nobody")
  func inSetUp() throws {
    let place = SourcePlace("MobileRuntime.plist", line: 12)
    let context = try start(
      ModuleEntry(type: FailsInSetUp.self, place: place), ModuleEntry(type: Cart.self)
    ) {
      $0.trigger(.didBecomeActive)
      $0.modules.tearDown(in: $0)
    }
    let failure = try #require(context.modules.failures.first)
    #expect(context.modules.failures.count == 1)
    #expect(failure.phase == .setUp)
    #expect(failure.error.place == place)
    #expect(failure.error.code == .moduleFailed)
    #expect(failure.error.underlying is NotingModule.Refused)
    #expect("\(failure.error)".contains("FailsInSetUp"))
    #expect("\(failure.error)".contains("not today"))
    #expect(journal.entries.filter { $0.hasPrefix("FailsInSetUp") } == ["FailsInSetUp set-up"])
    #expect(journal.entries.filter { $0.hasPrefix("Cart") }.count == 5)
  }

  @Test("one that throws in its init is torn down at the end and hears nothing before")
  func inInit() throws {
    _ = try start(ModuleEntry(type: FailsInInit.self), ModuleEntry(type: Cart.self)) {
      $0.trigger(.didBecomeActive)
      $0.modules.tearDown(in: $0)
    }
    #expect(
      journal.entries.filter { $0.hasPrefix("Fails") }
        == ["FailsInInit set-up", "FailsInInit init", "FailsInInit tear-down"])
  }

  @Test("one that throws at the splash or in an event goes on taking part", arguments: [true, false])
  func later(inSplash: Bool) throws {
    let type: any FrameworkModule.Type = inSplash ? FailsInSplash.self : FailsInEvent.self
    let context = try start(ModuleEntry(type: type), ModuleEntry(type: Cart.self)) {
      let errors = $0.trigger(.didBecomeActive)
      #expect(errors.count == (inSplash ? 0 : 1))
      $0.trigger(.willTerminate)
    }
    #expect(journal.entries.filter { $0.hasPrefix("Cart") }.last == "Cart willTerminate")
    #expect(journal.entries.contains("\(type) willTerminate"))
    #expect(context.modules.failures.map(\.phase) == [inSplash ? .splash : .event])
  }

  @Test("a basic one ends the start where it throws; what was set up is torn down in reverse")
  func basic() throws {
    let context = try MobileContext(
      RuntimeTable(modules: [
        ModuleEntry(type: Base.self, level: 0, priority: 2), ModuleEntry(type: Pay.self, level: 0, priority: 1),
        ModuleEntry(type: FailsInSetUp.self, level: 0), ModuleEntry(type: Cart.self),
      ]))
    let error = NotingModule.$journal.withValue(journal) {
      #expect(throws: FrameworkError.self) { try context.startModules() }
    }
    #expect(error?.code == .basicModuleFailed)
    #expect(error?.subject == .module("FailsInSetUp"))
    #expect(
      journal.entries == ["Base set-up", "Pay set-up", "FailsInSetUp set-up", "Pay tear-down", "Base tear-down"])
    #expect(context.modules.stage == .idle)
  }

  @Test("whoever wants to know is told as it happens")
  func told() throws {
    let context = try MobileContext(RuntimeTable(modules: [ModuleEntry(type: FailsInInit.self)]))
    var told: [ModulePhase] = []
    context.modules.onFailure = { told.append($0.phase) }
    try context.startModules()
    #expect(told == [.initialize])
  }
}
