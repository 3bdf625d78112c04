import Foundation
import MPaaSTestSupport
import Testing

/// A report that a capture command wrote, as far as the tests look at it.
struct WrittenReport {
  let body: [String: Any]

  init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let parts = text.split(separator: "\n", maxSplits: 1)
    try #require(parts.count == 2, "\(path) is no report")
    body = try json(String(parts[1]))
  }

  var exception: [String: Any] { body["exception"] as? [String: Any] ?? [:] }
  var threads: [[String: Any]] { body["threads"] as? [[String: Any]] ?? [] }
  var lastWords: [String: [String]] { body["asi"] as? [String: [String]] ?? [:] }

  /// The frames of the thread that crashed, innermost first, inlined calls too.
  var frames: [[String: Any]] {
    guard let index = body["faultingThread"] as? Int, threads.indices.contains(index) else { return [] }
    return threads[index]["frames"] as? [[String: Any]] ?? []
  }

  /// `file.c:12` of the innermost frame in a folder of sources.
  func innermostPlace(in folder: String) -> String? {
    for frame in frames {
      guard let file = frame["sourceFile"] as? String, file.contains(folder) else { continue }
      let line = (frame["sourceLine"] as? Int).map { ":\($0)" } ?? ""
      return "\(file.split(separator: "/").last ?? "")\(line)"
    }
    return nil
  }
}

