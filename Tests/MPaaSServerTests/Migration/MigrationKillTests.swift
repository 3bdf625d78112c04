import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("A migration that is killed") struct MigrationKillTests {
  /// The server's program as it migrates.
  private final class Migrating {
    let process = Process()
    private let folder: TemporaryFolder

    init(_ places: MigrationPlaces) throws {
      folder = try TemporaryFolder()
      var configuration = places.configuration
      configuration.json = true
      process.executableURL = Command.server
      process.arguments = [
        "--configuration", String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self),
      ]
      for name in ["out", "err"] { try Data().write(to: folder.url.appending(path: name)) }
      process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: "out"))
      process.standardError = try FileHandle(forWritingTo: folder.url.appending(path: "err"))
      process.standardInput = FileHandle.nullDevice
      let process = process
      try withNoSignalsBlocked { try process.run() }
    }

    func text(_ name: String) -> String {
      (try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)) ?? "none"
    }

    /// Waits until more rows than these are in the target; gives their number, or nil where the process ended before.
    func more(than rows: Int64, _ places: MigrationPlaces) throws -> Int64? {
      while process.isRunning {
        let sum = try? places.copied().values.reduce(0) { $0 + $1.noted }
        if let sum, sum > rows { return sum }
        usleep(2000)
      }
      return nil
    }

    /// Sends a signal and waits for the end; gives the status, or 128 and the signal that ended it.
    func end(_ signal: Int32? = nil) -> Int32 {
      if let signal { kill(process.processIdentifier, signal) }
      process.waitUntilExit()
      return (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus
    }

    deinit { if process.isRunning { _ = end(SIGKILL) } }
  }

  /// A console with so many crashes.
  private static func console(_ direction: Direction, crashes: Int) throws -> MigrationPlaces {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    try places.fill(rows: 8)
    let database = try places.open(places.source)
    try database.transaction {
      try database.run("DELETE FROM crashes")
      var random = SeededRandom(seed: 7)
      for start in stride(from: 1, through: crashes, by: 64) {
        let rows = (start..<min(start + 64, crashes + 1)).map { id -> [SQLValue] in
          let event = withUnsafeBytes(of: (random.next(), random.next())) { Array($0) }
          return [
            .integer(id), "app", .blob(event), .integer(id % 100), "sentry", .real(1.7e9 + Double(id)), .real(1.7e9),
            "KeyError: broken", "shop", "8.1.0", "iOS 19.1", "iPhone18,1", .text("u\(id % 1000)"), "error",
            "production", 300, id % 2 == 0 ? .integer(id - 1) : nil, .blob([UInt8](repeating: 7, count: 300)), nil,
          ]
        }
        try database.run(overRows: rows) { "INSERT INTO crashes VALUES \($0)" }
      }
    }
    return places
  }

  @Test("has no row lost or twice, however often it is killed", arguments: Direction.installed)
  func killed(direction: Direction) async throws {
    try await TestConnection.elsewhere {
      let places = try Self.console(direction, crashes: 60_000)
      var rows: Int64 = 0
      var random = SeededRandom(seed: 11)
      for kill in 1...4 {
        let run = try Migrating(places)
        guard let now = try run.more(than: rows, places) else {
          Issue.record("it ended before kill \(kill): \(run.text("err"))")
          return
        }
        usleep(UInt32.random(in: 0...20_000, using: &random))
        #expect(run.end(SIGKILL) == 128 + SIGKILL)
        for (table, counts) in try places.copied() { #expect(counts.noted == counts.found, "\(table)") }
        rows = max(now, try places.copied().values.reduce(0) { $0 + $1.noted })
      }
      let last = try Migrating(places)
      #expect(last.end() == 0, "\(last.text("err"))")
      let report = try JSONSerialization.jsonObject(with: Data(last.text("out").utf8)) as? [String: Any]
      let (all, copied) = (report?["rows"] as? Int ?? 0, report?["copied"] as? Int ?? 0)
      #expect(all > 60_000 && copied > 0 && copied <= all - Int(rows), "\(all) \(copied) \(rows)")
      try places.compareAll()
      #expect(last.text("err").isEmpty)
    }
  }

  @Test("or told to end by a signal, ends behind a page, and says how to go on", arguments: [SIGINT, SIGTERM])
  func told(signal: Int32) async throws {
    try await TestConnection.elsewhere {
      let places = try Self.console(.betweenFiles, crashes: 60_000)
      let run = try Migrating(places)
      _ = try #require(try run.more(than: 0, places))
      #expect(run.end(signal) == 130)
      let errors = run.text("err")
      #expect(errors.contains("migration-interrupted") && errors.contains(places.target), "\(errors)")
      #expect(run.text("out").isEmpty)
      for (table, counts) in try places.copied() { #expect(counts.noted == counts.found, "\(table)") }
      let last = try Migrating(places)
      #expect(last.end() == 0, "\(last.text("err"))")
      try places.compareAll()
    }
  }
}
