/// The order in which versions are chosen: who needs comes before what is needed.
///
/// So what stands near the project is as new as it can be, and what it stands on follows. Modules that need one another
/// in a ring stand in the order in which they were reached (strongly connected components: Tarjan, 1972).
struct ModuleOrder {
  private(set) var modules: [Int] = []

  private struct Frame {
    let module: Int
    var next = 0
  }

  init(_ graph: ModuleGraph) {
    var seen = [Int](repeating: -1, count: graph.modules.count)
    let needs = graph.targets.enumerated().map { module, targets in
      targets.filter { target in
        guard target >= 0, seen[target] != module else { return false }
        seen[target] = module
        return true
      }
    }
    order(needs)
  }

  private mutating func order(_ needs: [[Int]]) {
    var index = [Int](repeating: -1, count: needs.count)
    var low = [Int](repeating: 0, count: needs.count)
    var isOpen = [Bool](repeating: false, count: needs.count)
    var open: [Int] = []
    var components: [[Int]] = []
    var count = 0
    for start in needs.indices.reversed() where index[start] < 0 {
      var frames = [Frame(module: start)]
      while let frame = frames.last {
        let module = frame.module
        if frame.next == 0, index[module] < 0 {
          index[module] = count
          low[module] = count
          count += 1
          open.append(module)
          isOpen[module] = true
        }
        if frame.next < needs[module].count {
          let other = needs[module][frame.next]
          frames[frames.count - 1].next += 1
          if index[other] < 0 {
            frames.append(Frame(module: other))
          } else if isOpen[other] {
            low[module] = min(low[module], index[other])
          }
          continue
        }
        frames.removeLast()
        if let parent = frames.last { low[parent.module] = min(low[parent.module], low[module]) }
        guard low[module] == index[module], let place = open.lastIndex(of: module) else { continue }
        let component = open[place...].sorted()
        for member in component { isOpen[member] = false }
        open.removeSubrange(place...)
        components.append(component)
      }
    }
    modules = components.reversed().flatMap { $0 }
  }
}
