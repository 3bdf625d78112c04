import FoundationEssentials
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatch

@Suite("Values between the app and Lua") struct PatchValuesTests {
  let registry = PatchRegistry()
  let witness = Witness()

  struct Item: PatchRecord, Equatable {
    enum Size: String, Codable { case small, large }
    var name: String
    var price: Double
    var count: Int8 = 1
    var size: Size = .small
    var note: String?
    var picture = Data()
    var since = Date(timeIntervalSince1970: 0)
    var tags: [String] = []
    var parts: [Item] = []
    var more: [String: [Int?]] = [:]
  }

  /// Sends a value through Lua and back, as it is.
  private func echo<Value: PatchValue & Equatable>(_ value: Value, _ body: String = "return v") throws -> Value {
    let calls = Patchable("Test.echo", in: registry) { (_: Value, other: Value) -> Value in other }
    let runtime = try PatchRuntime("patch('Test.echo', function(v) \(body) end)", in: registry, witness)
    defer { withExtendedLifetime(runtime) {} }
    let result = calls(value, value)
    #expect(witness.failures.isEmpty, "\(witness.failures)")
    return result
  }

  @Test("every type comes back as it was")
  func roundTrips() throws {
    for value in [0, -1, 1, .max, .min] { #expect(try echo(value) == value) }
    for value in [0, -0.5, .pi, .infinity, 1e300] { #expect(try echo(value) == value) }
    for value in ["", "a", "日本語 🇩🇪", "with\0nul"] { #expect(try echo(value) == value) }
    #expect(try echo(true) == true)
    #expect(try echo(UInt8.max) == UInt8.max)
    #expect(try echo(Float(1.5)) == 1.5)
    #expect(try echo(Int?.none) == nil)
    #expect(try echo(Int?.some(3)) == 3)
    #expect(try echo([1.5, 2, 3]) == [1.5, 2, 3])
    #expect(try echo([Int?.some(1), nil, 3, nil]) == [1, nil, 3, nil])
    #expect(try echo([[String]]()) == [])
    #expect(try echo(["a": [1, 2], "b": []]) == ["a": [1, 2], "b": []])
    #expect(try echo(Data([0, 255, 128])) == Data([0, 255, 128]))
    #expect(try echo(Date(timeIntervalSince1970: 1.25)) == Date(timeIntervalSince1970: 1.25))
  }

  @Test("records come back as they were, nested too, and Lua reads and writes their members")
  func records() throws {
    var item = Item(name: "shoe", price: 9.5, count: -3, size: .large, note: "日本", picture: Data([1, 200]))
    item.since = Date(timeIntervalSince1970: 99.5)
    item.parts = [Item(name: "sole", price: 1, tags: ["a", "b"]), Item(name: "lace", price: 0)]
    item.more = ["x": [1, nil, 3], "y": []]
    #expect(try echo(item) == item)
    #expect(try echo([item, item]) == [item, item])
    var changed = item
    changed.price = 19
    changed.note = nil
    changed.parts[0].name = "SOLE"
    #expect(
      try echo(item, "v.price = v.price * 2 v.note = nil v.parts[1].name = v.parts[1].name:upper() return v") == changed
    )
  }

  @Test("a record of the wrong shape is a failure that names the member")
  func wrongRecord() throws {
    let make = Patchable("Test.make", in: registry) { () -> Item in Item(name: "", price: 0) }
    for (text, message) in [
      ("return {name = 'x', price = 'dear'}", "price: number expected, got string"),
      ("return {name = 'x'}", "price: missing"),
      ("return 7", "result: table expected, got integer"),
      ("local t = {} t.parts = t return t", "too deep"),
      ("return {name = print}", "a function cannot leave Lua"),
    ] {
      let witness = Witness()
      let runtime = try PatchRuntime("patch('Test.make', function() \(text) end)", in: registry, witness)
      _ = make()
      #expect(witness.failures.first?.message.contains(message) == true, "\(witness.failures)")
      withExtendedLifetime(runtime) {}
    }
  }

  @Test("numbers convert only where nothing is lost")
  func numbers() throws {
    let whole = Patchable("Test.whole", in: registry) { (_: Double) -> Int in -1 }
    let runtime = try PatchRuntime("patch('Test.whole', function(v) return v end)", in: registry, witness)
    #expect(whole(3.0) == 3)
    #expect(witness.failures.isEmpty)
    #expect(whole(3.5) == -1)
    #expect(whole(1e300) == -1)
    #expect(witness.failures.map(\.kind) == [.value, .value])
    withExtendedLifetime(runtime) {}
  }

  @Test("an argument for which there is no room is a failure, and the original takes over")
  func large() throws {
    let size = Patchable("Test.size", in: registry) { (text: String, _: [Int]) -> Int in text.utf8.count }
    let runtime = try PatchRuntime(
      "patch('Test.size', function(v) return 0 end)", in: registry, witness, limits: PatchLimits(memory: 1 << 20))
    #expect(size(String(repeating: "x", count: 2 << 20), []) == 2 << 20)
    #expect(size("", Array(repeating: 7, count: 1 << 18)) == 0 || witness.failures.count == 2)
    #expect(witness.failures.first?.kind == .value)
    #expect(size("", []) == 0)
    #expect(runtime.statistics.memoryPeak < 2 << 20)
  }

  final class Cart: PatchObject, @unchecked Sendable {
    var items = ["shoe", "hat"]
    static let patchMethods: [PatchMethod<Cart>] = [
      PatchMethod("count") { cart in cart.items.count },
      PatchMethod("add") { (cart, name: String) in cart.items.append(name) },
      PatchMethod("item") { (cart, index: Int) throws in
        guard cart.items.indices.contains(index - 1) else { throw PatchableTests.Refused(reason: "no item \(index)") }
        return cart.items[index - 1]
      },
    ]
  }

  @Test("objects are held and handed back, and only their named methods can be called")
  func objects() throws {
    let same = Patchable("Cart.same", in: registry) { (cart: Cart) -> Cart in cart }
    let runtime = try PatchRuntime(
      """
      patch('Cart.same', function(cart)
        assert(cart:count() == 2 and cart:item(1) == 'shoe')
        cart:add('sock')
        local ok, e = pcall(cart.item, cart, 9)
        assert(not ok and tostring(e):find('no item 9'))
        assert(tostring(cart) == 'Cart' and cart == ORIG(cart))
        assert(cart.items == nil and not pcall(function() cart.items = 1 end))
        assert(not pcall(cart.count, 'no cart') and not pcall(cart.count))
        return cart
      end)
      """, in: registry, witness)
    let cart = Cart()
    #expect(same(cart) === cart)
    #expect(cart.items == ["shoe", "hat", "sock"])
    #expect(witness.failures.isEmpty, "\(witness.failures)")
    withExtendedLifetime(runtime) {}
  }

  @Test("objects live as long as Lua holds them, and no longer")
  func lifetime() throws {
    let keep = Patchable("Cart.keep", in: registry) { (_: Cart?) -> Void in }
    var runtime: PatchRuntime? = try PatchRuntime(
      "local kept patch('Cart.keep', function(cart) kept = cart end)", in: registry, witness)
    weak var held: Cart?
    do {
      let cart = Cart()
      held = cart
      keep(cart)
    }
    #expect(held != nil)
    runtime?.unload()
    runtime = nil
    #expect(held == nil)
  }
}
