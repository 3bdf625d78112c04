import MPaaSHotpatch

/// Times calls of a function of an app: alone, as it may be replaced, and replaced by Lua; prints a Markdown table.
///
/// `HotpatchBench [CALLS]`: so many calls in a batch, 200,000 where nothing is said. Each cell is the least of the
/// batches, which take turns, so that a machine that slows down slows all of them.
struct Work {
  let name: String
  /// The number of times that the work is done in a batch.
  let count: Int
  /// Does it so often and gives something that depends on all of it, so that nothing can be left out.
  let run: (Int) -> Double
  var least = Duration.seconds(3600)

  init(_ name: String, _ count: Int, _ run: @escaping (Int) -> Double) {
    self.name = name
    self.count = count
    self.run = run
  }

  var nanoseconds: Double {
    let (seconds, attoseconds) = least.components
    return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count)
  }
}

/// Computes what the app does; not inlined, as a call across modules is not.
@inline(never)
func total(_ count: Int, _ price: Double) -> Double { Double(count) * price }

let batches = 25
let calls = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 200_000
let registry = PatchRegistry()
let closure: @Sendable (Int, Double) -> Double = { total($0, $1) }

func function(_ name: String) -> Patchable<Int, Double, Double, Never> {
  Patchable(name, in: registry) { (count: Int, price: Double) -> Double in total(count, price) }
}

let (unreplaced, replaced, withOriginal, failing) = (
  function("Cart.unreplaced"), function("Cart.replaced"), function("Cart.original"), function("Cart.failing")
)
let text = """
  patch("Cart.replaced", function(count, price) return count * price end)
  patch("Cart.original", function(count, price) return ORIG(count, price) end)
  patch("Cart.failing", function(count, price) return count.items * price end)
  """
let small = "patch(\"Cart.total\", function(count, price) return count * price end)"
/// Some 500 lines, as a large patch has.
let large =
  small + "\n"
  + (0..<100).map { number in
    """
    local function rate\(number)(items, limit)
      local sum = 0
      for index, item in ipairs(items) do sum = sum + item.price * (index % \(number + 2)) end
      return math.min(sum, limit or \(number))
    end

    """
  }.joined()

func batch(_ count: Int, _ call: (Int, Double) -> Double) -> Double {
  var sum = 0.0
  for number in 0..<count { sum += call(number & 1023, 1.25) }
  return sum
}

/// Makes a state, loads a patch into it, puts its replacement in place and takes it out again.
func load(_ text: String, _ count: Int) -> Double {
  let registry = PatchRegistry()
  let total = Patchable("Cart.total", in: registry) { (count: Int, price: Double) -> Double in Double(count) * price }
  var sum = 0.0
  for _ in 0..<count {
    guard let runtime = try? PatchRuntime(name: "bench", files: ["main.lua": text], registry: registry) else { break }
    sum += total(2, 1.25)
    runtime.unload()
  }
  return sum
}

let runtime = try PatchRuntime(name: "bench", files: ["main.lua": text], registry: registry)
var works = [
  Work("the function itself, a closure", calls) { batch($0) { closure($0, $1) } },
  Work("`Patchable`, not replaced", calls) { batch($0) { unreplaced($0, $1) } },
  Work("replaced: (Int, Double) → Double in Lua", calls) { batch($0) { replaced($0, $1) } },
  Work("replaced, calls `ORIG`", calls) { batch($0) { withOriginal($0, $1) } },
  Work("replaced, fails in Lua, the original takes over", max(1, calls / 10)) { batch($0) { failing($0, $1) } },
  Work("a patch of one line: state, loading, one call, unloading", max(1, calls / 1000)) { load(small, $0) },
  Work("a patch of 500 lines: the same", max(1, calls / 1000)) { load(large, $0) },
]

let clock = ContinuousClock()
var sums: [Double?] = works.map { _ in nil }
for _ in 0..<batches {
  for index in works.indices {
    var sum = 0.0
    let time = clock.measure { sum = works[index].run(works[index].count) }
    works[index].least = min(works[index].least, time)
    // The same work gives the same sum, whoever does it.
    precondition(sum > 0 && sums[index].map { $0 == sum } ?? true, works[index].name)
    sums[index] = sum
  }
}
precondition(Set(sums.prefix(4)).count == 1 && runtime.statistics.failures == works[4].count * batches)

func printed(_ nanoseconds: Double) -> String {
  let tenths = Int((nanoseconds * 10).rounded())
  return tenths < 10_000 ? "\(tenths / 10).\(tenths % 10) ns" : "\(tenths / 10_000).\(tenths / 1000 % 10) µs"
}

let alone = works[0].nanoseconds
print("| call, least of \(batches) batches | time | above the function itself |")
print("| --- | ---: | ---: |")
for (index, work) in works.enumerated() {
  let above = (1...4).contains(index) ? printed(max(0, work.nanoseconds - alone)) : "–"
  print("| \(work.name)\(index == 2 ? " (limit 0.5 µs)" : "") | \(printed(work.nanoseconds)) | \(above) |")
}
