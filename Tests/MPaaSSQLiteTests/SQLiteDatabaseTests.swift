import Dispatch
import Foundation
import MPaaSSQLite
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("A SQLite database") struct SQLiteDatabaseTests {
  @Test("each storage class comes back as it went in")
  func values() throws {
    let database = try SQLiteDatabase(":memory:")
    try database.execute("CREATE TABLE t (v)")
    let values: [SQLiteValue] = [
      .null, .integer(Int64.min), .real(0.1), .text("重庆 \u{0}x"), .text(""), .blob([0, 255]), .blob([]),
    ]
    for value in values { try database.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try database.rows("SELECT v FROM t ORDER BY rowid") { $0[0] } == values)
  }

  @Test("a transaction that throws leaves nothing")
  func rollback() throws {
    struct Stop: Error {}
    let database = try SQLiteDatabase(":memory:")
    try database.execute("CREATE TABLE t (v)")
    #expect(throws: Stop.self) {
      try database.transaction {
        try database.run("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    #expect(try database.row("SELECT count(*) FROM t") { $0.integer(0) } == 0)
  }

  @Test("many that open a new file at once wait for the one that makes its log")
  func openedAtOnce() throws {
    let folder = try TemporaryFolder()
    let failures = Atomic(0)
    for round in 0..<20 {
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        do {
          try SQLiteDatabase("\(folder.path)/\(round).sqlite").migrate(["CREATE TABLE t (v)"])
        } catch {
          failures.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
  }

  @Test("migrations run once, and a newer file is told as newer")
  func migrations() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.sqlite"
    let steps = ["CREATE TABLE t (v)", "ALTER TABLE t ADD COLUMN w"]
    for _ in 0..<2 { try SQLiteDatabase(path).migrate(steps) }
    try SQLiteDatabase(path).run("INSERT INTO t VALUES (1, 2)")
    #expect {
      try SQLiteDatabase(path).migrate([steps[0]])
    } throws: {
      ($0 as? SQLiteError)?.code == .newer
    }
  }

  @Test("what is no database is told as damaged, and a folder that is missing as one that cannot be opened")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/text"
    try Data(repeating: 65, count: 5000).write(to: URL(filePath: path))
    #expect { try SQLiteDatabase(path) } throws: { ($0 as? SQLiteError)?.code == .damaged }
    #expect {
      try SQLiteDatabase(folder.path + "/none/a.sqlite")
    } throws: {
      ($0 as? SQLiteError)?.code == .cannotOpen
    }
  }

  @Test("takes one statement at a time, and nothing but comments behind it")
  func severalStatements() throws {
    let database = try SQLiteDatabase(":memory:")
    try database.run("CREATE TABLE t (v); -- a table")
    #expect(throws: SQLiteError.self) { try database.run("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)") }
    #expect(throws: SQLiteError.self) { try database.run("-- nothing") }
    #expect(try database.row("SELECT count(*) FROM t;  ") { $0.integer(0) } == 0)
  }

  @Test("keeps working with more statements than it keeps, also while one of them gives rows")
  func manyStatements() throws {
    let database = try SQLiteDatabase(":memory:")
    try database.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
    var seen: [Int64] = []
    try database.forEach("SELECT v FROM t ORDER BY v") { row in
      seen.append(row.integer(0))
      for number in 0..<600 {
        #expect((try? database.row("SELECT \(number) + \(seen.count)") { $0.integer(0) }) == Int64(number + seen.count))
      }
      return true
    }
    #expect(seen == [1, 2, 3])
  }

  @Test("refuses texts in double quotes once it is told to")
  func quotedTexts() throws {
    let database = try SQLiteDatabase(":memory:")
    database.refuseQuotedTexts()
    #expect(throws: SQLiteError.self) { try database.columnCount(of: "SELECT \"nosuch\"") }
    #expect(try database.columnCount(of: "SELECT 'text', 2") == 2)
  }
}