@Suite("mpaas crash run", .serialized) struct CrashRunTests {
  /// Runs a program of ours under observation; the report goes to a file of its own.
  static func observe(
    _ program: String, _ arguments: [String], options: [String] = []
  ) throws -> (outcome: Command.Outcome, report: WrittenReport?, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "report.ips").path
    let outcome = try mpaas(
      ["crash", "run", "--output", path] + options + ["--", Command.products.appending(path: program).path] + arguments)
    return (outcome, try? WrittenReport(path), folder)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let signal: Int32
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "swift-fatal-error", signal: SIGILL), Case(name: "precondition", signal: SIGILL),
    Case(name: "array-index", signal: SIGILL), Case(name: "force-unwrap", signal: SIGILL),
    Case(name: "integer-overflow", signal: SIGILL), Case(name: "failed-cast", signal: SIGABRT),
    Case(name: "cxx-exception", signal: SIGABRT), Case(name: "abort", signal: SIGABRT),
    Case(name: "null-read", signal: SIGSEGV), Case(name: "null-write", signal: SIGSEGV),
    Case(name: "wild-jump", signal: SIGSEGV), Case(name: "stack-overflow", signal: SIGSEGV),
    Case(name: "stack-overflow-thread", signal: SIGSEGV), Case(name: "stack-smash", signal: SIGABRT),
    Case(name: "division-by-zero", signal: SIGFPE), Case(name: "bus-error", signal: SIGBUS),
    Case(name: "illegal-instruction", signal: SIGILL), Case(name: "raise-from-thread", signal: SIGSEGV),
    Case(name: "crash-in-handler", signal: SIGSEGV), Case(name: "malloc-lock", signal: SIGSEGV),
    Case(name: "async-task", signal: SIGILL), Case(name: "many-threads", signal: SIGSEGV),
    Case(name: "double-crash", signal: SIGSEGV), Case(name: "corrupted-stack", signal: SIGSEGV),
    Case(name: "assert", signal: SIGABRT),
  ]

  /// The line that a case is marked at in the sources, as `file:line`.
  static func place(of name: String) throws -> String {
    // The compiler gives the call to `__stack_chk_fail` no line.
    if name == "stack-smash" { return "stack.c" }
    let name = name == "many-threads" ? "null-write" : name
    let folder = Fixture.package.appending(path: "Tests/CrashMatrix")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    for case let file as URL in files where ["c", "cpp", "swift"].contains(file.pathExtension) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      if let index = lines.firstIndex(where: { $0.hasSuffix("// crash: \(name)") }) {
        return "\(file.lastPathComponent):\(index + 1)"
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  static func check(_ sample: Case, _ program: String, _ options: [String]) throws {
    let (outcome, report, folder) = try observe(program, [sample.name] + options)
    #expect(outcome.status == 128 + sample.signal)
    #expect(outcome.output == folder.url.appending(path: "report.ips").path + "\n")
    let written = try #require(report)
    #expect((written.exception["signal"] as? String) == Self.names[sample.signal])
    #expect(written.innermostPlace(in: "CrashMatrix") == (try place(of: sample.name)))
  }

  static let names = [
    SIGILL: "SIGILL", SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGTRAP: "SIGTRAP",
  ]

  @Test(
    "names the line that crashed, and ends as the program did", arguments: cases,
    ["CrashMatrix", "CrashMatrixOptimized"])
  func matrix(_ sample: Case, _ program: String) throws {
    try Self.check(sample, program, [])
  }

  @Test(
    "names the line that crashed where the program has handlers of its own or the CrashReporter",
    arguments: cases.filter {
      ["array-index", "null-write", "abort", "stack-overflow-thread", "many-threads"].contains($0.name)
    },
    ["--own-handlers", "--report-to"])
  func handlers(_ sample: Case, _ option: String) throws {
    // A handler on the stack that has run over cannot run.
    let folder = try TemporaryFolder()
    try Self.check(sample, "CrashMatrixOptimized", option == "--report-to" ? [option, folder.path] : [option])
  }

  @Test("reports the crash of a forked child, and ends as the main program did")
  func forked() throws {
    let (outcome, report, _) = try Self.observe("CrashMatrix", ["fork"])
    #expect(outcome.status == 0)
    #expect(report?.innermostPlace(in: "CrashMatrix") == (try Self.place(of: "fork")))
  }

  @Test("prints nothing where nothing crashed; the program's own output and status pass through")
  func passesThrough() throws {
    let outcome = try mpaas(["crash", "run", "--", "sh", "-c", "echo out; echo err >&2; exit 5"])
    #expect(outcome.status == 5)
    #expect(outcome.output == "out\n")
    #expect(outcome.errors == "err\n")
  }

  @Test("has the breadcrumbs of a program with the CrashReporter")
  func breadcrumbs() throws {
    let folder = try TemporaryFolder()
    let report = try #require(try Self.observe("CrashMatrix", ["null-write", "--report-to", folder.path]).report)
    let own = try #require(report.body["mpaas"] as? [String: Any])
    let names = try #require(own["breadcrumbs"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(names == (3...130).map { "step \($0)" })
  }

  @Test("has the logical callers of async functions", arguments: ["CrashMatrix", "CrashMatrixOptimized"])
  func asynchronous(_ program: String) throws {
    let report = try #require(try Self.observe(program, ["async-task"]).report)
    let functions = report.frames.compactMap { $0["symbol"] as? String }
    let places = ["leaf", "middle", "outer"].map { name in
      functions.firstIndex { $0.contains("AsyncFault.\(name)(") } ?? -1
    }
    #expect(places.allSatisfy { $0 >= 0 })
    #expect(places == places.sorted())
  }

  @Test("has Swift's last words, and says where it crashed on standard error")
  func lastWords() throws {
    let (outcome, report, _) = try Self.observe("CrashMatrix", ["swift-fatal-error"])
    let words = report?.lastWords["libswiftCore.so"] ?? []
    #expect(words.contains { $0.contains("the order book is closed") })
    #expect(outcome.errors.contains("SwiftFaults.fatal()"))
    let (_, without, _) = try Self.observe("CrashMatrix", ["swift-fatal-error"], options: ["--no-last-words"])
    #expect(without?.lastWords["libswiftCore.so"] == nil)
  }

  @Test("keeps reports under the data folder with a name that tells the program and the time, as JSON tells too")
  func defaultPlace() throws {
    let home = try TemporaryFolder()
    let outcome = try Command.run(
      "mpaas",
      ["crash", "run", "--json", "--no-symbolicate", "--"] + [
        Command.products.appending(path: "CrashMatrix").path, "abort",
      ],
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let result = try json(outcome.output)
    #expect(result["status"] as? Int == 134)
    #expect(result["signal"] as? String == "SIGABRT")
    let path = try #require((result["reports"] as? [String])?.first)
    #expect(path.hasPrefix(home.path + "/data/crashes/CrashMatrix-20"))
    #expect(try WrittenReport(path).body["pid"] as? Int == result["pid"] as? Int)
  }

  @Test("refuses to start where no report could be written")
  func unwritable() throws {
    let outcome = try mpaas(["crash", "run", "--output", "/proc/report.ips", "--", "echo", "started"])
    #expect(outcome.status == 77 || outcome.status == 73)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("error: "))
  }

  @Test("says that a program is traced already, where it runs under itself")
  func nested() throws {
    let own = Command.mpaas.path
    let outcome = try mpaas(["crash", "run", "--", own, "crash", "run", "--", "true"])
    #expect(outcome.status == 77)
    #expect(outcome.errors.contains("traced by another program"))
    #expect(outcome.errors.contains("help: "))
  }

  @Test("tells where a command cannot be started, as a shell does")
  func notStarted() throws {
    let missing = try mpaas(["crash", "run", "--", "no-such-command-of-ours"])
    #expect(missing.status == 127)
    #expect(missing.errors.contains("no-such-command-of-ours"))
    let folder = try mpaas(["crash", "run", "--lang", "zh-Hans", "--", "/"])
    #expect(folder.status == 126)
    #expect(folder.errors.contains("无法执行"))
  }
}
