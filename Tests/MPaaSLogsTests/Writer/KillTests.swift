import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

@testable import MPaaSLogs

@Suite("A writer killed at any moment") struct LogKillTests {
  /// Rounds: `MPAAS_KILL_ROUNDS`, else what keeps the suite short.
  static let rounds = ProcessInfo.processInfo.environment["MPAAS_KILL_ROUNDS"].flatMap(Int.init) ?? 6
  static let threads = 3

  /// The numbers that each thread had returned from, in thousands of thousands one run after another.
  static func counts(_ path: String) throws -> [UInt64] {
    let data = try Data(contentsOf: URL(filePath: path))
    return (0..<threads).map { thread in data.withUnsafeBytes { $0.number(thread * 8, UInt64.self) } }
  }

  @Test("loses no record that append had returned from, and has none twice", arguments: [true, false])
  func killed(isEncrypted: Bool) throws {
    var random = SeededRandom(seed: isEncrypted ? 7 : 8)
    // A folder for each few rounds, so that what is read at once stays small.
    for start in stride(from: 0, to: Self.rounds, by: 6) {
      try killAndCheck(start..<min(start + 6, Self.rounds), isEncrypted: isEncrypted, &random)
    }
  }

  private func killAndCheck(_ rounds: Range<Int>, isEncrypted: Bool, _ random: inout SeededRandom) throws {
    let home = try TemporaryFolder()
    let (folder, counts) = (home.path + "/logs", home.path + "/counts")
    let identity = AgeIdentity.generate()
    let recipient = isEncrypted ? try #require(identity.recipient?.text) : "-"
    /// The numbers that must be there: numbers of a thread, from the first of a run up to the last that returned.
    var expected: [[Range<UInt64>]] = Array(repeating: [], count: Self.threads)
    for round in rounds {
      let process = Process()
      process.executableURL = Command.products.appending(path: "LogSubject")
      process.arguments = [folder, counts, recipient, String(Self.threads)]
      try withNoSignalsBlocked { try process.run() }
      usleep(UInt32.random(in: 20_000...250_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal, "round \(round): it ended by itself")
      guard FileManager.default.fileExists(atPath: counts) else { continue }
      for (thread, end) in try Self.counts(counts).enumerated() {
        let start = end / 1_000_000 * 1_000_000
        if end > start, expected[thread].last?.lowerBound != start { expected[thread].append(start..<end) }
      }
    }
    // The next start puts what was left into files.
    try LogWriter(folder: folder, options: LogWriterOptions()).close()

    let read = try FolderReader(folder, [identity])
    #expect(read.gaps == 0)
    var found: [[UInt64]] = Array(repeating: [], count: Self.threads)
    for record in read.records {
      let words = record.entry.message.split(separator: " ", omittingEmptySubsequences: false)
      let (thread, number) = (try #require(Int(words[0])), try #require(UInt64(words[1])))
      let field = LogField("n", .integer(Int64(number)))
      #expect(record.entry.fields.count == 1)
      #expect(record.entry.fields.first == field)
      found[thread].append(number)
    }
    for thread in 0..<Self.threads {
      let there = Set(found[thread])
      #expect(there.count == found[thread].count, "thread \(thread) has records twice")
      for range in expected[thread] {
        #expect(range.allSatisfy(there.contains), "thread \(thread) lost some of \(range)")
      }
    }
    #expect(expected.joined().contains { !$0.isEmpty })
    let sequences = read.records.map(\.sequence)
    #expect(Set(sequences).count == sequences.count)
    #expect(sequences.min() == 1)
  }
}
