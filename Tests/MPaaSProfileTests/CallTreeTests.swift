import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Testing

@testable import MPaaSProfile

@Suite("A call tree") struct CallTreeTests {
  private static let text = "main;work 6\nmain;work;sqrt 2\nmain;idle 1\nmain 1\n"

  @Test("adds up callers, and keeps the weight of each function itself")
  func sums() throws {
    let tree = CallTree(try Profile(text: Self.text))
    #expect(tree.total == 10)
    let lines = tree.lines(least: 0)
    #expect(lines.map { tree.name(of: $0.node) } == ["main", "work", "sqrt", "idle"])
    #expect(lines.map { tree.nodes[$0.node].total } == [10, 8, 2, 1])
    #expect(lines.map { tree.nodes[$0.node].own } == [1, 6, 2, 1])
    #expect(lines.map(\.depth) == [0, 1, 2, 1])
    #expect(tree.lines(least: 0.2).map { tree.name(of: $0.node) } == ["main", "work", "sqrt"])
    #expect(tree.lines(least: 0, depth: 2).map(\.omitted) == [0, 1, 0])
  }

  @Test("from the bottom up begins with the functions that were running")
  func bottomUp() throws {
    let tree = CallTree(try Profile(text: Self.text), .bottomUp)
    let lines = tree.lines(least: 0)
    #expect(lines.map { tree.name(of: $0.node) } == ["work", "main", "sqrt", "work", "main", "idle", "main", "main"])
    #expect(tree.roots.map { tree.nodes[Int($0)].own } == [6, 2, 1, 1])
  }

  @Test("has a tree for each thread, and tells what was off the processor")
  func threads() throws {
    let tree = CallTree(Profile.sample(), byThread: true)
    #expect(tree.roots.map { tree.name(of: Int($0)) } == ["worker [72]", "main [71]"])
    #expect(tree.nodes[Int(tree.roots[1])].waiting == 2_000_006)
  }

  @Test("counts a function that calls itself once")
  func recursion() throws {
    let profile = try Profile(text: "a;b;a;b 4\na 1\n")
    let totals = FunctionTotals(CallTree(profile))
    #expect(totals.entries.map(\.total) == [5, 4])
    #expect(totals.entries.map(\.own) == [1, 4])
    #expect(totals.hottest(1, in: profile).map { profile.name(ofFunction: $0.function) } == ["b"])
  }

  @Test("is drawn as well-formed SVG and as a page, which name nothing outside of themselves", .tool("python3"))
  func flameGraph() throws {
    let profile = try Profile(text: "main;a<T> & \"b\"\u{1};c]]> 3\nmain;std::vector 1\n", as: .collapsed)
    let words = FlamePicture.Words(search: "Search </script>", reset: "All", found: "found: {share}")
    let picture = FlameGraph.picture(CallTree(profile), title: "app <1>", subtitle: "4 samples", words: words) {
      weight, share in "\(weight) samples, \(Int(share * 100)) %"
    }
    let folder = try TemporaryFolder()
    try Data(picture.svg.utf8).write(to: folder.url.appending(path: "graph.svg"))
    let script = """
      import sys, xml.etree.ElementTree as tree
      n = "{http://www.w3.org/2000/svg}"
      for group in tree.parse(sys.argv[1]).getroot().iter(n + "g"):
          box = group.find(n + "rect")
          print(group.find(n + "title").text.replace("\\n", "|"), box.get("x"), box.get("width"))
      """
    let outcome = try Command.run("python3", ["-c", script, folder.path + "/graph.svg"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "main|4 samples, 100 % 12 1176")
    #expect(lines.contains("std::vector|1 samples, 25 % 894 294"))
    for text in [picture.svg, picture.html] {
      #expect(
        text.components(separatedBy: "http").count == 3, "the name of SVG's elements, in the file and in its script")
      #expect(!text.contains("<script src") && !text.contains("@import"))
    }
  }
}
