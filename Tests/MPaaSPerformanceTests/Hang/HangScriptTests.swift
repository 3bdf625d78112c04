import Foundation
import MPaaSTestSupport
import Testing

/// A hang as the program that hung and the monitor say it.
struct HangLine: Decodable {
  let kind: String
  let measured: Double
  let told: Double
  let count: Int
  let expected: String
  let activity: String
  let share: Double
  let partly: Bool
  let samples: Int
  let named: Int
  let owner: Int
  let interruptions: Int

  static func lines(_ output: String) throws -> [HangLine] {
    try output.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
      try JSONDecoder().decode(HangLine.self, from: Data(line.utf8))
    }
  }

  /// The monitor's answer, when asked for this hang, is what the program itself knows.
  var isRight: Bool { count == 1 && isNamed && activity == expected && abs(told - measured) < 0.02 }
  var isNamed: Bool { named * 2 > samples }
}

@Suite("The hang monitor") struct HangScriptTests {
  static let kinds = ["busy", "lock", "read", "faults", "sleep", "sync", "starve"]

  @Test(
    "finds each hang, its function, its length, and whether it waits",
    arguments: ["queue", "runloop"])
  func hangs(_ loop: String) throws {
    let folder = try TemporaryFolder()
    let script = Self.kinds.map { "\($0):\($0 == "busy" ? 620 : 330)" }
    let outcome = try Command.run("HangSubject", ["hang", "--directory", folder.path, "--loop", loop] + script)
    let lines = try HangLine.lines(outcome.output)
    try #require(lines.map(\.kind) == Self.kinds, "\(outcome)")
    for line in lines {
      #expect(line.count >= 1, "\(line)")
      // The machine may keep either of the two threads waiting.
      #expect(abs(line.told - line.measured) < 0.05 + line.measured / 2, "\(line)")
      #expect(line.named > 0, "\(line)")
      #expect(line.activity == line.expected, "\(line)")
      #expect(line.partly == (line.kind == "starve"), "\(line)")
      #expect(line.interruptions == 0, "\(line)")
      if line.kind == "lock" { #expect(line.owner != 0, "\(line)") }
    }
    let records = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("hang-") }
    #expect(records.contains { $0.hasSuffix(".raw") } && !records.contains { $0.hasSuffix(".part") }, "\(records)")
  }

  @Test(
    "finds hangs of a run loop that was at rest for seconds before",
    arguments: ["busy", "read"])
  func afterRests(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let script = [1600, 2700, 1900].map { "\(kind):330:\($0)" }
    let outcome = try Command.run("HangSubject", ["hang", "--directory", folder.path, "--loop", "runloop"] + script)
    let lines = try HangLine.lines(outcome.output)
    #expect(lines.count == script.count, "\(outcome)")
    for line in lines {
      #expect(line.count >= 1, "\(line)")
      #expect(abs(line.told - line.measured) < 0.05 + line.measured / 2, "\(line)")
      #expect(line.named > 0, "\(line)")
    }
  }

  /// 200 hangs of 0.15–5 s by `MPAAS_FUZZ_ROUNDS=200`; their figures are printed.
  @Test("tells right of many hangs", .enabled(if: SeededRandom.rounds(or: 0) > 0))
  func many() throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 29)
    let rounds = SeededRandom.rounds(or: 0)
    for loop in ["queue", "runloop"] {
      let script = (0..<rounds / 2).map { index in
        // Most of them short, some up to 5 s.
        let length =
          index % 10 == 0 ? Int.random(in: 1000...5000, using: &random) : Int.random(in: 150...900, using: &random)
        return "\(Self.kinds[index % Self.kinds.count]):\(length)"
      }
      let outcome = try Command.run("HangSubject", ["hang", "--directory", folder.path, "--loop", loop] + script)
      let lines = try HangLine.lines(outcome.output)
      #expect(lines.count == script.count)
      let long = lines.filter { $0.measured >= 0.3 }
      let found = lines.filter { $0.count > 0 }
      let exact = found.filter { abs($0.told - $0.measured) <= 0.02 }
      let named = found.filter { $0.named > 0 }
      let told = found.filter { $0.activity == $0.expected }
      let errors = found.map { abs($0.told - $0.measured) }.sorted()
      print(
        "\(loop): \(lines.count) hangs, \(long.count) of 0.3 s and more, of them found \(long.count { $0.count > 0 });",
        "found \(found.count), exact to 20 ms \(exact.count), function named \(named.count), activity right \(told.count),",
        "error p50 \(errors[errors.count / 2]) p99 \(errors[errors.count * 99 / 100]) max \(errors.last ?? 0)")
      for line in found
      where !(abs(line.told - line.measured) <= 0.02) || line.activity != line.expected || line.named == 0 {
        print(line)
      }
      #expect(long.allSatisfy { $0.count > 0 })
      #expect(named.count * 100 >= found.count * 99)
      #expect(told.count * 100 >= found.count * 98)
    }
  }
}
