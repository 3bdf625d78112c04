import Foundation
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A call tree")
struct CallTreeTests {
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
    let tree = CallTree(Self.profile([("main;work", 6), ("main;work;sqrt", 2), ("main;idle+inlined", 1), ("main", 1)]))
    #expect(tree.total == 10)
    let thread = try #require(tree.threads.first)
    #expect(thread.name == "worker [7]")
    #expect(thread.total == 10)
    let main = try #require(thread.children.first)
    #expect(main.name == "main")
    #expect(main.total == 10)
    #expect(main.own == 1)
    #expect(main.children.map(\.name) == ["work", "idle"])
    #expect(main.children.map(\.total) == [8, 1])
    #expect(main.children[0].own == 6)
    #expect(main.children[0].children[0].name == "sqrt")
    #expect(main.children[1].children.map(\.name) == ["inlined"])
    #expect(tree.hottest(1).map(\.name) == ["work"])
    #expect(tree.lines(least: 20).map(\.node.name) == ["worker [7]", "main", "work", "sqrt"])
  }

  @Test("is drawn as well-formed SVG with a title for each box", .tool("python3"))
  func flameGraph() throws {
    let tree = CallTree(Self.profile([("main;a<T> & \"b\"\u{1}", 3), ("main;std::vector", 1)]))
    let svg = FlameGraph(tree, title: "app <1>", subtitle: "4 samples").svg
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "graph.svg")
    try Data(svg.utf8).write(to: file)
    let script = """
      import sys, xml.etree.ElementTree as tree
      n = "{http://www.w3.org/2000/svg}"
      root = tree.parse(sys.argv[1]).getroot()
      for group in root.iter(n + "g"):
          box = group.find(n + "rect")
          print(group.find(n + "title").text, "|", box.get("x"), box.get("width"))
      """
    let outcome = try Command.run("python3", ["-c", script, file.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "worker [7]: 4 samples, 100 % | 12 1176")
    #expect(lines.contains("std::vector: 1 samples, 25 % | 894 294"))
  }
}
