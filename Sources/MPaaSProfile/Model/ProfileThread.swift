/// The samples of one thread in columns.
package struct ProfileThread: Sendable {
  package var name: String
  package var id: Int64
  package var process: Int64
  package var processName: String
  /// Rows of the stack table; -1 where a thread had no frames that could be told.
  package private(set) var stacks: [Int32] = []
  /// For each sample one weight of each sample type.
  package private(set) var weights: [Int64] = []
  /// Nanoseconds since the profile's start; empty where no time is known, else one for each sample.
  package private(set) var times: [Int64] = []
  /// Empty where no state is known, else one for each sample.
  package private(set) var states: [SampleState] = []

  package init(name: String = "", id: Int64 = 0, process: Int64 = 0, processName: String = "") {
    self.name = name
    self.id = id
    self.process = process
    self.processName = processName
  }

  package var count: Int { stacks.count }

  /// Adds a sample of a profile with one sample type.
  ///
  /// - Parameter time: All samples of a thread have one, or none has.
  @inline(__always)
  package mutating func append(stack: Int, weight: Int64, time: Int64? = nil, state: SampleState = .unknown) {
    weights.append(weight)
    note(stack, time, state)
  }

  /// Adds a sample with a weight for each of the profile's types.
  package mutating func append(
    stack: Int, weights: some Sequence<Int64>, time: Int64? = nil, state: SampleState = .unknown
  ) {
    self.weights.append(contentsOf: weights)
    note(stack, time, state)
  }

  @inline(__always)
  private mutating func note(_ stack: Int, _ time: Int64?, _ state: SampleState) {
    if let time { times.append(time) }
    if state != .unknown || !states.isEmpty {
      while states.count < stacks.count { states.append(.unknown) }
      states.append(state)
    }
    stacks.append(Int32(truncatingIfNeeded: stack))
  }

  /// The state of a sample.
  package func state(_ sample: Int) -> SampleState { states.isEmpty ? .unknown : states[sample] }

  /// Tells whether each sample has a time.
  package var isTimed: Bool { !times.isEmpty && times.count == stacks.count }
}

extension ProfileThread {
  /// The name, and the number where there is one: `main [4711]`.
  package var title: String {
    let name = name.isEmpty ? processName : name
    return id == 0 ? name : name.isEmpty ? "[\(id)]" : "\(name) [\(id)]"
  }
}
