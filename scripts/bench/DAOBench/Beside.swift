import Dispatch
import MPaaSDAO
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time that a clock shows, in microseconds.
private func microseconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The times of selects, of the thread and of the clock on the wall.
private struct Times {
  var thread: [Double] = []
  var wall: [Double] = []

  /// Adds a select while `body` does it.
  mutating func add(_ body: () throws -> Void) rethrows {
    let (before, start) = (microseconds(CLOCK_THREAD_CPUTIME_ID), microseconds(CLOCK_MONOTONIC))
    try body()
    wall.append(microseconds(CLOCK_MONOTONIC) - start)
    thread.append(microseconds(CLOCK_THREAD_CPUTIME_ID) - before)
  }

  private static func part(_ times: [Double], _ part: Double) -> Double {
    let sorted = times.sorted()
    let value = sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    return (value * 10).rounded() / 10
  }

  func show(_ name: String) {
    print(
      name, thread.count, Self.part(thread, 0.5), Self.part(thread, 0.99), Self.part(wall, 0.5), Self.part(wall, 0.99),
      separator: "\t")
  }
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}

/// Times parallel selects while nothing is written, and while 100,000 rows are.
func measureBeside(_ path: String) throws {
  let bench = try Bench(databasePath: path)
  let person = Person(id: 0, name: "a name of some length", age: 42, score: 0.5)
  let people = [Person](repeating: person, count: 1000)
  for _ in 0..<100 { try bench.addAll(people: people) }
  func select(_ number: Int) throws { _ = try bench.findBeside(id: Int64(number &* 7919 % 100_000 + 1)) }
  for number in 0..<2000 { try select(number) }
  print("selects beside a writer\tselects\tthread p50\tp99\twall p50\tp99, µs")
  var idle = Times()
  for number in 0..<100_000 { try idle.add { try select(number) } }
  idle.show("nothing is written")
  for isOne in [true, false] {
    // Looked at without a call: a wait that times out would have this thread sleep between two selects.
    let done = Flag()
    DispatchQueue.global().async {
      do {
        if isOne { try bench.daoTransaction(.begin) }
        for _ in 0..<100 { try bench.addAll(people: people) }
        if isOne { try bench.daoTransaction(.commit) }
      } catch { print(error) }
      done.isSet.store(true, ordering: .releasing)
    }
    var busy = Times()
    var number = 0
    while !done.isSet.load(ordering: .acquiring) {
      number += 1
      try busy.add { try select(number) }
    }
    busy.show(isOne ? "100,000 rows in one transaction" : "100,000 rows in 100 transactions")
  }
}
