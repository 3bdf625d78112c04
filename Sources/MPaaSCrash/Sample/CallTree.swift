import MPaaSCrashReport

/// Sampled stacks put together from their outermost functions inwards.
package struct CallTree: Sendable, Equatable {
  package struct Node: Sendable, Equatable {
    /// A function, or a thread at the first level.
    package let name: String
    /// The image that the function is in.
    package let image: String?
    /// Samples in which this function was running or had called another.
    package fileprivate(set) var total = 0
    /// Samples in which this function was running.
    package fileprivate(set) var own = 0
    /// The most frequent first.
    package fileprivate(set) var children: [Node] = []

    fileprivate init(name: String, image: String?) {
      self.name = name
      self.image = image
    }
  }

  /// The threads, the most frequent first.
  package private(set) var threads: [Node] = []
  /// The number of stacks that were counted.
  package private(set) var total = 0

  /// Builds the tree of a profile, by function where it is symbolicated and by image and offset where it is not.
  package init(_ profile: SampleProfile) {
    let builder = Builder()
    for (stack, (thread, count)) in zip(profile.report.threads, profile.counts).enumerated() {
      let name = thread.name.map { "\($0) [\(thread.id)]" } ?? "[\(thread.id)]"
      var path = [Step(name: name, image: nil)]
      for index in thread.frames.indices.reversed() {
        path += Self.steps(profile.report, index, inStack: stack)
      }
      builder.add(path, count)
      total += count
    }
    threads = builder.nodes
  }

  fileprivate struct Step: Hashable {
    let name: String
    let image: String?
  }

  /// The functions of a frame, outermost first: the function itself, then what was inlined into it.
  private static func steps(
    _ report: CrashReport, _ index: Int, inStack stack: Int
  ) -> [Step] {
    let (frame, images) = (report[stack: stack][index], report.images)
    let image = frame.image.flatMap { images.indices.contains($0) ? images[$0] : nil }
    let name = image.map { $0.name.isEmpty ? "(code without a file)" : $0.name }
    if !frame.calls.isEmpty { return frame.calls.reversed().map { Step(name: $0.function, image: name) } }
    let address = report.lookupAddress(ofFrame: index, inStack: stack)
    guard let image, let name else { return [Step(name: "0x" + String(address, radix: 16), image: nil)] }
    return [Step(name: "\(name) + 0x" + String(address &- image.base, radix: 16), image: name)]
  }

  /// A tree that grows; nodes are found by their names at each level.
  private final class Builder {
    private var names: [Step: Int] = [:]
    private var children: [(step: Step, builder: Builder, total: Int, own: Int)] = []

    func add(_ path: [Step], _ count: Int) {
      var level = self
      for (depth, step) in path.enumerated() {
        let index = level.names[step] ?? level.insert(step)
        level.children[index].total += count
        if depth == path.count - 1 { level.children[index].own += count }
        level = level.children[index].builder
      }
    }

    private func insert(_ step: Step) -> Int {
      names[step] = children.count
      children.append((step, Builder(), 0, 0))
      return children.count - 1
    }

    var nodes: [Node] {
      let sorted = children.sorted { ($1.total, $0.step.name) < ($0.total, $1.step.name) }
      return sorted.map { child in
        var node = Node(name: child.step.name, image: child.step.image)
        node.total = child.total
        node.own = child.own
        node.children = child.builder.nodes
        return node
      }
    }
  }
}

extension CallTree {
  /// One line of the tree as text.
  package struct Line: Sendable, Equatable {
    /// 0 for threads.
    package let depth: Int
    package let node: Node
    /// Whole percents of all stacks.
    package let percent: Int
  }

  /// The lines of the tree from the outermost functions inwards, without branches below a share of the whole.
  ///
  /// - Parameter percent: Branches with fewer whole percents are left out.
  package func lines(least percent: Int = 1) -> [Line] {
    var lines: [Line] = []
    func walk(_ nodes: [Node], _ depth: Int) {
      for node in nodes {
        let share = total > 0 ? node.total * 100 / total : 0
        guard share >= percent else { continue }
        lines.append(Line(depth: depth, node: node, percent: share))
        walk(node.children, depth + 1)
      }
    }
    walk(threads, 0)
    return lines
  }

  /// Functions by the samples in which they were running themselves, the most frequent first.
  package func hottest(_ count: Int = 10) -> [(name: String, image: String?, own: Int)] {
    var own: [Step: Int] = [:]
    func walk(_ nodes: [Node]) {
      for node in nodes {
        if node.own > 0 { own[Step(name: node.name, image: node.image), default: 0] += node.own }
        walk(node.children)
      }
    }
    walk(threads)
    let sorted = own.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
    return sorted.prefix(count).map { ($0.key.name, $0.key.image, $0.value) }
  }
}
