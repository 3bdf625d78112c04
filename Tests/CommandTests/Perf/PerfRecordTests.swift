import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas perf record") struct PerfRecordTests {
  @Test("samples a command to its end, with its status, and keeps a profile", arguments: ["stops", nil])
  func command(_ method: String?) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "sh.speedscope.json").path
    let options = method.map { ["--method", $0] } ?? []
    let outcome = try mpaas(
      ["perf", "record", "--json", "--output", file] + options + ["--", "sh", "-c", "sleep 0.2; exit 5"])
    #expect(outcome.status == 5)
    let result = try json(outcome.output)
    #expect(method == nil || result["method"] as? String == method)
    #expect(result["samples"] as? Int ?? 0 > 0 && result["output"] as? String == file)
    let threads = try #require(result["threads"] as? [[String: Any]])
    #expect(threads.reduce(0) { $0 + ($1["waiting"] as? Double ?? 0) } > 0.15)
    let shown = try mpaas(["perf", "show", file, "--json"])
    #expect(shown.status == 0)
  }

  @Test("samples a live process for a time, and says what it waits for")
  func process() throws {
    try CrashAttachTests.withSleeper { pid in
      let outcome = try mpaas(["perf", "record", "--duration", "200ms", "\(pid)"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix("sleep [\(pid)]: "))
      #expect(outcome.output.contains("nanosleep"))
      #expect(kill(pid, 0) == 0)
    }
  }

  @Test("refuses rates, times and words that are none, and a process that is not there")
  func refused() throws {
    for words in [["--rate", "0", "1"], ["--duration", "soon", "1"], ["sleep"], ["1", "2"], ["--"]] {
      let outcome = try mpaas(["perf", "record"] + words)
      #expect(outcome.status == 64, "\(words): \(outcome.errors)")
    }
    #expect(try mpaas(["perf", "record", "2147483646"]).status == 66)
    #expect(try mpaas(["perf", "record", "--", "no-such-program-anywhere"]).status == 127)
  }
}

@Suite("mpaas perf watch, startup and heap") struct PerfFiguresTests {
  @Test("watch gives an object a line, and what grew at the end")
  func watch() throws {
    try CrashAttachTests.withSleeper { pid in
      let outcome = try mpaas(["perf", "watch", "\(pid)", "--interval", "30ms", "--duration", "400ms", "--json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = try outcome.output.split(separator: "\n").map { try json(String($0)) }
      let growth = try #require(lines.last?["growth"] as? [String: Any])
      #expect(growth["pid"] as? Int == Int(pid))
      let first = try #require(lines.first)
      #expect(first["threads"] as? Int == 1 && first["resident"] as? Int ?? 0 > 0)
    }
  }

  @Test("startup names the phases, warm and cold, and draws them")
  func startup() throws {
    let folder = try TemporaryFolder()
    let svg = folder.url.appending(path: "start.svg").path
    let outcome = try mpaas(
      ["perf", "startup", "--times", "2", "--output", svg, "--json", "--", "sh", "-c", "echo ready"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let result = try json(outcome.output)
    for kind in ["warm", "cold"] {
      let starts = try #require((result[kind] as? [String: Any])?["starts"] as? [[String: Double]])
      #expect(starts.count == 2 && starts.allSatisfy { $0["entry"] != nil && $0["output"] != nil })
    }
    #expect(try String(contentsOfFile: svg, encoding: .utf8).hasSuffix("</svg>\n"))
  }

  @Test("heap tells the memory by kind, and two looks what grew")
  func heap() throws {
    try CrashAttachTests.withSleeper { pid in
      let outcome = try mpaas(["perf", "heap", "\(pid)", "--interval", "20ms", "--json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let result = try json(outcome.output)
      let kinds = try #require(result["kinds"] as? [String: Any])
      #expect(kinds["program"] != nil && kinds["stack"] != nil && result["growth"] != nil)
      #expect(try mpaas(["perf", "heap", "/etc/passwd"]).status == 65)
    }
  }
}
