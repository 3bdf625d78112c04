import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("A migration that is refused") struct MigrationRefusalTests {
  @Test("is one to a database with rows, which stay as they are", arguments: Direction.installed)
  func taken(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    let other = try places.open(places.target)
    try other.migrate(Array(Schema.steps.prefix(20)))
    try other.run(
      "INSERT INTO tasks VALUES ('a', 'b', 'c', NULL, 0, 0, '', '', '', NULL, NULL, NULL, NULL, 0, 0, 0, NULL)")
    let refusal = places.refusal(value: "table")
    #expect(refusal?.code == "migration-target-taken" && refusal?.value == "tasks" && refusal?.exit == 73)
    #expect(try other.version() == 20)
    #expect(try !other.hasTable(UnfinishedMigration.table))
    // One that has come to its end is such a database, too.
    let again = try MigrationPlaces(direction)
    try again.prepare()
    _ = try again.migration().run()
    #expect(again.refusal()?.code == "migration-target-taken")
  }

  @Test("is one to a database with a part of another console", arguments: Direction.installed)
  func other(direction: Direction) throws {
    let (places, others) = (try MigrationPlaces(direction), try MigrationPlaces(direction))
    for place in [places, others] {
      try place.prepare()
      try place.fill(rows: 3)
    }
    #expect(places.refusal(isEnded: { true })?.code == "migration-interrupted")
    var configuration = others.configuration
    configuration.migrate = places.target
    let refusal = places.refusal(ConsoleMigration(configuration, steps: Schema.steps), value: "source")
    #expect(refusal?.code == "migration-other-console" && refusal?.exit == 73)
    #expect(refusal?.value == DatabaseAddress(places.source).shown)
    // A part of a console is no source.
    configuration = others.configuration
    configuration.database = places.target
    let unfinished = others.refusal(ConsoleMigration(configuration, steps: Schema.steps))
    #expect(unfinished?.code == "migration-unfinished" && unfinished?.exit == 78)
    _ = try places.migration().run()
    try places.compareAll()
  }

  @Test("is one between a database and itself, by whatever name", arguments: Direction.installed)
  func same(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    var configuration = places.configuration
    var names = [places.source]
    if direction.from == .sqlite {
      let link = places.folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: places.source)
      names += [link, places.data + "/../data/mpaas.sqlite"]
    }
    for name in names {
      configuration.migrate = name
      let refusal = places.refusal(ConsoleMigration(configuration, steps: Schema.steps))
      #expect(refusal?.code == "migration-same-database" && refusal?.exit == 64, "\(name)")
    }
    guard direction.from == .postgres else { return }
    configuration.migrate = places.source + "&application_name=other"
    #expect(places.refusal(ConsoleMigration(configuration, steps: Schema.steps))?.code == "migration-target-taken")
  }

  @Test("is one of tables of a newer release, on either side; nothing is written", arguments: Direction.installed)
  func newer(direction: Direction) throws {
    let places = try MigrationPlaces(direction)
    try places.prepare()
    let fewer = Array(Schema.steps.dropLast())
    let refusal = places.refusal(places.migration(steps: fewer), value: "version")
    #expect(refusal?.code == "server-schema-newer" && refusal?.value == "\(Schema.steps.count)" && refusal?.exit == 78)
    if direction.to == .sqlite { #expect(!FileManager.default.fileExists(atPath: places.target)) }
    let target = try places.open(places.target)
    try target.migrate(Schema.steps + ["CREATE TABLE newer (id INTEGER PRIMARY KEY) STRICT"])
    #expect(places.refusal()?.code == "server-schema-newer")
    #expect(try !target.hasTable(UnfinishedMigration.table))
  }

  @Test("is one of a folder in use, of another folder's database, and of what holds no console")
  func sources() throws {
    let places = try MigrationPlaces(.betweenFiles)
    #expect(places.refusal()?.exit == 66)
    #expect(!FileManager.default.fileExists(atPath: places.data))
    try FileManager.default.createDirectory(atPath: places.data, withIntermediateDirectories: true)
    #expect(places.refusal()?.exit == 66)
    #expect(!FileManager.default.fileExists(atPath: places.source))
    try Data().write(to: URL(filePath: places.source))
    let empty = places.refusal()
    #expect(empty?.code == "migration-no-console" && empty?.exit == 66)
    try Data("no database at all, but long enough to be read as one".utf8).write(to: URL(filePath: places.source))
    #expect(places.refusal()?.code == "database-damaged")
    try FileManager.default.removeItem(atPath: places.source)
    try places.prepare()
    do {
      let lock = try DataFolderLock(places.data)
      #expect(places.refusal()?.code == "server-folder-in-use")
      withExtendedLifetime(lock) {}
    }
    let others = try MigrationPlaces(.betweenFiles)
    try others.prepare()
    var configuration = places.configuration
    configuration.database = others.source
    let taken = places.refusal(ConsoleMigration(configuration, steps: Schema.steps))
    #expect(taken?.code == "server-database-taken" && taken?.exit == 78)
  }

  @Test("is one to a server that is away, and goes on once it is back", .postgres)
  func away() async throws {
    let postgres = try PostgresServer()
    let places = try MigrationPlaces(.betweenFiles)
    try places.prepare()
    try places.fill(rows: 12)
    var configuration = places.configuration
    configuration.migrate = try postgres.database()
    postgres.stop()
    let migration = ConsoleMigration(configuration, steps: Schema.steps, rows: 3)
    let refusal = places.refusal(migration)
    #expect(refusal?.code == "database-unavailable" && refusal?.exit == 69)
    try postgres.start()
    var pages = 0
    let lost = places.refusal(migration) {
      pages += 1
      if pages == 100 { postgres.stop() }
      return false
    }
    #expect(lost?.code == "database-unavailable" && lost?.exit == 69)
    try postgres.start()
    let report = try migration.run()
    #expect(report.copied > 0 && report.copied < report.rows)
    postgres.stop()
  }

  @Test("is told in both languages, with what it is about")
  func texts() throws {
    for language in [Language.english, .simplifiedChinese] {
      let catalogue = Catalogue(language: language)
      let report = MigrationReport(
        from: "a.sqlite", to: "b.sqlite", data: "data", schema: 30, tables: 60, rows: 1, copied: 1, seconds: 0.5,
        isFile: true)
      let lines = report.document(catalogue).lines(width: nil).map(\.text)
      #expect(lines.count == 2 && lines[0].contains("a.sqlite") && lines[0].contains("60"), "\(lines)")
      for code in [
        "differs", "interrupted", "no-console", "other-console", "same-database", "target-taken", "unfinished",
      ] {
        let values = ["file": "b", "source": "a", "tables": "uploads", "table": "tasks", "data": "d"]
        for end in ["", ".explain", ".help"] {
          let text = catalogue.text("diagnostic.migration-\(code)\(end)", values)
          #expect(!text.contains("{") && !text.contains("diagnostic."), "\(text)")
        }
      }
      #expect(lines[1].hasSuffix("mpaas serve --data data --database 'sqlite:b.sqlite'"), "\(lines)")
      let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
      #expect(text.contains(#""rate":2"#) && !text.contains("isFile"), "\(text)")
    }
  }
}
