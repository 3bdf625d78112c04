// Bugs in Swift. Usage: kiosk BUG ROUTE VALUE; the route says by which callers, and on which thread, a bug is reached.
#if canImport(Glibc)
  import Glibc
#endif

nonisolated(unsafe) var sink = 0

#if SECOND
  // The next version of the program has more code in front.
  func checksum(_ text: String) -> Int { text.utf8.reduce(7) { ($0 &* 31) &+ Int($1) } }
  func note(_ text: String) { sink = checksum(text) }
#else
  @inline(never) func note(_ text: String) { sink = text.utf8.count }
#endif

struct Item: Sendable {
  var name: String
  var price: Int
}

struct Cart: Sendable {
  var items = [Item(name: "a", price: 1), Item(name: "b", price: 2)]
  var codes = ["a": 1]

  // s01
  @inline(never) func price(_ index: Int) -> Int {
    note("price")
    return items[index].price
  }

  // s02
  @inline(never) func code(_ name: String) -> Int {
    note("code")
    return codes[name]!
  }

  // s03
  func total(_ factor: Int) -> Int {
    note("total")
    return items.reduce(Int.max - 1) { $0 + $1.price * factor }
  }

  // s04
  @inline(never) mutating func drop(_ index: Int) -> Int {
    note("drop")
    return items.remove(at: index).price
  }

  // s05
  @inline(never) func check(_ coupon: Int) -> Int {
    note("check")
    precondition(coupon < 0, "coupon \(coupon)")
    return coupon
  }

  // s06: the closure is the bug's place.
  func ranked() -> [Item] {
    note("ranked")
    return items.sorted { left, right in
      if left.price > 0 { fatalError("rank of \(left.name)") }
      return left.price < right.price
    }
  }
}

class Page {
  var next: Page?
  // s07
  func depth() -> Int {
    note("depth")
    return (next?.depth() ?? 0) + sink
  }
}

// s08
@inline(never) func cast(_ value: Any) -> String {
  note("cast")
  return value as! String
}

// s09
func load(_ cart: Cart, _ index: Int) async -> Int {
  note("load")
  await Task.yield()
  let found = index < cart.items.count ? cart.items[index] : nil
  return found!.price
}

actor Stock {
  var counts = [3, 4]
  // s10
  @inline(never) func take(_ count: Int) -> Int {
    note("take")
    counts[0] = counts[0] - Int(UInt8(truncatingIfNeeded: count) - 200)
    return counts[0]
  }
}

// s11
func average<T: BinaryInteger>(_ values: [T]) -> T {
  note("average")
  return values.reduce(0, +) / T(values.count)
}

// s12
@inline(never) func peek(_ place: Int) -> Int {
  note("peek")
  return UnsafePointer<Int>(bitPattern: place).unsafelyUnwrapped.pointee
}

// s13: called both at once and from tasks.
func settle(_ amounts: [Int], _ index: Int) -> Int {
  note("settle")
  return amounts[index...].first! + 1
}

@inline(never) func enter(_ bug: Int, _ value: Int) {
  var cart = Cart()
  switch bug {
  case 1: sink = cart.price(5 + value)
  case 2: sink = cart.code("n\(value)")
  case 3: sink = cart.total(1 + value)
  case 4: sink = cart.drop(7 + value)
  case 5: sink = cart.check(value)
  case 6: sink = cart.ranked().count
  case 7:
    let page = Page()
    page.next = page
    sink = page.depth()
  case 8: sink = cast(value).count
  case 11: sink = average([Int](repeating: 1, count: value - value))
  case 12: sink = peek(16)
  default: sink = settle([1, 2], 2)
  }
}

@inline(never) func enterAsync(_ bug: Int, _ value: Int) async {
  switch bug {
  case 9: sink = await load(Cart(), 4 + value)
  case 10: sink = await Stock().take(value)
  default:
    await Task.yield()
    enter(bug, value)
    sink &+= 1
  }
}

// Other callers of the same functions.
@inline(never) func replay(_ bug: Int) async {
  var cart = Cart()
  switch bug {
  case 1: sink = cart.price(99) &+ 1
  case 2: sink = cart.code("other") &+ 1
  case 3: sink = cart.total(99) &+ 1
  case 4: sink = cart.drop(99) &+ 1
  case 5: sink = cart.check(99) &+ 1
  case 6: sink = cart.ranked().count &+ 1
  case 7:
    let page = Page()
    page.next = Page()
    page.next?.next = page
    sink = page.depth() &+ 1
  case 8: sink = cast(1.5).count &+ 1
  case 9:
    sink = await withTaskGroup(of: Int.self) { group in
      group.addTask { await load(cart, 77) }
      return await group.next() ?? 0
    }
  case 10:
    let stock = Stock()
    async let taken = stock.take(5)
    sink = await taken &+ 1
  case 11: sink = Int(average([UInt32]())) &+ 1
  case 12: sink = peek(24) &+ 1
  default: sink = settle([], 0) &+ 1
  }
}

@main struct Kiosk {
  static func main() async {
    let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    let (bug, route, value) = (numbers[0], numbers[1], numbers[2])
    switch route {
    case 0 where bug != 9 && bug != 10: enter(bug, value)
    case 0, 1: await enterAsync(bug, value)
    case 2: await replay(bug)
    default: await Task.detached { await enterAsync(bug, value) }.value
    }
    print(sink)
  }
}
