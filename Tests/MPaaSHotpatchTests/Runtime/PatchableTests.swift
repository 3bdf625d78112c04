import FoundationEssentials
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSHotpatch

/// The reports and logs of patches in a test.
final class Witness: Sendable {
  private let content = Mutex<(failures: [PatchFailure], lines: [PatchLogLine])>(([], []))

  var failures: [PatchFailure] { content.withLock { $0.failures } }
  var lines: [PatchLogLine] { content.withLock { $0.lines } }

  func configuration(limits: PatchLimits = PatchLimits(), maximumFailures: Int? = nil) -> PatchRuntime.Configuration {
    PatchRuntime.Configuration(
      limits: limits, maximumFailures: maximumFailures,
      log: { line in self.content.withLock { $0.lines.append(line) } },
      report: { failure in self.content.withLock { $0.failures.append(failure) } })
  }
}

extension PatchRuntime {
  /// A patch of one file.
  convenience init(
    _ text: String, in registry: PatchRegistry, _ witness: Witness = Witness(), limits: PatchLimits = PatchLimits(),
    maximumFailures: Int? = nil
  ) throws(PatchFailure) {
    try self.init(
      name: "test", files: ["main.lua": text], registry: registry,
      configuration: witness.configuration(limits: limits, maximumFailures: maximumFailures))
  }
}

@Suite("Functions that may be replaced") struct PatchableTests {
  let registry = PatchRegistry()
  let witness = Witness()

  struct Refused: Error, Equatable {
    let reason: String
  }

