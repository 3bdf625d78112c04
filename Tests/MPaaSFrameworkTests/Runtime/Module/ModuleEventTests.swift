import MPaaSFramework
import Testing

@MainActor @Suite("Events of modules") struct ModuleEventTests {
  let journal = Journal<String>()

  func started(_ types: any FrameworkModule.Type...) throws -> MobileContext {
    let context = try MobileContext(RuntimeTable(modules: types.map { ModuleEntry(type: $0) }))
    try context.startModules()
    return context
  }

  @Test("a custom event reaches those that observe it, in the order of the modules, with what it carries")
  func custom() throws {
    let context = try started(Cart.self, Pay.self, Mine.self)
    let (cart, pay) = (try context.modules.module(Cart.self), try context.modules.module(Pay.self))
    try context.modules.observe(CartChanged.self, by: pay) { journal.note("pay \($0.count)") }
    try context.modules.observe(CartChanged.self, by: cart) { journal.note("cart \($0.count)") }
    try context.modules.observe(CartChanged.self, by: cart) { journal.note("cart again \($0.count)") }
    context.trigger(CartChanged(count: 3))
    #expect(journal.entries == ["cart 3", "cart again 3", "pay 3"])
  }

  @Test("a named event reaches those that observe its name")
  func named() throws {
    let context = try started(Cart.self)
    let cart = try context.modules.module(Cart.self)
    try context.modules.observe(named: "cart.changed", by: cart) { journal.note("\($0.values["count"] as? Int ?? 0)") }
    context.trigger(NamedEvent("cart.changed", values: ["count": 4]))
    context.trigger(NamedEvent("cart.cleared"))
    #expect(journal.entries == ["4"])
  }

  @Test("who stops observing hears nothing more")
  func stopped() throws {
    let context = try started(Cart.self)
    let cart = try context.modules.module(Cart.self)
    try context.modules.observe(CartChanged.self, by: cart) { _ in journal.note("heard") }
    try context.modules.observe(named: "n", by: cart) { _ in journal.note("heard") }
    context.modules.stopObserving(CartChanged.self, by: cart)
    context.modules.stopObserving(named: "n", by: cart)
    context.trigger(CartChanged(count: 1))
    context.trigger(NamedEvent("n"))
    #expect(journal.entries.isEmpty)
  }

  @Test("a handler that throws is reported and does not stop the others")
  func throwing() throws {
    let context = try started(Cart.self, Pay.self)
    let (cart, pay) = (try context.modules.module(Cart.self), try context.modules.module(Pay.self))
    try context.modules.observe(CartChanged.self, by: cart) { _ in throw NotingModule.Refused() }
    try context.modules.observe(CartChanged.self, by: pay) { _ in journal.note("pay") }
    let errors = context.trigger(CartChanged(count: 1))
    #expect(errors.map(\.subject) == [.module("Cart")])
    #expect(journal.entries == ["pay"])
  }

  @Test("an event that a handler triggers is delivered before the rest hear the first")
  func nested() throws {
    let context = try started(Cart.self, Pay.self)
    let (cart, pay) = (try context.modules.module(Cart.self), try context.modules.module(Pay.self))
    try context.modules.observe(CartChanged.self, by: cart) { [unowned context] in
      journal.note("cart \($0.count)")
      context.trigger(NamedEvent("inner"))
    }
    try context.modules.observe(CartChanged.self, by: pay) { journal.note("pay \($0.count)") }
    try context.modules.observe(named: "inner", by: pay) { _ in journal.note("pay inner") }
    context.trigger(CartChanged(count: 1))
    #expect(journal.entries == ["cart 1", "pay inner", "pay 1"])
  }

  @Test("events that trigger themselves end, with an error")
  func circle() throws {
    let context = try started(Cart.self)
    var last: [FrameworkError] = []
    try context.modules.observe(CartChanged.self, by: try context.modules.module(Cart.self)) { [unowned context] in
      journal.note("\($0.count)")
      let errors = context.trigger(CartChanged(count: $0.count + 1))
      if !errors.isEmpty { last = errors }
    }
    context.trigger(CartChanged(count: 1))
    #expect(journal.entries.count == 32)
    #expect(last.first?.code == .eventTooDeep)
  }

  @Test("a module that is taken out by another's handler does not hear the rest")
  func removedMeanwhile() throws {
    let context = try started(Cart.self, Pay.self)
    let (cart, pay) = (try context.modules.module(Cart.self), try context.modules.module(Pay.self))
    try context.modules.observe(CartChanged.self, by: cart) { [unowned context] _ in
      try context.modules.remove(Pay.self)
    }
    try context.modules.observe(CartChanged.self, by: pay) { _ in journal.note("pay") }
    context.trigger(CartChanged(count: 1))
    #expect(journal.entries.isEmpty)
  }

  @Test("a module of another context cannot observe")
  func stranger() throws {
    let (context, other) = (try started(Cart.self), try started(Cart.self))
    let error = #expect(throws: FrameworkError.self) {
      try context.modules.observe(CartChanged.self, by: try other.modules.module(Cart.self)) { _ in }
    }
    #expect(error?.code == .moduleUnknown)
  }
}
