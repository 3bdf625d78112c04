import Foundation
import MPaaSTestSupport
import Testing

@Suite("Processes on an encrypted database") struct EncryptedProcessesTests {
  @Test("that are killed amid their writes lose no row that they told of, and stop no other process")
  func killed() throws {
    let home = try RekeyHome(rows: 100, key: "one")
    var random = SeededRandom(seed: 26)
    let count = 150
    for round in 0..<SeededRandom.rounds(or: 3) {
      let starts = (0..<4).map { 1_000_000 + (round * 4 + $0) * count }
      let writers = try starts.enumerated().map { number, start in
        let lines = (0..<count).map { "{\"method\":\"add\",\"args\":[\(start + $0)]}\n" }
        try Data(lines.joined().utf8).write(to: home.folder.url.appending(path: "calls\(number)"))
        return try home.start(
          ["dao", "run", "rows.xml", "--database", home.path, "--key-file", "one", "--calls", "calls\(number)"],
          output: "out\(number)")
      }
      func told(_ number: Int) throws -> Int {
        let text = try String(contentsOf: home.folder.url.appending(path: "out\(number)"), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count
      }
      for (number, writer) in writers.prefix(2).enumerated() {
        let wanted = Int.random(in: 1..<count, using: &random)
        while writer.isRunning, try told(number) < wanted { usleep(200) }
        kill(writer.processIdentifier, SIGKILL)
      }
      for writer in writers { writer.waitUntilExit() }
      #expect(writers[2...].allSatisfy { $0.terminationStatus == 0 }, "round \(round)")
      for (number, start) in starts.enumerated() {
        let rows = try told(number)
        #expect(number < 2 || rows == count, "round \(round)")
        let outcome = try home.run("{\"method\":\"has\",\"args\":[\(start),\(start + rows)]}\n", key: "one")
        #expect(outcome.output == "{\"ok\":true,\"result\":\(rows)}\n", "round \(round): \(outcome)")
      }
    }
    #expect(try home.content("one").hasPrefix(#"{"ok":true,"result":""#))
  }
}
