import Foundation
import MPaaSTestSupport
import Testing

@Suite("The end of the last run") struct TerminationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let how: String
    /// Sent once the program is ready; 0 for none.
    let signal: Int32
    let reason: String
    /// The way in which the next start is made.
    var next = "look"

    var testDescription: String { "\(how) \(signal) \(next)" }
  }

  static let cases: [Case] = [
    Case(how: "exit", signal: 0, reason: "exit 0 0"), Case(how: "exit-3", signal: 0, reason: "exit 3 0"),
    Case(how: "crash", signal: 0, reason: "crash -1 0"), Case(how: "abort", signal: 0, reason: "crash -1 0"),
    Case(how: "wait", signal: SIGKILL, reason: "killed -1 0"),
    Case(how: "wait", signal: SIGTERM, reason: "signal -1 \(SIGTERM)"),
    Case(how: "wait", signal: SIGINT, reason: "signal -1 \(SIGINT)"),
    Case(how: "wait", signal: SIGHUP, reason: "signal -1 \(SIGHUP)"),
    Case(how: "background", signal: SIGKILL, reason: "killed-in-background -1 0"),
    Case(how: "low-memory", signal: SIGKILL, reason: "out-of-memory -1 0"),
    Case(how: "hang", signal: SIGKILL, reason: "hang -1 0"),
    Case(how: "wait", signal: SIGKILL, reason: "update -1 0", next: "updated"),
    Case(how: "wait", signal: SIGKILL, reason: "power-loss -1 0", next: "rebooted"),
  ]

  /// 20 times each by `MPAAS_FUZZ_ROUNDS=20`.
  @Test("is told at the next start", arguments: cases)
  func ends(_ end: Case) throws {
    for _ in 0..<min(SeededRandom.rounds(or: 1), 20) {
      let folder = try TemporaryFolder()
      let first = try run(end.how, folder, signal: end.signal)
      #expect(first.hasPrefix("last none"), "\(first)")
      let second = try run(end.next, folder, signal: 0)
      #expect(second.hasPrefix("last \(end.reason)\n"), "\(second)")
    }
  }

  @Test("is not guessed while the other process runs")
  func running() throws {
    let folder = try TemporaryFolder()
    let process = try start("wait", folder)
    _ = try #require(process.line())
    #expect(try run("look", folder, signal: 0).hasPrefix("last running"))
    kill(process.process.processIdentifier, SIGKILL)
    process.process.waitUntilExit()
  }

  private struct Started {
    let process: Process
    let output: Pipe

    /// The text that the program has written until it is ready.
    func line() -> String? {
      var text = ""
      while !text.contains("ready\n") && !text.contains("severe\n") {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      return text
    }
  }

  private func start(_ how: String, _ folder: TemporaryFolder) throws -> Started {
    let process = Process()
    process.executableURL = Command.products.appending(path: "HangSubject")
    process.arguments = ["end", how, "--directory", folder.path]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    return Started(process: process, output: output)
  }

  private func run(_ how: String, _ folder: TemporaryFolder, signal: Int32) throws -> String {
    let started = try start(how, folder)
    var text = started.line() ?? ""
    if how == "hang", !text.contains("severe") { text += started.line() ?? "" }
    if signal != 0 { kill(started.process.processIdentifier, signal) }
    started.process.waitUntilExit()
    return text
  }
}
