import MPaaSSupport

/// The nodes of V8's sampled profiles, in a `.cpuprofile` or in pieces in a trace: each names what called it, or what it
/// calls.
///
/// - Source: Chrome DevTools Protocol, `Profiler.Profile`; "Trace Event Format", sample events.
struct CPUProfileNodes {
  private struct Node {
    var frame = -1
    var parent: Int64?
    var children: [Int64] = []
    var hits: Int64 = 0
    var isRoot = false
    var isIdle = false
  }

  private var nodes: [Node] = []
  private var rows: [Int64: Int] = [:]
  /// By rows of nodes; -2 where nothing is known yet, -1 without frames.
  private var stacks: [Int32] = []
  private var parents: [Int] = []

  /// The samples that nodes count by themselves, where a profile has no list of them.
  var hits: [(node: Int64, count: Int64)] {
    rows.map { ($0.key, nodes[$0.value].hits) }.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
  }

  mutating func take(_ json: inout JSONCursor, _ profile: inout Profile) throws(ProfileError) {
    try json.array("nodes") { (_, json) throws(ProfileError) in
      let place = json.offset
      var node = Node()
      var id: Int64?
      try json.object("nodes") { (name, json) throws(ProfileError) in
        if json.isName(name, "id") {
          id = try json.decimal("id")
        } else if json.isName(name, "parent") {
          node.parent = try json.decimal("parent")
        } else if json.isName(name, "hitCount") {
          node.hits = max(0, try json.decimal("hitCount"))
        } else if json.isName(name, "children"), json.next() == UInt8(ascii: "[") {
          try json.array("children") { (_, json) throws(ProfileError) in
            node.children.append(try json.decimal("children"))
          }
        } else if json.isName(name, "callFrame") {
          try Self.frame(&json, of: &node, &profile)
        } else {
          try json.skip()
        }
      }
      guard let id, node.frame >= 0, rows[id] == nil else { throw json.bad("nodes", at: place) }
      rows[id] = nodes.count
      nodes.append(node)
    }
  }

  private static func frame(
    _ json: inout JSONCursor, of node: inout Node, _ profile: inout Profile
  ) throws(ProfileError) {
    var (function, file, line) = (0, 0, 0)
    try json.object("callFrame") { (name, json) throws(ProfileError) in
      if json.isName(name, "functionName") {
        function = try json.string("functionName", in: &profile)
      } else if json.isName(name, "url") {
        file = try json.string("url", in: &profile)
      } else if json.isName(name, "lineNumber") {
        // Lines count from 0 here, and -1 is none.
        line = Int(max(-1, min(try json.decimal("lineNumber"), Int64(Int32.max) - 1))) + 1
      } else {
        try json.skip()
      }
    }
    let name = profile.strings[function]
    node.isRoot = name == "(root)"
    node.isIdle = name == "(idle)"
    let named = function == 0 ? profile.function("(anonymous)", file: profile.strings[file], line: line) : nil
    node.frame = profile.frame(named ?? profile.function(named: function, file: file, line: line))
  }

  /// The stack of a node, -1 for the root and for idle time; nil where the node is unknown, or its callers form a ring or
  /// are too many.
  mutating func stack(_ id: Int64, _ profile: inout Profile) -> Int? {
    guard let row = rows[id] else { return nil }
    if parents.count < nodes.count { link() }
    var path: [Int] = []
    var next = row
    while stacks[next] == -2 {
      path.append(next)
      // Longer than there are nodes: a ring.
      guard path.count <= min(nodes.count, Profile.deepest) else { return nil }
      guard parents[next] >= 0 else { break }
      next = parents[next]
    }
    for row in path.reversed() {
      let parent = parents[row]
      let prefix = parent >= 0 && stacks[parent] >= 0 ? Int(stacks[parent]) : nil
      let node = nodes[row]
      let isNothing = node.isIdle || (node.isRoot && prefix == nil)
      if let prefix, profile.stacks.depths[prefix] >= Profile.deepest { return nil }
      stacks[row] = isNothing ? -1 : Int32(truncatingIfNeeded: profile.stack(on: prefix, frame: node.frame))
    }
    return Int(stacks[row])
  }

  /// Finds each node's caller, whichever of the two names the other.
  private mutating func link() {
    stacks += [Int32](repeating: -2, count: nodes.count - stacks.count)
    parents = nodes.map { $0.parent.flatMap { rows[$0] } ?? -1 }
    for (row, node) in nodes.enumerated() {
      for child in node.children {
        if let child = rows[child], child != row, parents[child] < 0 { parents[child] = row }
      }
    }
  }
}
