import MPaaSFramework
import Testing

@MainActor @Suite("Modules in their order") struct ModuleOrderTests {
  let journal = Journal<String>()

  func context(_ entries: ModuleEntry...) throws -> MobileContext {
    try MobileContext(RuntimeTable(modules: entries))
  }

  func noting(_ work: () throws -> Void) rethrows -> [String] {
    try NotingModule.$journal.withValue(journal, operation: work)
    return journal.entries
  }

  @Test("lower levels come first, then higher priorities, then what was registered first; each step for all at once")
  func order() throws {
    let context = try context(
      ModuleEntry(type: Mine.self), ModuleEntry(type: Pay.self, priority: 5), ModuleEntry(type: Cart.self),
      ModuleEntry(type: Base.self, level: 0, priority: -3))
    let entries = try noting { try context.startModules() }
    let order = ["Base", "Pay", "Mine", "Cart"]
    #expect(entries == ["set-up", "init", "splash"].flatMap { step in order.map { "\($0) \(step)" } })
  }

  @Test("tear-down goes the other way round, and the modules may be set up again")
  func tearDown() throws {
    let context = try context(ModuleEntry(type: Cart.self), ModuleEntry(type: Pay.self))
    let entries = try noting {
      try context.startModules()
      context.modules.tearDown(in: context)
      try context.modules.setUp(in: context)
    }
    #expect(entries.suffix(4) == ["Pay tear-down", "Cart tear-down", "Cart set-up", "Pay set-up"])
  }

  @Test("a module that registers itself says its level and priority in its source")
  func registered() throws {
    let entry = ModuleEntry(registered: Registered.self, place: SourcePlace("Cart.swift", line: 3))
    #expect(entry.level == 0)
    #expect(entry.priority == 7)
    #expect(entry.name == "Registered")
    #expect(entry.place?.line == 3)
    let plain = ModuleEntry(registered: RegisteredPlainly.self)
    #expect(plain.level == 1)
    #expect(plain.priority == 0)
  }

  @Test("the declared level and priority count in every way of registering; what is given goes before")
  func declared() throws {
    let expected = ModuleRegistration(level: 0, priority: 7)
    let byHand = ModuleEntry(type: Registered.self)
    let byCall = try context()
    try byCall.modules.register(Registered.self)
    for entry in [byHand, ModuleEntry(registered: Registered.self)] + byCall.modules.entries {
      #expect(ModuleRegistration(level: entry.level, priority: entry.priority) == expected)
    }
    let given = ModuleEntry(type: Registered.self, priority: 2)
    #expect(given.level == 0)
    #expect(given.priority == 2)
    let both = try context(byHand, ModuleEntry(registered: Registered.self))
    #expect(both.modules.entries.count == 1)
  }

  @Test("a module registered by call stands where it belongs, and errors name the line of the call")
  func byCall() throws {
    let context = try context(ModuleEntry(type: Cart.self))
    try context.modules.register(Pay.self, priority: 1, file: "App/main.swift", line: 12)
    #expect(context.modules.entries.map(\.name) == ["Pay", "Cart"])
    #expect(context.modules.entries[0].place == SourcePlace("App/main.swift", line: 12))
  }

