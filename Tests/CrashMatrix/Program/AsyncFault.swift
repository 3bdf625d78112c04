/// A fault in a task that was suspended before, so that its callers stand only in the chain of async contexts.
enum AsyncFault {
  @inline(never)
  static func leaf(_ index: Int) async -> Int {
    let prices = [1, 2, 3]
    await Task.yield()
    return prices[SwiftFaults.number(index)]  // crash: async-task
  }

  @inline(never)
  static func middle(_ index: Int) async -> Int {
    await leaf(index) + 1
  }

  @inline(never)
  static func outer(_ index: Int) async -> Int {
    await middle(index) * 2
  }
}
