import MPaaSFramework
import Testing

final class Slow: FrameworkModule {
  @TaskLocal static var gate = Gate()
  @TaskLocal static var journal = Journal<String>()
  static var isAsynchronous: Bool { true }
  init() {}

  func initializeLater(in context: MobileContext) async throws {
    Self.journal.note("begun")
    await Self.gate.pass()
    Self.journal.note(Task.isCancelled ? "cancelled" : "done")
    try Task.checkCancellation()
  }
  func tearDown(in context: MobileContext) throws { Self.journal.note("torn down") }
}

final class FailsLater: FrameworkModule {
  static var isAsynchronous: Bool { true }
  init() {}
  func initializeLater(in context: MobileContext) async throws {
    await Task.yield()
    throw NotingModule.Refused()
  }
}

/// Throws an error of its own, cancelled or not.
final class Sulky: FrameworkModule {
  @TaskLocal static var gate = Gate()
  static var isAsynchronous: Bool { true }
  init() {}
  func initializeLater(in context: MobileContext) async throws {
    await Self.gate.pass()
    throw NotingModule.Refused()
  }
}

@MainActor @Suite("Asynchronous modules") struct AsynchronousModuleTests {
  let gate = Gate()
  let journal = Journal<String>()

  func context(_ types: any FrameworkModule.Type...) throws -> MobileContext {
    try MobileContext(
      RuntimeTable(modules: types.map { ModuleEntry(type: $0, place: SourcePlace("R.plist", line: 3)) }))
  }

  @Test("the splash does not wait for them, and whoever wants to can")
  func later() async throws {
    let context = try context(Slow.self)
    try Slow.$gate.withValue(gate) { try Slow.$journal.withValue(journal) { try context.startModules() } }
    #expect(context.modules.stage == .splashed)
    #expect(journal.entries.isEmpty)
    await until { gate.arrived == 1 }
    gate.open()
    await context.modules.settled()
    #expect(journal.entries == ["begun", "done"])
    #expect(context.modules.times[0].spent[.initializeLater] != nil)
  }

  @Test("one that throws is reported with its line and takes part no more")
  func failing() async throws {
    let context = try context(FailsLater.self)
    try context.startModules()
    await context.modules.settled()
    #expect(context.modules.failures.map(\.phase) == [.initializeLater])
    #expect(context.modules.failures.first?.error.place == SourcePlace("R.plist", line: 3))
  }

  @Test("what one says that was torn down meanwhile is no failure, and its successor takes part")
  func successor() async throws {
    let context = try context(Sulky.self)
    try Sulky.$gate.withValue(gate) { try context.startModules() }
    await until { gate.arrived == 1 }
    context.modules.tearDown(in: context)
    let second = Gate()
    try Sulky.$gate.withValue(second) { try context.startModules() }
    gate.open()
    await until { second.arrived == 1 }
    second.open()
    await context.modules.settled()
    #expect(context.modules.failures.count == 1, "the second one, which nobody cancelled")
  }

  @Test("tearing down cancels what goes on; that is no failure")
  func cancelled() async throws {
    let context = try context(Slow.self)
    try Slow.$gate.withValue(gate) { try Slow.$journal.withValue(journal) { try context.startModules() } }
    await until { gate.arrived == 1 }
    Slow.$journal.withValue(journal) { context.modules.tearDown(in: context) }
    gate.open()
    await until { journal.entries.count == 3 }
    #expect(journal.entries == ["begun", "torn down", "cancelled"])
    #expect(context.modules.failures.isEmpty)
  }
}
