import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas runtime trace") struct RuntimeTraceTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  static func trace(cart: Double = 20, launch: Double = 100) -> String {
    """
    {"otherData":{"dropped":0},"traceEvents":[
    {"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"Shop"}},
    {"name":"launch","cat":"framework","ph":"X","pid":1,"tid":1,"ts":0,"dur":\(launch),"args":{"id":1,"subject":"launch","phase":""}},
    {"name":"购物车 set-up","cat":"module","ph":"X","pid":1,"tid":1,"ts":3,"dur":\(cart),"args":{"id":2,"parent":1,"subject":"购物车","phase":"set-up","place":"MobileRuntime.plist:12"}},
    {"name":"Pay init","cat":"module","ph":"X","pid":1,"tid":1,"ts":40,"dur":30.25,"args":{"id":3,"parent":1,"subject":"Pay","phase":"init"}}]}
    """
  }

  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: home.path + "/" + name))
    return home.path + "/" + name
  }

  func run(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["runtime", "trace"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "TMPDIR": home.path])
  }

  @Test("prints the steps, the slowest first, and a flame graph below them")
  func table() throws {
    let outcome = try run(write("a.json", Self.trace()))
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0, "\(outcome)")
    try #require(lines.count > 6, "\(outcome)")
    #expect(lines[0] == "Shop: 100 µs, 3 steps", "\(outcome)")
    #expect(lines[2].hasPrefix("launch"))
    #expect(lines[3].hasPrefix("Pay"))
    #expect(lines[4].hasPrefix("购物车"))
    #expect(lines[4].contains("20.0 %"))
    #expect(lines[4].contains("MobileRuntime.plist:12"))
    #expect(lines[5].hasPrefix("▏launch──"))
    #expect(lines[6].contains("▏购物车 set-up─"))
    #expect(lines[6].contains("▏Pay init"))
    let sorted = try run(write("a.json", Self.trace()), "--sort", "start", "--limit", "2")
    #expect(sorted.output.contains("1 more; --limit 0 shows all"))
  }

  @Test("gives the same as JSON")
  func json() throws {
    let document = try json(run(write("a.json", Self.trace()), "--json").output)
    let steps = try #require(document["steps"] as? [[String: Any]])
    #expect(document["total_us"] as? Double == 100)
    #expect(steps.count == 3)
    #expect(steps[2]["subject"] as? String == "购物车")
    #expect(steps[2]["share"] as? Double == 0.2)
    #expect(steps[0]["own_us"] as? Double == 49.75)
  }

  func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("says what became slower than in other runs, and fails above a growth where it is asked to")
  func against() throws {
    let new = try write("new.json", Self.trace(cart: 45, launch: 125))
    let old = try write("old.json", Self.trace())
    let outcome = try run(new, "--against", old)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("100 µs before, 125 µs now: +25.0 %"), "\(outcome)")
    #expect(outcome.output.contains("+25.0 µs"))
    #expect(!outcome.output.contains("Pay"))
    #expect(try run(new, "--against", old, "--fail-above", "20").status == 1)
    #expect(try run(new, "--against", old, "--fail-above", "30").status == 0)
    #expect(try run(new, "--fail-above", "30").status == 64)
    let runs = try run(new, "--runs", old, old, "--against", old, "--json")
    #expect(try json(runs.output)["growth"] as? Double == 0)
  }

  @Test("writes the flame graph as an SVG file, and does not replace one unless told to")
  func flame() throws {
    let (trace, svg) = (try write("a.json", Self.trace()), home.path + "/a.svg")
    #expect(try run(trace, "--flame", svg).status == 0)
    let text = try String(contentsOfFile: svg, encoding: .utf8)
    #expect(text.contains("<svg"))
    #expect(text.contains("购物车 set-up"))
    #expect(text.hasSuffix("</svg>\n"))
    let again = try run(trace, "--flame", svg)
    #expect(again.status == 73)
    #expect(again.errors.contains("a.svg is there already"))
    #expect(try run(trace, "--flame", svg, "--force").status == 0)
  }

  @Test("refuses what is no trace, with the place, and what is not there")
  func refused() throws {
    let broken = try run(write("b.json", "{\"traceEvents\":[\n{\"ph\":}]}"))
    #expect(broken.status == 65, "\(broken)")
    #expect(broken.errors.contains("b.json:2:7"), "\(broken)")
    #expect(try run(write("c.json", "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1}]")).errors.contains("dur"))
    #expect(try run(home.path + "/none.json").status == 66)
    #expect(try run().status == 64)
  }

  @Test("runs a command with MPAAS_TRACE, shows what it left, and ends as the command did")
  func command() throws {
    let source = try write("source.json", Self.trace())
    let outcome = try run("--limit", "1", "--", "/bin/sh", "-c", "echo said; cp '\(source)' \"$MPAAS_TRACE\"; exit 3")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.output.hasPrefix("Shop: 100 µs"), "\(outcome)")
    #expect(outcome.errors.contains("said"))
    #expect(!outcome.output.contains("said"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["source.json"])
    let kept = home.path + "/kept.json"
    #expect(try run("--output", kept, "--", "/bin/sh", "-c", "cp '\(source)' \"$MPAAS_TRACE\"").status == 0)
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == Self.trace())
    let nothing = try run("--", "true")
    #expect(nothing.status == 1)
    #expect(nothing.errors.contains("true left no trace"))
    #expect(try run("--", "/bin/sh", "-c", "exit 9").status == 9)
  }
}
