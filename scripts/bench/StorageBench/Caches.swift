import Dispatch
import MPaaSStorage

// Times look-ups in a memory cache, by one thread and by four at once.

func measureCaches() {
  row(["memory cache, 10,000 values", "get, ns", "four threads, ns of each", "four threads, by the clock"])
  row(["---", "---:", "---:", "---:"])
  for policy in CachePolicy.allCases { measureCache(policy) }
}

private func measureCache(_ policy: CachePolicy) {
  let cache = MemoryCache<Int>(capacity: 10_000, policy: policy)
  let keys = (0..<10_000).map { "user.setting.\($0)" }
  for (number, key) in keys.enumerated() { cache.set(number, forKey: key) }
  @Sendable func look(_ count: Int, _ step: Int) -> Int {
    var (sum, place) = (0, step)
    for _ in 0..<count {
      sum &+= cache.value(forKey: keys[place]) ?? 0
      place &+= 7919
      if place >= keys.count { place %= keys.count }
    }
    return sum
  }
  var sum = look(100_000, 1)
  let count = 2_000_000
  func nanoseconds(_ body: () -> Void) -> Double {
    let start = processorTime()
    body()
    return (processorTime() - start) * 1e9
  }
  let alone = (0..<3).map { _ in nanoseconds { sum &+= look(count, 3) } / Double(count) }.min() ?? 0
  let begin = DispatchTime.now().uptimeNanoseconds
  let together = nanoseconds {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in _ = look(count, thread * 17 + 1) }
  }
  let wall = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
  let rate = Double(4 * count) / wall / 1e6
  row([
    policy.rawValue, "\(Int(alone.rounded()))", "\(Int((together / Double(4 * count)).rounded()))",
    "\((rate * 10).rounded() / 10)M/s",
  ])
  precondition(sum != 1)
}
