import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas crash attach") struct CrashAttachTests {
  /// A process that sleeps, and what `body` makes of its number.
  static func withSleeper<Value>(_ body: (Int32) throws -> Value) throws -> Value {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Command.find("sleep")))
    process.arguments = ["60"]
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    Thread.sleep(forTimeInterval: 0.2)
    return try body(process.processIdentifier)
  }

  @Test("shows the stacks of a live process, which lives on")
  func stacks() throws {
    try Self.withSleeper { pid in
      let outcome = try mpaas(["crash", "attach", "\(pid)"])
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("sleep [\(pid)]"))
      #expect(outcome.output.contains("nanosleep"))
      #expect(kill(pid, 0) == 0)
    }
  }

  @Test("samples it: a call tree, JSON, and a flame graph")
  func samples() throws {
    try Self.withSleeper { pid in
      let folder = try TemporaryFolder()
      let svg = folder.url.appending(path: "graph.svg").path
      let text = try mpaas(["crash", "attach", "\(pid)", "--sample", "5", "--interval", "1", "--svg", svg])
      #expect(text.status == 0)
      #expect(text.output.contains("5 samples, 1 ms apart, 1 thread\n"))
      #expect(text.output.hasSuffix(svg + "\n"))
      #expect(try String(contentsOfFile: svg, encoding: .utf8).hasSuffix("</svg>\n"))
      let outcome = try mpaas(["crash", "attach", "\(pid)", "--sample", "5", "--interval", "1", "--json"])
      let result = try json(outcome.output)
      #expect(result["samples"] as? Int == 5)
      let thread = try #require((result["threads"] as? [[String: Any]])?.first)
      #expect(thread["total"] as? Int == 5)
    }
  }

  @Test("says what is wrong with a number that is no process, or its own")
  func refused() throws {
    let missing = try mpaas(["crash", "attach", "2147483646"])
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("error: There is no process 2147483646"))
    let range = try mpaas(["crash", "attach", "1", "--sample", "0"])
    #expect(range.status == 64)
  }
}

@Suite("mpaas crash core", .tool("bash")) struct CrashCoreTests {
  @Test("makes the report of a core, printed or written")
  func core() throws {
    let folder = try TemporaryFolder()
    let program = Command.products.appending(path: "CrashMatrixOptimized").path
    _ = try Command.run(
      "bash", ["-c", "ulimit -c unlimited; cd '\(folder.path)'; '\(program)' array-index; true"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    let core = folder.url.appending(path: "core").path
    try #require(FileManager.default.fileExists(atPath: core), "the system keeps cores elsewhere")
    let report = folder.url.appending(path: "report.ips").path
    let written = try mpaas(["crash", "core", core, "--exec", program, "--output", report])
    #expect(written.status == 0)
    #expect(written.output.hasPrefix(report + "\n"))
    #expect(try WrittenReport(report).innermostPlace(in: "CrashMatrix") == CrashRunTests.place(of: "array-index"))
    let printed = try mpaas(["crash", "core", core])
    #expect(printed.output.contains("SwiftFaults.indexArray()"))
    let other = try mpaas(["crash", "core", core, "--exec", Command.products.appending(path: "CrashMatrix").path])
    #expect(other.status == 65)
    #expect(other.errors.contains("build ID"))
  }

  @Test("says what is wrong with a file that is no core")
  func noCore() throws {
    let program = try mpaas(["crash", "core", Command.products.appending(path: "CrashMatrix").path])
    #expect(program.status == 65)
    #expect(program.errors.contains("not a core"))
    let missing = try mpaas(["crash", "core", "/nowhere/core"])
    #expect(missing.status == 66)
  }
}
