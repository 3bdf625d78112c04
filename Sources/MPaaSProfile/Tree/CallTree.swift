import MPaaSSupport

/// The samples of a profile put together by function, from the outermost functions inwards, or the other way round.
package struct CallTree: Sendable {
  /// The direction in which a tree is gone through.
  package enum Order: Sendable {
    /// From the outermost functions to those that they call.
    case topDown
    /// From the functions that were running to those that called them.
    case bottomUp
  }

  package struct Node: Sendable {
    /// A row of the profile's functions, or -1 for a thread.
    package let function: Int
    /// The place of the thread in the profile; -1 below threads, and where all threads are one.
    package let thread: Int
    /// A place in `nodes`, before this one; -1 at the top.
    package let parent: Int
    /// The weight of the samples in which the function was running or had called another.
    package fileprivate(set) var total: Int64 = 0
    /// The weight of the samples in which it was running.
    package fileprivate(set) var own: Int64 = 0
    /// The part of `total` that was off the processor.
    package fileprivate(set) var waiting: Int64 = 0
    /// Places in `nodes`, the greatest total first.
    package fileprivate(set) var children: [Int32] = []
  }

  package let profile: Profile
  /// Callers before callees; in a tree that is bottom-up, the other way round.
  package private(set) var nodes: [Node] = []
  /// The nodes without a parent, the greatest total first.
  package private(set) var roots: [Int32] = []
  /// The weight of all samples.
  package private(set) var total: Int64 = 0
  private var index = RowIndex()

  /// Builds the tree of a profile, by the sample type that it shows.
  ///
  /// - Parameters:
  ///   - byThread: One tree for each thread, below a node of its own.
  ///   - depth: How many levels a tree that is bottom-up may have.
  package init(_ profile: Profile, _ order: Order = .topDown, byThread: Bool = false, depth: Int = 64) {
    self.profile = profile
    let states: [SampleState?] = profile.threads.contains { !$0.states.isEmpty } ? [.offCPU, nil] : [nil]
    var sums = StackSums(profile)
    // Nodes of stacks by rows, and the group that they were found for.
    var places = [Int32](repeating: -1, count: profile.stacks.count)
    var groups = places
    for (group, threads) in Self.groups(profile, byThread).enumerated() {
      let top = byThread ? node(function: -1, thread: group, parent: -1) : -1
      // All samples, and those off the processor once more, for their part.
      for state in states {
        sums.clear()
        for thread in threads { sums.add(profile.threads[thread], profile.shown, of: profile.types.count, only: state) }
        for (stack, weight) in sums.sums {
          if state == nil { total = total.addingSaturating(weight) }
          switch order {
          case .topDown:
            let place = stack < 0 ? top : place(of: stack, top, Int32(truncatingIfNeeded: group), &places, &groups)
            if place >= 0 { addOwn(weight, at: place, isWaiting: state != nil) }
          case .bottomUp: addUpwards(stack, weight, top, depth, isWaiting: state != nil)
          }
        }
      }
    }
    if order == .topDown { sum() }
    link()
  }

  private static func groups(_ profile: Profile, _ byThread: Bool) -> [[Int]] {
    byThread ? profile.threads.indices.map { [$0] } : [Array(profile.threads.indices)]
  }

  /// The node of a function below a parent, which is added where it is not there.
  private mutating func node(function: Int, thread: Int, parent: Int) -> Int {
    let hash = RowIndex.hash(
      UInt64(bitPattern: Int64(function)) << 32 ^ UInt64(bitPattern: Int64(thread)), UInt64(bitPattern: Int64(parent)))
    let known = index.row(hash) {
      nodes[$0].function == function && nodes[$0].parent == parent && nodes[$0].thread == thread
    }
    if let known { return known }
    nodes.append(Node(function: function, thread: thread, parent: parent))
    index.append(hash)
    return nodes.count - 1
  }

  /// The node of a stack, whose callers' nodes are made where they are not there.
  private mutating func place(
    of stack: Int, _ top: Int, _ group: Int32, _ places: inout [Int32], _ groups: inout [Int32]
  ) -> Int {
    var path: [Int] = []
    var next = stack
    while next >= 0, groups[next] != group {
      path.append(next)
      next = Int(profile.stacks.prefixes[next])
    }
    var parent = next < 0 ? top : Int(places[next])
    for stack in path.reversed() {
      parent = node(function: profile.function(ofStack: stack), thread: -1, parent: parent)
      places[stack] = Int32(truncatingIfNeeded: parent)
      groups[stack] = group
    }
    return parent
  }

  private mutating func addOwn(_ weight: Int64, at place: Int, isWaiting: Bool) {
    if isWaiting {
      nodes[place].waiting = nodes[place].waiting.addingSaturating(weight)
    } else {
      nodes[place].own = nodes[place].own.addingSaturating(weight)
    }
  }

  private mutating func addUpwards(_ stack: Int, _ weight: Int64, _ top: Int, _ depth: Int, isWaiting: Bool) {
    var parent = top
    var next = stack
    var level = 0
    if top >= 0 { addTotal(weight, at: top, isWaiting: isWaiting) }
    while next >= 0, level < depth {
      parent = node(function: profile.function(ofStack: next), thread: -1, parent: parent)
      addTotal(weight, at: parent, isWaiting: isWaiting)
      if level == 0, !isWaiting { nodes[parent].own = nodes[parent].own.addingSaturating(weight) }
      next = Int(profile.stacks.prefixes[next])
      level += 1
    }
  }

  private mutating func addTotal(_ weight: Int64, at place: Int, isWaiting: Bool) {
    if isWaiting {
      nodes[place].waiting = nodes[place].waiting.addingSaturating(weight)
    } else {
      nodes[place].total = nodes[place].total.addingSaturating(weight)
    }
  }

  /// Adds what callees have to their callers: a parent comes before its children.
  private mutating func sum() {
    for place in nodes.indices.reversed() {
      nodes[place].total = nodes[place].total.addingSaturating(nodes[place].own)
      let (parent, total, waiting) = (nodes[place].parent, nodes[place].total, nodes[place].waiting)
      guard parent >= 0 else { continue }
      nodes[parent].total = nodes[parent].total.addingSaturating(total)
      nodes[parent].waiting = nodes[parent].waiting.addingSaturating(waiting)
    }
  }

  /// Lists the children, the greatest first; those of equal weight by their names.
  private mutating func link() {
    for place in nodes.indices {
      let parent = nodes[place].parent
      if parent < 0 { roots.append(Int32(place)) } else { nodes[parent].children.append(Int32(place)) }
    }
    roots = sorted(roots)
    for place in nodes.indices where nodes[place].children.count > 1 {
      nodes[place].children = sorted(nodes[place].children)
    }
  }

  private func sorted(_ places: [Int32]) -> [Int32] {
    places.sorted { left, right in
      let (one, other) = (nodes[Int(left)], nodes[Int(right)])
      if one.total != other.total { return one.total > other.total }
      let (name, otherName) = (self.name(of: Int(left)), self.name(of: Int(right)))
      return name != otherName ? name < otherName : left < right
    }
  }
}

extension CallTree {
  /// The function's name, or the thread's title.
  package func name(of node: Int) -> String {
    let node = nodes[node]
    return node.function >= 0 ? profile.name(ofFunction: node.function) : profile.threads[node.thread].title
  }

  /// The name of the image that the function is in.
  package func image(of node: Int) -> String? {
    let function = nodes[node].function
    return function < 0 ? nil : profile.image(ofFunction: function)?.name
  }

  /// The part of the whole that a weight is, from 0 to 1.
  package func share(of weight: Int64) -> Double { total > 0 ? Double(weight) / Double(total) : 0 }
}
