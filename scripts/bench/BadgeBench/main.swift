import MPaaSAppServices

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Times updates of a tree of badges with the counts that follow; prints a table.
///
/// `BadgeBench [LEAVES] [ROUNDS]`: so many badges, 100,000 where nothing is said, below 100 widgets with 10 others each,
/// and so many updates, 20 where nothing is said. Times are CPU seconds of the thread, which is what an app's main thread
/// would be without.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let leaves = arguments.first ?? 100_000
let rounds = max(arguments.dropFirst().first ?? 20, 1)

func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints the least, the middle and the largest of the times of a work.
@MainActor
func row(_ name: String, _ work: () -> Void) {
  let times = (0..<rounds).map { _ in
    let start = threadSeconds()
    work()
    return Int((threadSeconds() - start) * 1e6)
  }.sorted()
  print("| \(name) | \(times[0]) µs | \(times[times.count / 2]) µs | \(times[times.count - 1]) µs |")
}

func badges(_ round: Int) -> [BadgeInfo] {
  let styles: [BadgeStyle] = [.point, .new, .number, .offer]
  return (0..<leaves).map { number in
    let path = "tab-\(number % 1000 / 10),list-\(number % 1000),item-\(number)"
    return BadgeInfo(path, style: styles[number % 4], temporary: (number + round) % 3, persistent: number % 2)
  }
}

/// The counts of each widget that has others below it, of some that have none, and of a business.
@MainActor
func counts(_ tree: BadgeTree) -> Int {
  var sum = 0
  for number in 0..<1000 { sum &+= tree.count(widgetID: "list-\(number)") }
  for number in 0..<100 { sum &+= tree.count(widgetID: "tab-\(number)", .number) }
  sum &+= tree.count(widgetID: "item-7") &+ tree.count(widgetID: "item-\(leaves / 2)")
  return sum &+ tree.count(businessID: "PUBLIC")
}

let configuration = BadgeServiceConfiguration(encrypt: { $0 }, decrypt: { $0 }) { _ in true }
let tree = BadgeTree(configuration)
let (one, other) = (badges(0), badges(1))
var (turn, sum) = (0, 0)

print("| \(leaves) badges, \(rounds) rounds | least | middle | largest |")
print("| --- | ---: | ---: | ---: |")
row("all badges of the server, and 1,103 counts") {
  turn += 1
  tree.updateRemote(turn.isMultiple(of: 2) ? one : other)
  sum &+= counts(tree)
}
row("all badges of the server alone") {
  turn += 1
  tree.updateRemote(turn.isMultiple(of: 2) ? one : other)
}
row("1,000 badges more, and 1,103 counts") {
  turn += 1
  tree.insertRemote(Array((turn.isMultiple(of: 2) ? one : other).prefix(1000)))
  sum &+= counts(tree)
}
row("1,103 counts") { sum &+= counts(tree) }
row("paths of all badges") { sum &+= badges(0).count }
print("sum \(sum)")
