import Foundation
import Testing

/// A program that a test starts itself and that lives until the test lets go of it.
final class LiveProgram {
  let process = Process()
  private let output = Pipe()

  /// Starts a program and waits until it has written a line.
  init(_ program: SampleProgram, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: program.path)
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    try #require(!output.fileHandleForReading.availableData.isEmpty, "the program did not start")
  }

  deinit {
    // Foundation's threads block signals, and programs inherit that; this one cannot be blocked.
    kill(id, SIGKILL)
    process.waitUntilExit()
  }

  var id: Int32 { process.processIdentifier }

  /// The letter that the kernel gives the process' state: `S` sleeping, `R` running, `T` stopped, `t` traced.
  var state: String? {
    guard let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8) else { return nil }
    return status.split(separator: "\n").first { $0.hasPrefix("State:") }
      .map { String($0.dropFirst(6).trimmingCharacters(in: .whitespaces).prefix(1)) }
  }
}

extension LiveProgram {
  /// Tells whether it sleeps, now or within a second: a process that was let go may run for a moment.
  var comesToSleep: Bool {
    for _ in 0..<100 {
      if state == "S" { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }
}
