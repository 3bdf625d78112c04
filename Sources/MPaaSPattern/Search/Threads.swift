/// The steps that a search is at, the best one first, each with the places of the groups on its way.
struct Threads {
  private var order: [Int] = []
  private var places: [Int] = []
  private var isThere: [Bool]
  private var visited: [Int] = []
  private let slots: Int
  /// The way that is being followed, kept so that its memory is.
  private var work: [Work] = []
  private var current: [Int]

  init(steps: Int, slots: Int) {
    isThere = [Bool](repeating: false, count: steps)
    current = [Int](repeating: -1, count: slots)
    self.slots = slots
  }

  var isEmpty: Bool { order.isEmpty }

  mutating func clear() {
    for step in visited { isThere[step] = false }
    visited.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  /// The work to be done on the way along steps that take no scalar.
  private enum Work {
    case step(Int)
    /// Takes back the place of a group's end.
    case restore(Int, Int)
  }

  /// Begins at the first step.
  ///
  /// - Parameter bits: The assertions that hold at the place.
  mutating func begin(_ steps: [SearchProgram.Step], at place: Int, _ bits: UInt8) {
    for slot in 0..<slots { current[slot] = -1 }
    follow(0, steps, at: place, bits)
  }

  /// Goes on to the steps behind those that take the next scalar, up to the first one that is a match.
  ///
  /// - Parameter bits: The assertions that hold behind the scalar.
  /// - Returns: The places of the match; those behind it are worse ones.
  func advance(
    into next: inout Threads, _ steps: [SearchProgram.Step], at place: Int, _ bits: UInt8, takes: (Int) -> Bool
  ) -> [Int]? {
    for index in order.indices {
      let start = index * slots
      switch steps[order[index]] {
      case .match: return Array(places[start..<start + slots])
      case .scalar(let set, let behind) where takes(set):
        for slot in 0..<slots { next.current[slot] = places[start + slot] }
        next.follow(behind, steps, at: place, bits)
      default: break
      }
    }
    return nil
  }

  /// Follows a step to those that take a scalar, and to the match.
  private mutating func follow(_ step: Int, _ steps: [SearchProgram.Step], at place: Int, _ bits: UInt8) {
    work.append(.step(step))
    while let next = work.popLast() {
      switch next {
      case .restore(let slot, let old): current[slot] = old
      case .step(let step):
        guard !isThere[step] else { continue }
        isThere[step] = true
        visited.append(step)
        switch steps[step] {
        case .both(let better, let other):
          work.append(.step(other))
          work.append(.step(better))
        case .assertion(let assertion, let next):
          if bits & assertion.bit != 0 { work.append(.step(next)) }
        case .save(let slot, let next):
          work.append(.restore(slot, current[slot]))
          current[slot] = place
          work.append(.step(next))
        case .scalar, .match:
          order.append(step)
          places += current
        }
      }
    }
  }
}
