import Dispatch
import Foundation
import MPaaSSQLite
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("An encrypted database") struct EncryptedPagesTests {
  private static let secrets = ["the secret of row", "CREATE TABLE", "SQLite format 3"]

  @Test("its rows come back, and no file holds a text of them, neither during a transaction nor after it")
  func secrecy() throws {
    let folder = try EncryptedFolder()
    var database: SQLiteDatabase? = try folder.open()
    try database?.fill(0..<2000)
    #expect(try folder.files(with: Self.secrets) == [])
    let before = try folder.bytes("-wal").count
    // Pages of a transaction that is not over go to the log where there are many.
    try database?.execute("PRAGMA cache_size = 10; BEGIN; UPDATE t SET v = v || '!'")
    try database?.execute("SAVEPOINT s; UPDATE t SET v = v || '?'")
    #expect(try folder.bytes("-wal").count > before + 100_000)
    #expect(try folder.files(with: Self.secrets) == [])
    try database?.execute("ROLLBACK TO s; COMMIT")
    #expect(try database?.rows("SELECT v FROM t ORDER BY v DESC, id") { $0.text(0) }.count == 2000)
    try database?.execute("VACUUM")
    #expect(try folder.files(with: Self.secrets) == [])
    database = nil
    #expect(try folder.files(with: Self.secrets) == [])
    #expect(try folder.open().texts() == (0..<2000).map { SQLiteDatabase.text($0) + "!" })
  }

  @Test("a wrong key, a missing one, and one for a plain file are told apart")
  func keys() throws {
    let folder = try EncryptedFolder()
    try folder.open().fill(0..<10)
    #expect(throws: SQLiteError(.keyWrong, ["file": folder.path])) { try folder.open(key: EncryptedFolder.key(2)) }
    #expect(throws: SQLiteError(.keyMissing, ["file": folder.path])) { try SQLiteDatabase(folder.path) }
    #expect(throws: SQLiteError(.keyMissing, ["file": folder.path])) {
      try SQLiteDatabase(folder.path, .readOnly).rows("SELECT v FROM t") { $0.text(0) }
    }
    let plain = folder.folder.path + "/plain.sqlite"
    try SQLiteDatabase(plain).execute("CREATE TABLE t (v)")
    #expect(throws: SQLiteError(.notEncrypted, ["file": plain])) { try SQLiteDatabase(plain, key: folder.key) }
  }

  @Test("a flipped bit of any page is an error with the page's number, and never a row")
  func flippedPage() throws {
    let folder = try EncryptedFolder()
    try folder.open().fill(0..<300)
    let whole = try folder.bytes()
    var random = SeededRandom(seed: 4)
    for page in 0..<whole.count / 4096 {
      for _ in 0..<12 {
        var bytes = whole
        bytes[page * 4096 + Int.random(in: 0..<4096, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        let copy = try EncryptedFolder()
        try copy.write(bytes)
        let error = #expect(throws: SQLiteError.self, "page \(page)") {
          _ = try copy.open().rows("PRAGMA integrity_check") { $0.text(0) }
          return try copy.open().texts()
        }
        if page > 0 {
          #expect(error == SQLiteError(.pageDamaged, ["file": copy.path, "page": String(page)]))
        } else {
          #expect(error?.code == .headerDamaged || error?.code == .notEncrypted)
        }
      }
    }
  }

  @Test("a flipped bit of any frame of the log is an error, also where another process finds it after the end of one")
  func flippedFrame() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    for start in 0..<8 { try database.fill(start * 20..<start * 20 + 20) }
    let left = try folder.copy()
    let rows = try left.copy().open().texts()
    #expect(rows.count == 160)
    let whole = try left.bytes("-wal")
    var random = SeededRandom(seed: 5)
    for _ in 0..<400 {
      var bytes = whole
      bytes[Int.random(in: 0..<whole.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let copy = try left.copy()
      try copy.write(bytes, "-wal")
      let error = #expect(throws: SQLiteError.self) { try copy.open().texts() }
      #expect(error?.code == .frameDamaged)
    }
    withExtendedLifetime(database) {}
  }

  @Test("a log that ends anywhere, as where the process that wrote it was ended, has the transactions that were whole")
  func tornLog() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<1)
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for row in 1..<20 { try database.fill(row..<row + 1) }
    let left = try folder.copy()
    let whole = try left.bytes("-wal")
    var greatest = 0
    for size in stride(from: 0, through: whole.count, by: 397) {
      let copy = try left.copy()
      try copy.write(whole.prefix(size), "-wal")
      let texts = try copy.open().texts()
      #expect(texts == (0..<texts.count).map(SQLiteDatabase.text) && texts.count >= greatest)
      greatest = texts.count
    }
    #expect(greatest >= 19)
    withExtendedLifetime(database) {}
  }

  @Test("a transaction that outgrew the cache, and wrote pages twice, is whole after the end of the process")
  func spilled() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<3000)
    try database.execute("PRAGMA cache_size = 5")
    for round in 0..<4 {
      try database.execute("BEGIN; UPDATE t SET v = v || 'x' WHERE id % 3 = 0")
      try database.execute("SAVEPOINT a; DELETE FROM t WHERE id > 100; ROLLBACK TO a")
      try database.execute("UPDATE t SET v = v || 'y' WHERE id % 2 = 0; UPDATE t SET v = v || 'z'; COMMIT")
      let texts = try database.texts()
      let copy = try folder.copy()
      #expect(try copy.open().texts() == texts && texts.count == 3000, "round \(round)")
      #expect(try copy.open().rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
      if round == 1 { try database.execute("PRAGMA wal_checkpoint(RESTART)") }
    }
  }

  @Test("several connections write and read at once, and lose nothing")
  func shared() throws {
    let folder = try EncryptedFolder()
    try folder.open().fill(0..<1)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        let database = try folder.open()
        for step in 0..<50 {
          let number = 1 + worker * 50 + step
          try database.run("INSERT INTO t VALUES (?, ?)", [.integer(number), .text(SQLiteDatabase.text(number))])
          if step % 17 == 3 { try database.execute("PRAGMA wal_checkpoint") }
          let count = try database.row("SELECT count(*) FROM t") { $0.integer(0) } ?? 0
          if count < Int64(step) { failures.withLock { $0.append("\(count)") } }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try folder.open().texts() == (0..<201).map(SQLiteDatabase.text))
  }

  @Test("many that make the same database at once have one")
  func madeAtOnce() throws {
    let folder = try EncryptedFolder()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      do { try folder.open().migrate(["CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)"]) } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path).sorted().first == "a.sqlite")
  }

  @Test("another way than the log to keep changes is refused, since nothing of it could be taken back")
  func journals() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<10)
    for mode in ["DELETE", "truncate", "PERSIST", "MEMORY", "OFF"] {
      #expect(throws: SQLiteError.self) { try database.execute("PRAGMA journal_mode = \(mode)") }
    }
    #expect(try database.row("PRAGMA journal_mode") { $0.text(0) } == "wal")
    #expect(try database.texts().count == 10)
  }

  @Test("shrinks and grows")
  func sizes() throws {
    let folder = try EncryptedFolder()
    let database = try folder.open()
    try database.fill(0..<5000)
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let full = try folder.bytes().count
    try database.execute("DELETE FROM t WHERE id > 10; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try folder.bytes().count < full / 10)
    try database.execute("CREATE TABLE b (v); INSERT INTO b VALUES (zeroblob(300000)); DROP TABLE b")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try folder.open().rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
  }
}
