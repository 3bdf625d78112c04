import Foundation
import MPaaSDatabaseTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSDatabase

@Suite("A database of PostgreSQL", .postgres) struct PostgresTests {
  private static let notes = "CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT"

  @Test("has the sign for NUL where a text has NUL")
  func nul() throws {
    let place = try Engine.Place(.postgres)
    let database = try place.open(Self.notes)
    try database.run("INSERT INTO notes VALUES (?)", [.text("a\0b\0")])
    #expect(try database.row("SELECT text FROM notes") { $0.text(0) } == "a\u{2400}b\u{2400}")
  }

  @Test("says when its server has ended the connection, and goes on with another one")
  func lost() throws {
    let server = try #require(PostgresServer.shared)
    let place = try Engine.Place(.postgres)
    let database = try place.open(Self.notes)
    try server.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mpaas' AND datname =
      '\(try #require(database.path.split(separator: "/").last).prefix { $0 != "?" })'
      """)
    let error = #expect(throws: SQLError.self) { _ = try database.row("SELECT text FROM notes") { $0.text(0) } }
    #expect(error?.code == .unavailable && database.isLost)
    #expect(throws: SQLError.self) { _ = try database.row("SELECT text FROM notes") { $0.text(0) } }
    try database.reconnect()
    #expect(!database.isLost)
    #expect(try database.row("SELECT text FROM notes") { $0.text(0) } == nil)
  }

  @Test("two that make the tables at the same time make them once")
  func race() async throws {
    let place = try Engine.Place(.postgres)
    let address = place.address
    let steps = [Self.notes] + (0..<5).map { "INSERT INTO notes VALUES ('\($0)')" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try address.open().migrate(steps) })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try address.open(.readOnly).row("SELECT count(*) FROM notes") { $0.integer(0) }
    #expect(count == 5)
  }

  @Test("writers take turns, so that numbers that follow one another are in the order of their commits")
  func turns() async throws {
    let place = try Engine.Place(.postgres)
    _ = try place.open("CREATE TABLE rows (id INTEGER PRIMARY KEY, writer INTEGER NOT NULL) STRICT")
    let address = place.address
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(
                with: Result {
                  let database = try address.open()
                  for _ in 0..<50 {
                    try database.transaction {
                      try database.run(
                        "INSERT INTO rows VALUES ((SELECT coalesce(max(id), 0) + 1 FROM rows), ?)", [.integer(writer)])
                    }
                  }
                })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let ids = try address.open(.readOnly).rows("SELECT id FROM rows ORDER BY id") { $0.integer(0) }
    #expect(ids == Array(1...150))
  }

  @Test("refuses a database whose texts are not in UTF-8")
  func encoding() throws {
    let server = try #require(PostgresServer.shared)
    try server.run("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0")
    let error = #expect(throws: SQLError.self) { _ = try DatabaseAddress(server.address(of: "ascii")).open() }
    #expect(error?.code == .encoding)
  }

  @Test("tells a server that is away from an address that is none")
  func away() throws {
    let away = #expect(throws: SQLError.self) {
      _ = try DatabaseAddress("postgres://u:secret@127.0.0.1:1/d").open()
    }
    #expect(away?.code == .unavailable && away?.values["file"] == "postgres://u@127.0.0.1:1/d")
    let wrong = #expect(throws: SQLError.self) { _ = try DatabaseAddress("postgres://h/d?nothing=1").open() }
    #expect(wrong?.code == .address)
  }
}

@Suite("Statements in the words of PostgreSQL") struct PostgresTextTests {
  private func text(_ sql: String, nulls: Set<Int> = []) -> PostgresText {
    PostgresText(sql) { nulls.contains($0) }
  }

  @Test("have numbered values, and NULL where the value is that")
  func values() {
    let text = text("SELECT a FROM t WHERE (?1 IS NULL OR a = ?1) AND b > ?2 AND c = ? LIMIT ?4", nulls: [0])
    #expect(
      text.statements == ["SELECT a FROM t WHERE (NULL IS NULL OR a = NULL) AND b > $1 AND c = $2 LIMIT $3"])
    #expect(text.places == [1, 2, 3])
    #expect(self.text("SELECT ?, ?2, ?1, ?").statements == ["SELECT $1, $2, $1, $3"])
  }

  @Test("have the types of PostgreSQL, and none of the words that SQLite alone knows")
  func types() {
    let made = text(
      "CREATE TABLE t (user TEXT, \"from\" REAL, n INTEGER, b BLOB, text TEXT) STRICT, WITHOUT ROWID; SELECT 1;\n")
    #expect(
      made.statements.map { $0.split(separator: " ").joined(separator: " ") } == [
        "CREATE TABLE t (\"user\" TEXT COLLATE \"C\", \"from\" DOUBLE PRECISION, n BIGINT, b BYTEA, text TEXT COLLATE \"C\")",
        "SELECT 1",
      ])
    #expect(text("CREATE TABLE t (a INTEGER) STRICT").statements == ["CREATE TABLE t (a BIGINT) "])
    #expect(
      text("SELECT CAST(a AS TEXT), CAST(b AS INTEGER)").statements == ["SELECT CAST(a AS TEXT), CAST(b AS BIGINT)"])
  }

  @Test("keep what is quoted, and numbers, as they are")
  func quotes() {
    let sql = "SELECT 'it''s ? user; TEXT', \"user\", 1e5, c.user FROM \"offset\" -- TEXT ?\nWHERE a <> ';'"
    #expect(
      text(sql).statements == [
        "SELECT 'it''s ? user; TEXT', \"user\", 1e5, c.\"user\" FROM \"offset\" \nWHERE a <> ';'"
      ])
    #expect(text("LIMIT 1 OFFSET ?2").statements == ["LIMIT 1 OFFSET $1"])
    #expect(text("SELECT offset FROM t").statements == ["SELECT \"offset\" FROM t"])
  }
}

@Suite("Addresses of databases") struct DatabaseAddressTests {
  @Test("are told without their passwords")
  func shown() {
    let shown = { (text: String) in PostgresAddress(text)?.shown }
    #expect(shown("postgres://u:p%40@h:1/d?sslmode=require") == "postgres://u@h:1/d?sslmode=require")
    #expect(shown("postgresql://h/d?user=u&password=p") == "postgresql://h/d?user=u")
    #expect(shown("postgres://u@/d?password=p") == "postgres://u@/d")
    #expect(shown("postgres://[::1]:1/d") == "postgres://[::1]:1/d")
    #expect(shown("mysql://h/d") == nil)
    #expect(DatabaseAddress("/a/b.sqlite") == .sqlite(path: "/a/b.sqlite"))
  }
}