  @Test("a replacement gets the arguments, calls ORIG and gives the result; unloading brings the original back")
  func replace() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int, price: Double) -> Double in Double(count) * price }
    #expect(total(3, 2) == 6)
    let runtime = try PatchRuntime(
      "patch('Cart.total', function(count, price) return ORIG(count, price) + 0.5 end)", in: registry, witness)
    #expect(total(3, 2) == 6.5)
    #expect(runtime.symbols == ["Cart.total"])
    #expect(runtime.statistics.calls == 1)
    runtime.unload()
    #expect(total(3, 2) == 6)
    #expect(!runtime.isActive)
    #expect(witness.failures.isEmpty)
  }

  @Test("the original takes over where Lua raises an error, and the report names file, line and function")
  func fallback() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int) -> Int in count * 10 }
    let runtime = try PatchRuntime(
      """
      local function half(n)
        return n.price / 2
      end
      patch("Cart.total", function(count)
        local price = half(count)
        return price
      end)
      """, in: registry, witness)
    #expect(total(4) == 40)
    let failure = try #require(witness.failures.first)
    #expect(failure.kind == .error)
    #expect(failure.symbol == "Cart.total")
    #expect(failure.message == "main.lua:2: attempt to index a number value (local 'n')")
    #expect(failure.frames.map(\.file) == ["main.lua", "main.lua"])
    #expect(failure.frames.map(\.line) == [2, 5])
    #expect(failure.frames.first?.function == "half")
    #expect(runtime.statistics.failures == 1)
  }

  @Test("the original runs once for a call, also where the replacement fails behind ORIG")
  func once() throws {
    let runs = Mutex(0)
    let pay = Patchable("Shop.pay", in: registry) { (amount: Int) -> Int in
      runs.withLock { runs in
        runs += 1
        return amount + runs
      }
    }
    let runtime = try PatchRuntime(
      "patch('Shop.pay', function(amount) local paid = ORIG(amount) error('later') end)", in: registry, witness)
    #expect(pay(100) == 101)
    #expect(runs.withLock { $0 } == 1)
    #expect(witness.failures.count == 1)
    withExtendedLifetime(runtime) {}
  }

  @Test("an error that the original throws goes through Lua unchanged, and Lua may catch it")
  func throwing() throws {
    let open = Patchable("Door.open", in: registry) { (key: String) throws -> Bool in
      guard key == "right" else { throw Refused(reason: key) }
      return true
    }
    let passing = try PatchRuntime("patch('Door.open', function(key) return ORIG(key) end)", in: registry, witness)
    #expect(throws: Refused(reason: "wrong")) { try open("wrong") }
    #expect(try open("right"))
    #expect(witness.failures.isEmpty)
    passing.unload()
    let catching = try PatchRuntime(
      """
      patch('Door.open', function(key)
        local ok, e = pcall(ORIG, key)
        log(tostring(e))
        return false
      end)
      """, in: registry, witness)
    #expect(try open("wrong") == false)
    #expect(witness.lines.first?.text.contains("wrong") == true)
    #expect(witness.lines.first?.line == 3)
    withExtendedLifetime(catching) {}
  }

  @Test("a result of another type is a failure, and the original takes over")
  func wrongType() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int) -> Int in count }
    let runtime = try PatchRuntime("patch('Cart.total', function(count) return 'many' end)", in: registry, witness)
    #expect(total(4) == 4)
    #expect(witness.failures.map(\.kind) == [.value])
    #expect(witness.failures.first?.message == "result: int expected, got string")
    withExtendedLifetime(runtime) {}
  }

  @Test("after the maximum of failures the patch is taken out")
  func disable() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int) -> Int in count }
    let runtime = try PatchRuntime(
      "patch('Cart.total', function(count) error('no') end)", in: registry, witness, maximumFailures: 3)
    for _ in 0..<10 { #expect(total(4) == 4) }
    #expect(witness.failures.count == 3)
    #expect(!runtime.isActive)
  }

  @Test("a patch whose loading fails replaces nothing")
  func atomic() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int) -> Int in count }
    #expect(throws: PatchFailure.self) {
      try PatchRuntime("patch('Cart.total', function() return 0 end) error('then this')", in: registry, witness)
    }
    #expect(total(4) == 4)
    #expect { try PatchRuntime("patch('Cart.total' function", in: registry, witness) } throws: { error in
      let failure = error as? PatchFailure
      return failure?.kind == .syntax && failure?.message.hasPrefix("main.lua:1:") == true
    }
  }

  @Test("a function that is entered after the patch gets its replacement then")
  func late() throws {
    let runtime = try PatchRuntime("patch('Cart.late', function(n) return ORIG(n) + 1 end)", in: registry, witness)
    #expect(runtime.awaitedSymbols == ["Cart.late"])
    let late = Patchable("Cart.late", in: registry) { (count: Int) -> Int in count }
    #expect(late(1) == 2)
    #expect(runtime.awaitedSymbols.isEmpty)
    runtime.unload()
    #expect(late(1) == 1)
    let complete = PatchRegistry(isComplete: true)
    #expect(throws: PatchFailure.self) { try PatchRuntime("patch('No.such', function() end)", in: complete) }
  }

  @Test("functions without arguments and without a result can be replaced")
  func void() throws {
    let runs = Mutex(0)
    let tick = Patchable("Clock.tick", in: registry) { () -> Void in runs.withLock { $0 += 1 } }
    let runtime = try PatchRuntime("patch('Clock.tick', function() ORIG() ORIG() end)", in: registry, witness)
    tick()
    #expect(runs.withLock { $0 } == 2)
    #expect(witness.failures.isEmpty)
    withExtendedLifetime(runtime) {}
  }

  @Test("exports are called by their dotted names, with and without results, and their errors can be caught")
  func exports() throws {
    let events = Mutex<[String]>([])
    registry.export("Analytics.track") { (event: String, count: Int) in
      events.withLock { $0.append("\(event) \(count)") }
    }
    registry.export("Shop.Rates.of") { (country: String) throws -> Double in
      guard country == "de" else { throw Refused(reason: country) }
      return 1.19
    }
    let total = Patchable("Cart.total", in: registry) { (price: Double) -> Double in price }
    let runtime = try PatchRuntime(
      """
      patch("Cart.total", function(price)
        Analytics.track("total", 2)
        local ok = pcall(Shop.Rates.of, "fr")
        assert(not ok)
        return price * Shop.Rates.of("de")
      end)
      """, in: registry, witness)
    #expect(total(100) == 119)
    #expect(events.withLock { $0 } == ["total 2"])
    #expect(witness.failures.isEmpty)
    withExtendedLifetime(runtime) {}
  }

  @Test("the list of symbols says what is registered")
  func symbols() {
    let total = Patchable("Cart.total", in: registry) { (items: [Double], rate: Double?) -> Double in rate ?? 0 }
    let load = AsyncPatchable("Cart.load", in: registry) { (id: String) async throws -> [String: Int] in [id: 1] }
    registry.export("Analytics.track") { (event: String) in }
    let list = registry.symbolList(app: "com.example.shop", version: "1")
    #expect(list.functions["Cart.total"] == .init([.array(.double), .optional(.double)], .double))
    #expect(
      list.functions["Cart.load"] == .init([.string], .dictionary(.integer), isAsync: true, canThrow: true))
    #expect(list.exports["Analytics.track"]?.parameters == [.string])
    withExtendedLifetime((total, load)) {}
  }

  @Test("files are found with require, run once, and may not require themselves")
  func require() throws {
    let total = Patchable("Cart.total", in: registry) { (count: Int) -> Int in count }
    let files = [
      "main.lua":
        "local rates = require('shop.rates') require('shop.rates').n = 5\npatch('Cart.total', function(c) return c * rates.n end)",
      "shop/rates.lua": "log('loaded') return {n = 3}",
    ]
    let runtime = try PatchRuntime(
      name: "two files", files: files, registry: registry, configuration: witness.configuration())
    #expect(total(2) == 10)
    #expect(witness.lines.map(\.text) == ["loaded"])
    #expect(witness.lines.first?.file == "shop/rates.lua")
    withExtendedLifetime(runtime) {}
    #expect { try PatchRuntime("require('main')", in: registry) } throws: {
      "\($0)".contains("module 'main' requires itself") || "\($0)".contains("main")
    }
    #expect { try PatchRuntime("require('absent')", in: registry) } throws: {
      "\($0)".contains("module 'absent' not found")
    }
  }
}
