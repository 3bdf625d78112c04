import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

extension TestServer {
  /// The answers of lists, by their paths.
  fileprivate func answers() async throws -> [String: String] {
    var answers: [String: String] = [:]
    let paths = [
      "/api/v1/issues", "/api/v1/issues?query=user%3Aann", "/api/v1/crashes", "/api/v1/release-health",
      "/api/v1/terminations", ConsolePaths.people, ConsolePaths.teams, ConsolePaths.alerts,
      ConsolePaths.scrubbing, ServerPaths.tasks, ServerPaths.feedback, ServerPaths.pushInstallations,
      "\(ConsolePaths.users)/ann/data",
    ]
    for path in paths {
      let answer = try await send("GET", path)
      #expect(answer.status == 200, "\(path): \(answer.text)")
      answers[path] = answer.text
    }
    return answers
  }
}

@Suite("The migration of a console") struct MigrationTests {
  @Test(
    "moves what a server took in: one on the target answers the same, and its new ids go on behind the old ones",
    .inFolder, arguments: Direction.installed)
  func server(direction: Direction) async throws {
    let places = try MigrationPlaces(direction)
    let time = Time(1_790_000_000)
    let first = try await TestServer(in: places.folder, time: time, isTidied: false) { $0.database = places.source }
    try await first.sendAll(of: "ann", "quagga", number: 1)
    try await first.sendAll(of: "bob", "okapi", number: 2)
    let person = #"{"name":"ann","password":"correct horse battery","role":"member"}"#
    #expect(try await first.ask("POST", ConsolePaths.people, person).status == 201)
    #expect(try await first.ask("POST", ConsolePaths.teams, #"{"name":"Shop","apps":[]}"#).status == 201)
    let alert = #"{"name":"new","when":{"new":{}},"to":[{"webhook":"https://hooks.example.com/x"}]}"#
    #expect(try await first.ask("POST", ConsolePaths.alerts, alert).status == 201)
    let issue = try #require(try await first.issues("quagga").first?["id"] as? String)
    #expect(try await first.changeIssue(issue, #"{"state":"resolved"}"#).status == 200)
    let before = try await first.answers()
    let blob = try await first.services.store.read { try $0.row("SELECT blob FROM uploads") { $0.text(0) } } ?? ""
    await first.end()
    let report = try places.migration(rows: 2).run()
    #expect(report.rows == report.copied && report.rows > 60 && report.tables > 50)
    try places.compareAll()
    let second = try await TestServer(in: places.folder, time: time, isTidied: false) { $0.database = places.target }
    let after = try await second.answers()
    for (path, text) in before { #expect(after[path] == text, "\(path)") }
    #expect(try await second.services.blobs.bytes(of: blob)?.isEmpty == false)
    let last = try await second.services.store.read { try $0.row("SELECT max(id) FROM crashes") { $0.integer(0) } }
    try await second.send(error: "KeyError", release: "shop@1.0", user: "ann")
    let next = try await second.services.store.read { try $0.row("SELECT max(id) FROM crashes") { $0.integer(0) } }
    #expect(next == last.map { $0 + 1 })
    let audit = try await second.ask("POST", ConsolePaths.teams, #"{"name":"Desk","apps":[]}"#)
    #expect(audit.status == 201, "\(audit.text)")
    await second.end()
  }

  @Test("moves every table with values of every kind, exactly", arguments: Direction.installed)
  func values(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    try places.fill(rows: 24)
    let report = try places.migration(rows: 5).run()
    #expect(report.rows > 700 && report.copied == report.rows && report.schema == Schema.steps.count)
    try places.compareAll()
  }

  @Test("moves tables without rows, and the name of the data folder alone", arguments: Direction.installed)
  func empty(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    #expect(try places.migration().run().rows == 1)
    try places.compareAll()
  }

  @Test("passes texts of SQLite that are none of UTF-8, row by row, and repairs them", arguments: Direction.installed)
  func wrongTexts(direction: Direction) throws {
    guard direction.from == .sqlite else { return }
    let places = try MigrationPlaces(direction)
    try places.prepare()
    let database = try places.open(places.source)
    for number in 0..<20 {
      let bytes: [UInt8] = [0x61, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80] + Array("\(number)".utf8) + [0xf0, 0x9f]
      try database.run("INSERT INTO counts VALUES (CAST(? AS TEXT), ?)", [.blob(bytes), .integer(number)])
    }
    #expect(try places.migration(rows: 1).run().rows == 21)
    try places.compareAll()
    let names = try places.open(places.target).rows("SELECT name FROM counts") { $0.text(0) }
    #expect(names.count == 20 && names.allSatisfy { $0.hasPrefix("a\u{fffd}") })
  }

  @Test("has a table of each that the steps make, a new one too", arguments: Direction.installed)
  func tables(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    let steps = Schema.steps + ["CREATE TABLE later (\"from\" TEXT NOT NULL, \"user\" INTEGER) STRICT;"]
    try places.open(places.source).migrate(steps)
    try places.open(places.source).run("INSERT INTO later VALUES ('x', 7), ('x', 7), ('y', NULL)")
    #expect(try places.migration(steps: steps).run().rows == 4)
    try places.compareAll()
    let known = try SQLTable.all(of: Schema.steps)
    #expect(
      try places.open(places.target).tables().filter { $0 != "mpaas_schema" && $0 != "later" } == known.map(\.name))
    // A table without a key is a single page: it is to have few rows.
    #expect(known.filter(\.key.isEmpty).map(\.name) == ["console_starts", "data_folder"])
    #expect(Set(known.flatMap(\.columns).map(\.type)) == ["BLOB", "INTEGER", "REAL", "TEXT"])
  }

  @Test("brings tables of an older release to this one's first", arguments: Direction.installed)
  func older(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try FileManager.default.createDirectory(atPath: places.data, withIntermediateDirectories: true)
    let database = try places.open(places.source)
    try database.migrate(Array(Schema.steps.prefix(9)))
    try database.run("INSERT INTO apps VALUES ('k', 'n', 1.5)")
    let report = try places.migration().run()
    #expect(report.schema == Schema.steps.count && report.rows == 2)
    try places.compareAll()
  }

  @Test("ends between two pages when told, whichever, and goes on", arguments: Direction.installed)
  func interrupted(direction: Direction) async throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    try places.fill(rows: 6)
    var rounds = 0
    while true {
      var pages = 0
      let refusal = places.refusal(places.migration(rows: 2)) {
        pages += 1
        return pages > 120
      }
      guard let refusal else { break }
      rounds += 1
      #expect(refusal.code == "migration-interrupted" && refusal.exit == 130)
      for (table, counts) in try places.copied() { #expect(counts.noted == counts.found, "\(table)") }
      try await refused(places)
      // Comparing takes more pages than that.
      if rounds > 2 { break }
    }
    #expect(rounds == 3)
    let report = try places.migration(rows: 2).run()
    #expect(report.copied < report.rows)
    try places.compareAll()
  }

  /// Takes it that nothing else takes a target with a part of the rows.
  private func refused(_ places: MigrationPlaces) async throws {
    var configuration = places.configuration
    (configuration.database, configuration.migrate) = (places.target, nil)
    do {
      _ = try await ServerRun(configuration)
      Issue.record("it started")
    } catch {
      #expect((error as? ServerError)?.code == .migrationUnfinished, "\(error)")
    }
    guard DatabaseAddress(places.target).isFile else { return }
    let error = #expect(throws: ServerError.self) {
      try ServerBackup(configuration, known: Schema.steps.count).write(to: places.folder.path + "/b", at: 0)
    }
    #expect(error?.code == .migrationUnfinished)
  }

