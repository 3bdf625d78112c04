import MPaaSCrashReport
import MPaaSProfile
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A profile of a process that was looked at") struct SampleProfileTests {
  /// Stacks as `outer;inner+inlined` with their counts, on one thread.
  static func profile(_ stacks: [(String, Int)]) -> SampleProfile {
    SampleProfile.made(
      of: stacks.map { stack, count in
        var thread = CrashReport.Thread(id: 7)
        thread.name = "worker"
        thread.frames = stack.split(separator: ";").reversed().map { name in
          var frame = CrashReport.Frame(address: 1)
          frame.calls = name.split(separator: "+").reversed().map { CrashReport.Call(function: String($0)) }
          return frame
        }
        return (thread, count)
      })
  }

  @Test("adds up callers and keeps what each function did itself; inlined calls are functions too")
  func sums() throws {
    let samples = Self.profile([("main;work", 6), ("main;work;sqrt", 2), ("main;idle+inlined", 1), ("main", 1)])
    let tree = CallTree(samples.profile, byThread: true)
    #expect(tree.total == 10)
    let lines = tree.lines(least: 0)
    #expect(
      lines.map { tree.name(of: $0.node) } == ["worker [7]", "main", "work", "sqrt", "idle", "inlined"])
    #expect(lines.map { tree.nodes[$0.node].total } == [10, 10, 8, 2, 1, 1])
    #expect(lines.map { tree.nodes[$0.node].own } == [0, 1, 6, 2, 0, 1])
    #expect(tree.lines(least: 0.2).map { tree.name(of: $0.node) } == ["worker [7]", "main", "work", "sqrt"])
  }
}
