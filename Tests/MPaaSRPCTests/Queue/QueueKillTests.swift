import Foundation
import MPaaSLock
import MPaaSTestSupport
import Testing

@Suite("The queue of a program that is killed") struct QueueKillTests {
  /// A gateway that carries out each key once, and answers a key that comes again as it did before.
  private final class Gateway: Sendable {
    private struct State {
      var order: [String] = []
      var known: Set<String> = []
      var repeats = 0
    }

    private let state = Lock(State())
    private let listener: LoopbackListener

    init() throws {
      listener = try LoopbackListener()
      listener.serve { connection, _ in
        while true {
          let head = LoopbackListener.head(connection)
          guard head.hasSuffix("\r\n\r\n") else { return }
          self.read(connection, head)
          self.take(head)
          let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nResult-Status: 1000\r\n\r\ntrue"
          if LoopbackListener.send(Array(answer.utf8)[...], connection) <= 0 { return }
        }
      }
    }

    var url: String { listener.url }
    var order: [String] { state.withLock { $0.order } }
    var repeats: Int { state.withLock { $0.repeats } }

    private func read(_ connection: Int32, _ head: String) {
      let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
      var rest = line.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
      var byte: UInt8 = 0
      while rest > 0, Foundation.read(connection, &byte, 1) == 1 { rest -= 1 }
    }

    private func take(_ head: String) {
      let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
      let key = String(line?.drop { $0 != "\"" }.filter { $0 != "\"" } ?? "none")
      state.withLock { state in
        if state.known.insert(key).inserted { state.order.append(key) } else { state.repeats += 1 }
      }
      // A kill may come after the server's work and before its answer.
      usleep(UInt32.random(in: 0...2000))
    }
  }

  /// 200 moments by `MPAAS_FUZZ_ROUNDS=200`.
  @Test("loses nothing and does nothing twice, at whatever moment it is killed")
  func kills() throws {
    let gateway = try Gateway()
    let folder = try TemporaryFolder()
    let path = folder.path + "/queue.sqlite"
    var random = SeededRandom(seed: UInt64.random(in: 0 ... .max))
    let rounds = SeededRandom.rounds(or: 12)
    var first = 0
    var added: [Int] = []
    var kills = 0
    for _ in 0..<rounds {
      let (lines, isKilled) = try run(
        path, gateway.url, first, 8, killedAfter: Double.random(in: 0...0.12, using: &random))
      added += lines.compactMap { $0.hasPrefix("added ") ? Int($0.dropFirst(6)) : nil }
      kills += isKilled ? 1 : 0
      first += 8
    }
    let (lines, isKilled) = try run(path, gateway.url, first, 1, killedAfter: nil)
    #expect(lines.last == "done" && !isKilled)
    added.append(first)
    let done = gateway.order.compactMap { Int($0.dropFirst()) }
    #expect(Set(added).subtracting(done) == [], "lost")
    #expect(Set(done).count == done.count, "twice")
    #expect(done == done.sorted(), "out of order")
    // Only what was under way when the program was killed comes again.
    #expect(gateway.repeats <= kills, "\(gateway.repeats) of \(kills)")
    #expect(kills > rounds / 4, "\(kills) of \(rounds)")
  }

  private func run(
    _ path: String, _ url: String, _ first: Int, _ count: Int, killedAfter delay: Double?
  ) throws -> (lines: [String], isKilled: Bool) {
    let process = Process()
    process.executableURL = Command.products.appending(path: "RPCSubject")
    process.arguments = [path, url, String(first), String(count)]
    let output = Pipe()
    process.standardOutput = output
    try withNoSignalsBlocked { try process.run() }
    if let delay {
      Thread.sleep(forTimeInterval: delay)
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text.split(separator: "\n").map(String.init), process.terminationReason == .uncaughtSignal)
  }
}
