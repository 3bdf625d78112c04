import Foundation
import MPaaSPerformance
import Testing

@Suite("Checks and values") struct CheckTests {
  final class Node {
    var name = "node"
    var next: Node?
  }

  @Test("describe a value with its parts, and stop where an object contains itself")
  func cycle() {
    let node = Node()
    node.next = node
    let text = Dump.describe(node, depth: 10)
    #expect(text.contains("name: \"node\"") && text.contains("(again)"))
    #expect(text.split(separator: "\n").count < 10)
    node.next = nil
  }

  @Test("describe no more of a large value than can be read")
  func large() {
    let text = Dump.describe(
      Array(repeating: Array(repeating: String(repeating: "x", count: 5000), count: 500), count: 500))
    #expect(text.utf8.count < 100_000 && text.contains("more"))
    #expect(Dump.describe(["a": [1, 2]], depth: 0).split(separator: "\n").count == 1)
  }

  @Test("tell of what does not hold, with place and stack")
  func told() {
    #expect(Check.require(true))
    let failure = Check.Failure(
      message: "no", file: "a.swift", line: 3, function: "f()", stack: .current(limit: 5))
    #expect(failure.description == "a.swift:3: f(): no")
    #expect((1...5).contains(failure.stack.addresses.count))
  }

  @Test("tick without drifting")
  func ticks() async {
    let start = ProcessInfo.processInfo.systemUptime
    var last = 0
    for await tick in Ticker(every: .milliseconds(20)) {
      // However late a tick is, the next ones are counted from the start.
      let elapsed = ProcessInfo.processInfo.systemUptime - start
      #expect(elapsed >= Double(tick.number) * 0.02 - 0.001)
      #expect(tick.number > last && tick.number == last + tick.missed + 1)
      last = tick.number
      if tick.number >= 10 { break }
    }
    #expect(last >= 10)
  }

  @Test("end with the task that they tick in")
  func cancelled() async {
    let task = Task {
      var count = 0
      for await _ in Ticker(every: .seconds(3600)) { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test("know the machine")
  func system() {
    let info = SystemInfo.current
    #expect(info.processors >= 1 && info.memory > 0 && info.pageSize >= 4096 && !info.kernel.isEmpty)
  }
}
