import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSHotpatch

@Suite("wax style, asynchronous functions and many threads") struct PatchStylesTests {
  let registry = PatchRegistry()
  let witness = Witness()

  private struct Step: Sendable {
    let run: @Sendable (Int) -> Int
  }

  /// A lock of the app.
  private final class Gate: Sendable {
    let lock = Mutex(0)
  }

  @Test("functions behind waxClass replace the methods of the class, with self and ORIG")
  func wax() throws {
    let total = Patchable("Cart.total", in: registry) { (items: [Double], rate: Double) -> Double in
      items.reduce(0, +) * rate
    }
    let name = Patchable("Shop.name", in: registry) { () -> String in "shop" }
    let runtime = try PatchRuntime(
      """
      local discount = 0.5
      waxClass{"Cart"}
      function total(self, items, rate)
        self.calls = (self.calls or 0) + 1
        return self:ORIGtotal(items, rate) * discount + self.calls
      end
      assert(type(total) == 'function' and math.max(1, 2) == 2)
      waxClass{"Shop"}
      function name(self) return self:ORIGname() .. '!' .. tostring(total == nil) end
      """, in: registry, witness)
    #expect(runtime.symbols == ["Cart.total", "Shop.name"])
    #expect(total([2, 4], 10) == 31)
    #expect(total([2, 4], 10) == 32)
    #expect(name() == "shop!true")
    #expect(witness.failures.isEmpty, "\(witness.failures)")
  }

  @Test("a method whose first argument is the object gets it as self")
  func waxObject() throws {
    let count = Patchable("Cart.count", in: registry) { (cart: PatchValuesTests.Cart, more: Int) -> Int in
      cart.items.count + more
    }
    let runtime = try PatchRuntime(
      "waxClass{'Cart'} function count(self, more) self:add('x') return self:ORIGcount(more) * 100 end",
      in: registry, witness)
    #expect(count(PatchValuesTests.Cart(), 1) == 400)
    #expect(witness.failures.isEmpty, "\(witness.failures)")
    withExtendedLifetime(runtime) {}
  }

  @Test("an asynchronous original is awaited, its error passes, and a failure behind it falls back to its result")
  func asynchronous() async throws {
    let runs = Mutex(0)
    let load = AsyncPatchable("Shop.load", in: registry) { (id: String) async throws -> [Int] in
      await Task.yield()
      runs.withLock { $0 += 1 }
      guard id != "bad" else { throw PatchableTests.Refused(reason: id) }
      return [1, 2]
    }
    registry.export("Shop.rate") { (id: String) async throws -> Int in
      await Task.yield()
      return id.count
    }
    let runtime = try PatchRuntime(
      """
      patch('Shop.load', function(id)
        if id == 'caught' then
          local ok, e = pcall(ORIG, 'bad')
          return {ok and 1 or 0}
        end
        local prices = ORIG(id)
        if id == 'late' then error('late') end
        prices[1] = prices[1] + Shop.rate(id)
        return prices
      end)
      """, in: registry, witness)
    #expect(try await load("shoe") == [5, 2])
    await #expect(throws: PatchableTests.Refused(reason: "bad")) { try await load("bad") }
    #expect(try await load("caught") == [0])
    #expect(witness.failures.isEmpty, "\(witness.failures)")
    #expect(runs.withLock { $0 } == 3)
    #expect(try await load("late") == [1, 2])
    #expect(runs.withLock { $0 } == 4)
    #expect(witness.failures.first?.frames.first?.line == 7)
    withExtendedLifetime(runtime) {}
  }

  @Test("an asynchronous export cannot be called by a synchronous replacement")
  func notSuspendable() throws {
    registry.export("Shop.rate") { (id: Int) async throws -> Int in id }
    let total = Patchable("Cart.total", in: registry) { (n: Int) -> Int in n }
    let runtime = try PatchRuntime("patch('Cart.total', function(n) return Shop.rate(n) end)", in: registry, witness)
    #expect(total(1) == 1)
    #expect(witness.failures.first?.message.contains("asynchronous") == true)
    withExtendedLifetime(runtime) {}
  }

  @Test("a hundred tasks wait in one patch at a time, each with its own result")
  func manyTasks() async throws {
    let load = AsyncPatchable("Shop.load", in: registry) { (id: Int) async -> Int in
      for _ in 0..<id % 7 { await Task.yield() }
      return id
    }
    let runtime = try PatchRuntime(
      "patch('Shop.load', function(id) local a = ORIG(id) local b = ORIG(id + 1) return a * 1000 + b end)",
      in: registry, witness)
    await withTaskGroup(of: Bool.self) { group in
      for id in 0..<100 { group.addTask { await load(id) == id * 1000 + id + 1 } }
      for await isRight in group { #expect(isRight) }
    }
    #expect(witness.failures.isEmpty, "\(witness.failures)")
    withExtendedLifetime(runtime) {}
  }

  @Test("threads call one patch at once, through the app and back into Lua, and none waits for another for ever")
  func manyThreads() async throws {
    let inner = Patchable("Test.inner", in: registry) { (n: Int) -> Int in n + 1 }
    let gate = Gate()
    let outer = Patchable("Test.outer", in: registry) { (n: Int) -> Int in
      // The app's own lock, taken inside Lua's call and outside of it.
      gate.lock.withLock { _ in inner(n) }
    }
    let runtime = try PatchRuntime(
      """
      local calls = 0
      patch('Test.inner', function(n) calls = calls + 1 local t = {} for i = 1, 10 do t[i] = {i} end return ORIG(n) + 1 end)
      patch('Test.outer', function(n) local s = ('x'):rep(100) return ORIG(n) + #s end)
      """, in: registry, witness)
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<4 {
        group.addTask {
          (0..<300).allSatisfy { round in
            let n = task * 1000 + round
            return round % 2 == 0 ? outer(n) == n + 102 : gate.lock.withLock { _ in inner(n) == n + 2 }
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(witness.failures.isEmpty, "\(witness.failures.first?.description ?? "")")
    #expect(runtime.statistics.calls == 4 * (150 * 2 + 150))
  }

  @Test("endless recursion through the app ends at the originals")
  func recursion() throws {
    let again = Mutex<Step?>(nil)
    let down = Patchable("Test.down", in: registry) { (n: Int) -> Int in
      let next = again.withLock { $0 }
      return n == 0 ? 0 : (next?.run(n - 1) ?? 0) + 1
    }
    again.withLock { $0 = Step { down($0) } }
    let runtime = try PatchRuntime("patch('Test.down', function(n) return ORIG(n) end)", in: registry, witness)
    #expect(down(400) == 400)
    #expect(witness.failures.contains { $0.kind == .busy })
    again.withLock { $0 = nil }
    withExtendedLifetime(runtime) {}
  }

  @Test("patches do not see each other's globals, and the later one counts")
  func isolation() throws {
    let total = Patchable("Cart.total", in: registry) { (n: Int) -> Int in n }
    let first = try PatchRuntime("secret = 5 patch('Cart.total', function() return 1 end)", in: registry, witness)
    let second = try PatchRuntime("patch('Cart.total', function() return secret and 2 or 3 end)", in: registry, witness)
    #expect(total(0) == 3)
    first.unload()
    #expect(total(0) == 3)
    second.unload()
    #expect(total(0) == 0)
  }
}