  @Test(
    "says which table something changed behind its back, on either side, and copies it anew then",
    arguments: Direction.installed)
  func changed(direction: Direction) throws {
    for side in ["source", "target"] {
      let places = try MigrationPlaces(direction)
      try places.prepare()
      try places.fill(rows: 8)
      let tables = try SQLTable.all(of: Schema.steps).count
      var isChanged = false
      let refusal = places.refusal(value: "tables") {
        do {
          let done = try places.open(places.target).row(
            "SELECT count(*) FROM mpaas_migration_tables WHERE state = 'copied'"
          ) { $0.integer(0) }
          guard !isChanged, done == Int64(tables) else { return false }
          let database = try places.open(side == "source" ? places.source : places.target)
          try database.run("UPDATE uploads SET size = 77 WHERE id = (SELECT min(id) FROM uploads)")
          try database.run("DELETE FROM counts WHERE value = 42")
          isChanged = true
        } catch {
          Issue.record(error)
        }
        return false
      }
      #expect(isChanged && refusal?.code == "migration-differs" && refusal?.exit == 65, "\(side)")
      #expect(refusal?.value == "counts, uploads", "\(side)")
      let report = try places.migration().run()
      #expect(report.copied > 0 && report.copied < 20)
      try places.compareAll()
    }
  }
}
