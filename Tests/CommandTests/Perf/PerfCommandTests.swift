import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas perf") struct PerfCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write("before.collapsed", "main;load;parse 400\nmain;load;read 120\nmain;draw 380\n")
    try write("after.collapsed", "main;load;parse 640\nmain;load;read 125\nmain;draw 385\n")
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  private func mpaas(_ arguments: String...) throws -> Command.Outcome {
    let environment = ["MPAAS_HOME": folder.path + "/home", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1"]
    return try Command.run("mpaas", ["perf"] + arguments, environment: environment, directory: folder.url)
  }

  private func json(_ outcome: Command.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  @Test("show prints a tree and what was running, and the same with the keys that scripts rely on")
  func show() throws {
    let outcome = try mpaas("show", "before.collapsed")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("main") && outcome.output.contains("44.4 %"))
    let document = try json(try mpaas("show", "before.collapsed", "--json"))
    #expect(document["total"] as? Int == 900)
    let tree = try #require(document["tree"] as? [[String: Any]])
    #expect(tree.map { $0["function"] as? String } == ["main", "load", "parse", "read", "draw"])
    #expect(tree.map { $0["depth"] as? Int } == [0, 1, 2, 2, 1])
    let hottest = try #require(document["hottest"] as? [[String: Any]])
    #expect(hottest.first?["function"] as? String == "parse")
    let turned = try json(try mpaas("show", "before.collapsed", "--bottom-up", "--json"))
    #expect((turned["tree"] as? [[String: Any]])?.first?["function"] as? String == "parse")
  }

  @Test("convert writes each format, and reads its own again with the same weights")
  func convert() throws {
    for format in ["speedscope", "firefox", "pprof", "chrome", "perfetto", "collapsed"] {
      let outcome = try mpaas("convert", "before.collapsed", "--to", format, "--output", "out.\(format)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == "out.\(format)\n")
    }
    for format in ["speedscope", "pprof", "collapsed"] {
      #expect(try json(try mpaas("show", "out.\(format)", "--json"))["total"] as? Int == 900, "\(format)")
    }
    #expect(try mpaas("convert", "before.collapsed", "--to", "collapsed").output.hasPrefix("main;load;parse 400\n"))
    #expect(try mpaas("convert", "before.collapsed").status == 64)
  }

  @Test("flame writes a picture or a page, by the end of the name")
  func flame() throws {
    #expect(try mpaas("flame", "before.collapsed", "--output", "f.svg").output == "f.svg\n")
    #expect(try String(contentsOfFile: folder.path + "/f.svg", encoding: .utf8).hasPrefix("<?xml"))
    #expect(try mpaas("flame", "before.collapsed", "--output", "f.html").status == 0)
    #expect(try String(contentsOfFile: folder.path + "/f.html", encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  @Test("diff names what surely got slower, and fails over the limit only")
  func diff() throws {
    let outcome = try mpaas("diff", "before.collapsed", "after.collapsed", "--json")
    #expect(outcome.status == 0)
    let functions = try #require(try json(outcome)["functions"] as? [[String: Any]])
    #expect(functions.first?["function"] as? String == "parse")
    #expect(try mpaas("diff", "before.collapsed", "after.collapsed", "--fail-if", "slower>5%").status == 1)
    #expect(try mpaas("diff", "before.collapsed", "after.collapsed", "--fail-if", "slower>50%").status == 0)
    #expect(try mpaas("diff", "before.collapsed", "after.collapsed", "--fail-if", "function>20%").status == 1)
    #expect(try mpaas("diff", "before.collapsed", "before.collapsed", "--fail-if", "slower>0%").status == 0)
    #expect(try mpaas("diff", "before.collapsed", "after.collapsed", "--fail-if", "slower").status == 64)
  }

  private static func day(_ version: String, _ hangs: Int) -> String {
    """
    {"appVersion":"\(version)","timeStampEnd":"2026-03-01 23:59:00","cpuMetrics":{"cumulativeCPUTime":"100 sec"},
    "applicationResponsivenessMetrics":{"histogrammedAppHangTime":{"histogramValue":{"0":{"bucketCount":\(hangs),
    "bucketStart":"0 ms","bucketEnd":"100 ms"},"1":{"bucketCount":1,"bucketStart":"1 sec","bucketEnd":"2 sec"}}}}}
    """
  }

  @Test("metrics puts days together by versions, and passes over what is no payload")
  func metrics() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/days", withIntermediateDirectories: true)
    for (name, version, hangs) in [("a", "1.0", 10), ("b", "1.0", 20), ("c", "1.1", 30)] {
      try write("days/\(name).json", Self.day(version, hangs))
    }
    try write("days/note.txt", "hello")
    let document = try json(try mpaas("metrics", "days", "--json"))
    let versions = try #require(document["versions"] as? [[String: Any]])
    #expect(versions.map { $0["version"] as? String } == ["1.0", "1.1"])
    let metrics = try #require(versions.first?["metrics"] as? [String: [String: Any]])
    #expect(metrics["cpuMetrics.cumulativeCPUTime"]?["value"] as? Double == 200)
    let hangs = try #require(metrics["applicationResponsivenessMetrics.histogrammedAppHangTime"])
    #expect(hangs["count"] as? Int == 32 && hangs["p50_at_most"] as? Double == 0.1)
    #expect(hangs["p99_at_most"] as? Double == 2)
    #expect(try !mpaas("metrics", "days", "--name", "hang").output.contains("cpuMetrics"))
    #expect(try mpaas("metrics", "days/note.txt").status == 65)
    try write("days/bad.json", "{\"cpuMetrics\":{\"cumulativeCPUTime\":}}")
    #expect(try mpaas("metrics", "days").status == 0)
    let bad = try mpaas("metrics", "days/bad.json")
    #expect(bad.status == 65 && bad.errors.contains("bad.json:1:36"), "\(bad.errors)")
  }

  @Test("says what is wrong with a file, and where")
  func broken() throws {
    try write("bad.collapsed", "main;a 1\nmain;b\n")
    let outcome = try mpaas("show", "bad.collapsed", "--from", "collapsed")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("bad.collapsed:2"))
    try write("bad.json", "{\"shared\":{\"frames\":[]},\"profiles\":[{}]}")
    #expect(try mpaas("show", "bad.json").status == 65)
    #expect(try mpaas("show", "missing").status == 66)
    #expect(try mpaas("show", "before.collapsed", "--type", "cpu").status == 64)
  }
}