  @Test("a module that comes while the app runs catches up with the others")
  func late() throws {
    let context = try context(ModuleEntry(type: Cart.self))
    let entries = try noting {
      try context.startModules()
      try context.modules.register(Pay.self, level: 0)
      context.trigger(.didBecomeActive)
    }
    #expect(
      entries.suffix(5) == [
        "Pay set-up", "Pay init", "Pay splash", "Pay didBecomeActive", "Cart didBecomeActive",
      ])
  }

  @Test("a module that is taken out is torn down and hears nothing more")
  func removed() throws {
    let context = try context(ModuleEntry(type: Cart.self), ModuleEntry(type: Pay.self))
    let entries = try noting {
      try context.startModules()
      try context.modules.remove(Cart.self)
      context.trigger(.didBecomeActive)
    }
    #expect(entries.suffix(2) == ["Cart tear-down", "Pay didBecomeActive"])
    #expect(throws: FrameworkError.self) { try context.modules.module(Cart.self) }
  }

  @Test("registering a type in two ways is an error that names both lines; the same entry again counts once")
  func twice() throws {
    let (first, second) = (SourcePlace("A.plist", line: 4), SourcePlace("B.swift", line: 9))
    let error = try #require(throws: FrameworkError.self) {
      _ = try context(
        ModuleEntry(type: Cart.self, place: first), ModuleEntry(type: Cart.self, priority: 1, place: second))
    }
    #expect(error.code == .moduleRegisteredTwice)
    #expect(error.place == second)
    #expect(error.values["first"] == "A.plist:4")
    let same = try context(ModuleEntry(type: Cart.self, place: first), ModuleEntry(type: Cart.self, place: second))
    #expect(same.modules.entries.map(\.place) == [first])
  }

  @Test("a module is found by its type and by its name, while it is there")
  func found() throws {
    let context = try context(ModuleEntry(type: Cart.self))
    #expect(throws: FrameworkError.self) { try context.modules.module(Cart.self) }
    try context.modules.setUp(in: context)
    let cart = try context.modules.module(Cart.self)
    #expect(try context.modules.module(named: "Cart") === cart)
    let error = #expect(throws: FrameworkError.self) { try context.modules.module(named: "Card") }
    #expect(error?.code == .moduleUnknown)
    #expect(error?.values["suggestion"] == " (Cart?)")
  }

  @Test("a thousand modules keep their order through every step")
  func thousand() throws {
    // One type a module is what registration asks for; a generic type gives as many as are wanted.
    var table = RuntimeTable()
    var random: UInt64 = 42
    for type in manyModuleTypes(1000) {
      random = random &* 6_364_136_223_846_793_005 &+ 1
      table.modules.append(ModuleEntry(type: type, level: Int(random >> 62), priority: Int(random >> 58 & 3)))
    }
    let context = try MobileContext(table)
    let entries = try noting {
      try context.startModules()
      context.trigger(.didBecomeActive)
      context.modules.tearDown(in: context)
    }
    let sorted = table.modules.enumerated().sorted { left, right in
      (left.element.level, -left.element.priority, left.offset)
        < (right.element.level, -right.element.priority, right.offset)
    }.map(\.element.name)
    #expect(entries.count == 5000)
    for (step, name) in ["set-up", "init", "splash", "didBecomeActive"].enumerated() {
      #expect(entries[step * 1000..<(step + 1) * 1000].elementsEqual(sorted.map { "\($0) \(name)" }))
    }
    #expect(entries.suffix(1000).elementsEqual(sorted.reversed().map { "\($0) tear-down" }))
  }
}

/// A bit of the name of a module type of which there are many.
protocol Digit { static var digits: String { get } }
enum Zero: Digit { static var digits: String { "" } }
enum D0<Rest: Digit>: Digit { static var digits: String { "0" + Rest.digits } }
enum D1<Rest: Digit>: Digit { static var digits: String { "1" + Rest.digits } }

final class Numbered<Number: Digit>: NotingModule {}

/// As many different module types as wanted, made from the binary digits of their numbers.
@MainActor func manyModuleTypes(_ count: Int) -> [any FrameworkModule.Type] {
  func number(_ value: Int, _ rest: any Digit.Type) -> any Digit.Type {
    func one<R: Digit>(_: R.Type) -> any Digit.Type { D1<R>.self }
    func zero<R: Digit>(_: R.Type) -> any Digit.Type { D0<R>.self }
    guard value > 0 else { return rest }
    return number(value / 2, value % 2 == 1 ? one(rest) : zero(rest))
  }
  func module<N: Digit>(_: N.Type) -> any FrameworkModule.Type { Numbered<N>.self }
  return (1...count).map { module(number($0, Zero.self)) }
}
