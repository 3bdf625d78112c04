/// The stacks of a thread during a hang, and what most of them have in common.
struct HangStacks {
  struct Frame: Equatable {
    let address: UInt64
    let kind: CrashReport.Frame.Kind
    /// The function: its start, else the address itself.
    let function: UInt64

    var reported: CrashReport.Frame { CrashReport.Frame(address: address, kind: kind) }
  }

  struct Stack {
    /// Innermost first.
    var frames: [Frame]
    var cut: CrashReport.StackCut?
  }

  let stacks: [Stack]

  /// The callers that most stacks agree in, innermost first, and the numbers of those stacks.
  ///
  /// Beginning with the outermost frame it goes to the function that more than half of all stacks are in. What lies
  /// below differs from look to look, and says less.
  var agreed: (stack: Stack, members: [Int])? {
    let whole = stacks.indices.filter { stacks[$0].cut == nil || stacks[$0].cut == .limit }
    let usable = (whole.isEmpty ? Array(stacks.indices) : whole).filter { !stacks[$0].frames.isEmpty }
    guard let last = usable.last else { return nil }
    var members = usable
    var depth = 0
    while let (function, count) = most(of: members, at: depth), count * 2 > usable.count {
      members.removeAll { frame(of: $0, at: depth)?.function != function }
      depth += 1
    }
    guard depth > 0 else { return (stacks[last], [last]) }
    // Of those, the one whose innermost address is seen most.
    let addresses = members.compactMap { frame(of: $0, at: depth - 1)?.address }
    let counts = Dictionary(addresses.map { ($0, 1) }, uniquingKeysWith: +)
    let best = members.max { left, right in
      let addresses = (frame(of: left, at: depth - 1)?.address, frame(of: right, at: depth - 1)?.address)
      return (addresses.0.flatMap { counts[$0] } ?? 0) < (addresses.1.flatMap { counts[$0] } ?? 0)
    }
    guard let best else { return nil }
    return (Stack(frames: Array(stacks[best].frames.suffix(depth)), cut: stacks[best].cut), members)
  }

  /// A frame, counted from the outermost.
  private func frame(of stack: Int, at depth: Int) -> Frame? {
    let frames = stacks[stack].frames
    return depth < frames.count ? frames[frames.count - 1 - depth] : nil
  }

  private func most(of members: [Int], at depth: Int) -> (function: UInt64, count: Int)? {
    var counts: [UInt64: Int] = [:]
    for member in members {
      if let function = frame(of: member, at: depth)?.function { counts[function, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
  }
}
