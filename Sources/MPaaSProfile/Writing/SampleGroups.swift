/// The samples of a thread put together by stack and state, each group in the thread's order.
///
/// Groups of a long recording have samples all over it: they are moved beside each other in one pass, so that what is
/// done with a group finds them in the processor's cache.
struct SampleGroups {
  /// Stack + 1, times the number of states, plus the state; in the order in which each is seen first.
  let keys: [Int]
  /// The beginning of each group, and behind them the end of the last one.
  let starts: [Int]
  /// The times of all groups; empty where the thread has no times.
  let times: [Int64]
  /// For each sample a weight of each type.
  let weights: [Int64]

  /// - Parameters:
  ///   - stacks: The number of the profile's stacks.
  ///   - types: The number of its sample types.
  init(_ thread: ProfileThread, stacks: Int, types: Int) {
    let states = SampleState.allCases.count
    var ranks = [Int32](repeating: -1, count: (stacks + 1) * states)
    var (keys, counts): ([Int], [Int]) = ([], [])
    func key(_ sample: Int) -> Int { (Int(thread.stacks[sample]) + 1) * states + Int(thread.state(sample).rawValue) }
    for sample in 0..<thread.count {
      let key = key(sample)
      if ranks[key] < 0 {
        ranks[key] = Int32(truncatingIfNeeded: keys.count)
        keys.append(key)
        counts.append(0)
      }
      counts[Int(ranks[key])] &+= 1
    }
    var places = [0]
    places.reserveCapacity(counts.count + 1)
    for count in counts { places.append(places[places.count - 1] + count) }
    starts = places
    self.keys = keys
    var times = [Int64](repeating: 0, count: thread.isTimed ? thread.count : 0)
    var weights = [Int64](repeating: 0, count: thread.count * types)
    for sample in 0..<thread.count {
      let rank = Int(ranks[key(sample)])
      let place = places[rank]
      places[rank] = place &+ 1
      if !times.isEmpty { times[place] = thread.times[sample] }
      for type in 0..<types { weights[place &* types &+ type] = thread.weights[sample &* types &+ type] }
    }
    (self.times, self.weights) = (times, weights)
  }
}
