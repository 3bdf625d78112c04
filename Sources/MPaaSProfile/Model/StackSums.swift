/// Weights put together by stack, in the order in which the stacks come.
struct StackSums {
  /// By rows of stacks, and one before them for samples without frames: places in `sums`, or -1.
  private var places: [Int32]
  /// Rows of stacks, -1 for none, and weights.
  private(set) var sums: [(stack: Int, weight: Int64)] = []

  init(_ profile: Profile) {
    places = [Int32](repeating: -1, count: profile.stacks.count + 1)
  }

  /// Adds the samples of a thread.
  ///
  /// - Parameters:
  ///   - type: The place of the sample type.
  ///   - count: The number of the profile's types.
  ///   - state: Only samples of that state; nil for all.
  mutating func add(_ thread: ProfileThread, _ type: Int, of count: Int, only state: SampleState? = nil) {
    for sample in 0..<thread.count {
      if let state, thread.state(sample) != state { continue }
      let stack = Int(thread.stacks[sample])
      let weight = thread.weights[sample &* count &+ type]
      let place = Int(places[stack + 1])
      if place >= 0 {
        sums[place].weight = sums[place].weight.addingSaturating(weight)
      } else {
        places[stack + 1] = Int32(truncatingIfNeeded: sums.count)
        sums.append((stack, weight))
      }
    }
  }

  /// Forgets all, without going through the stacks that nothing was of.
  mutating func clear() {
    for sum in sums { places[sum.stack + 1] = -1 }
    sums.removeAll(keepingCapacity: true)
  }
}
