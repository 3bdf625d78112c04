import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A database of either engine") struct SQLDatabaseTests {
  private static let notes = """
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, score REAL, body BLOB, user TEXT, "from" REAL, offset INTEGER
    ) STRICT;
    CREATE INDEX notes_user ON notes (user) WHERE user IS NOT NULL;
    CREATE TABLE pairs (
      app TEXT NOT NULL, key TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (app, key)
    ) STRICT, WITHOUT ROWID;
    """

  private func add(_ texts: [String], to database: any SQLDatabase) throws {
    for text in texts {
      try database.run(
        "INSERT INTO notes (id, text) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM notes), ?)", [.text(text)])
    }
  }

  private func texts(_ database: any SQLDatabase) throws -> [String] {
    try database.rows("SELECT text FROM notes ORDER BY text") { $0.text(0) }
  }

  @Test("gives back each value as it was put in", arguments: Engine.installed)
  func values(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open("CREATE TABLE v (n INTEGER, r REAL, t TEXT, b BLOB) STRICT")
    let rows: [[SQLValue]] = [
      [.integer(Int64.min), .real(-.greatestFiniteMagnitude), .text("支付 🦊 'q' \\ % ?1"), .blob(Array(0...255))],
      [.integer(Int64.max), .real(.leastNonzeroMagnitude), .text(""), .blob([])],
      [.integer(-1), .real(0.1), .text("\u{202e}\n\t\u{1}"), .blob([0])],
      [.null, .null, .null, .null],
      [
        .integer(0), .real(-0.5), .text(String(repeating: "长", count: 100_000)),
        .blob([UInt8](repeating: 7, count: 99)),
      ],
    ]
    for row in rows { try database.run("INSERT INTO v (n, r, t, b) VALUES (?, ?, ?, ?)", row) }
    let found = try database.rows("SELECT n, r, t, b FROM v") { row in (0..<row.count).map { row[$0] } }
    #expect(found == rows)
    let sizes = try database.rows("SELECT t, b FROM v WHERE n < 0 ORDER BY n") { [$0.bytes(0), $0.bytes(1)] }
    #expect(sizes == [["支付 🦊 'q' \\ % ?1".utf8.count, 256], [6, 1]])
    // A null is 0, empty, and told from both.
    let null = try database.row("SELECT n, r, t, b FROM v WHERE n IS NULL") { row in
      (row.integer(0), row.real(1), row.text(2), row.blob(3), row.optionalText(2), row.optionalInteger(0))
    }
    #expect(null?.0 == 0 && null?.1 == 0 && null?.2 == "" && null?.3 == [] && null?.4 == nil && null?.5 == nil)
  }

  @Test("has numbers become one another where a query or a reader asks", arguments: Engine.installed)
  func conversions(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open("CREATE TABLE v (n INTEGER NOT NULL, r REAL NOT NULL) STRICT")
    try database.run("INSERT INTO v (n, r) VALUES (?, ?)", [.integer(7), .integer(3)])
    try database.run("INSERT INTO v (n, r) VALUES (?, ?)", [.real(9), .real(-2.75)])
    let sums = try database.row("SELECT sum(n), sum(r), count(*), max(n), n > 1 FROM v GROUP BY n > 1") { row in
      [row[0], row[1], row[2], row[3], row[4]]
    }
    #expect(sums == [.integer(16), .real(0.25), .integer(2), .integer(9), .integer(1)])
    let nine = try database.row("SELECT r, n FROM v WHERE n > ? AND n < ?", [.real(7.5), .real(9.5)]) { row in
      (row.integer(0), row.real(1), row.text(1))
    }
    #expect(nine?.0 == -2 && nine?.1 == 9 && nine?.2 == "9")
    #expect(try database.row("SELECT coalesce(sum(n), 0) FROM v WHERE n > 100") { $0.integer(0) } == 0)
    #expect(try database.row("SELECT sum(n) FROM v WHERE n > 100") { $0.isNull(0) } == true)
    let minute = try database.row("SELECT CAST(floor(r / 0.5) AS INTEGER) FROM v WHERE n = 9") { $0.integer(0) }
    #expect(minute == -6)
    let large: [SQLValue] = [.integer(Int64(4_000_000_000_000_000_000)), .integer(-4_000_000_000_000_000_000)]
    for value in large { try database.run("INSERT INTO v (n, r) VALUES (?, 0)", [value]) }
    #expect(
      try database.rows("SELECT sum(n) FROM v WHERE r = 0 GROUP BY n ORDER BY n", [], { $0[0] }) == large.reversed())
  }

  @Test("gives the rows of queries that are asked together in their order", arguments: Engine.installed)
  func together(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    // More than are on their way to a server at once, and of several shapes.
    let rows = (0..<24_000).map { [SQLValue.text("a\($0 % 7)"), .text("k\($0)"), .integer($0)] }
    let added = try database.transaction {
      try database.rows(overRows: rows, { "INSERT INTO pairs (app, key, value) VALUES \($0) RETURNING value" }) {
        $0.integer(0)
      }
    }
    #expect(added == Array(0..<24_000))
    let found = try database.rows(
      forEach: rows.map { Array($0.prefix(2)) }, "SELECT value FROM pairs WHERE app = ? AND key = ?"
    ) { $0.integer(0) }
    #expect(found.sorted() == Array(0..<24_000))
    // The first that is enough ends them all.
    var seen: [String] = []
    let queries = ["k3", "k1", "k2"].map { SQLQuery("SELECT key FROM pairs WHERE key = ?", [.text($0)]) }
    try database.forEach(queries) { row in
      seen.append(row.text(0))
      return seen.count < 2
    }
    #expect(seen == ["k3", "k1"])
  }

  @Test("gives no row of queries of which one fails, nor any later", arguments: Engine.installed)
  func togetherFailing(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try add(["one"], to: database)
    let queries = (0..<300).map { SQLQuery("SELECT text FROM notes WHERE id > ?", [.integer($0 * 0)]) }
    #expect(throws: SQLError.self) {
      try database.forEach(queries + [SQLQuery("SELECT text FROM missing")]) { _ in true }
    }
    #expect(try texts(database) == ["one"])
  }

  @Test("takes a missing value for null, and one place several times", arguments: Engine.installed)
  func places(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try add(["a", "b"], to: database)
    try database.run(
      "UPDATE notes SET user = ?2, offset = ?1, \"from\" = ?1 WHERE text = 'a'", [.integer(4), .text("u")])
    let query = "SELECT text FROM notes WHERE (?1 IS NULL OR user = ?1) AND (?2 IS NULL OR offset > ?2) ORDER BY text"
    #expect(try database.rows(query, [.text("u"), .integer(3)]) { $0.text(0) } == ["a"])
    #expect(try database.rows(query, [.null, .integer(4)]) { $0.text(0) } == [])
    #expect(try database.rows(query, [.text("u")]) { $0.text(0) } == ["a"])
    #expect(try database.rows(query) { $0.text(0) } == ["a", "b"])
    let first = "SELECT user, offset, \"from\" FROM notes ORDER BY text LIMIT 1 OFFSET ?"
    #expect(try database.row(first, [0]) { $0.text(0) } == "u")
  }

  @Test("counts what changed, and gives the rows that a change returns", arguments: Engine.installed)
  func changes(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    let upsert = """
      INSERT INTO pairs AS own (app, key, value) VALUES (?, ?, ?) ON CONFLICT (app, key)
      DO UPDATE SET value = own.value + excluded.value RETURNING value
      """
    #expect(try database.row(upsert, ["a", "k", 2]) { $0.integer(0) } == 2)
    #expect(try database.row(upsert, ["a", "k", 3]) { $0.integer(0) } == 5)
    #expect(database.changes == 1)
    try database.run("INSERT INTO pairs VALUES ('a', 'k', 1) ON CONFLICT DO NOTHING")
    #expect(database.changes == 0)
    try database.run("INSERT INTO pairs VALUES ('a', 'l', 1), ('b', 'l', 1)")
    #expect(database.changes == 2)
    try database.run("UPDATE pairs SET value = 0 WHERE key = ?", ["l"])
    #expect(database.changes == 2)
    try database.run("DELETE FROM pairs")
    #expect(database.changes == 3)
  }

  @Test(
    "compares texts by their bytes, and no letters but those of ASCII in small and capital", arguments: Engine.installed
  )
  func order(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    let words = ["Z", "a", "_", "é", "É", "支", "a-b", "aB", "ab", "\u{10000}", "\u{ffee}", "ＡＢ"]
    try add(words, to: database)
    let sorted = words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(try texts(database) == sorted)
    #expect(try database.row("SELECT max(text) FROM notes") { $0.text(0) } == sorted.last)
    #expect(
      try database.rows("SELECT text FROM notes WHERE text > 'a' AND text < 'b' ORDER BY 1") { $0.text(0) }
        == ["a-b", "aB", "ab"])
    #expect(
      try database.rows("SELECT text FROM notes WHERE lower(text) LIKE ? ESCAPE '\\' ORDER BY 1", ["a%"]) {
        $0.text(0)
      } == ["a", "a-b", "aB", "ab"])
    #expect(
      try database.rows("SELECT text FROM notes WHERE lower(text) LIKE ? ESCAPE '\\'", ["\\_%"]) { $0.text(0) } == ["_"]
    )
    #expect(try database.row("SELECT count(*) FROM notes WHERE lower(text) = 'é'") { $0.integer(0) } == 1)
  }

  @Test("says that a row is not permitted, at the latest with the next statement", arguments: Engine.installed)
  func constraint(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try add(["a"], to: database)
    let error = #expect(throws: SQLError.self) {
      try add(["a"], to: database)
      _ = try texts(database)
    }
    #expect(error?.code == .constraint)
    #expect(try texts(database) == ["a"])
    let wrong = #expect(throws: SQLError.self) { _ = try database.row("SELECT nothing FROM notes") { $0.text(0) } }
    #expect(wrong?.code == .failed)
    #expect(try texts(database) == ["a"])
  }

  @Test("keeps all of a transaction or nothing", arguments: Engine.installed)
  func transactions(engine: Engine) throws {
    struct Trouble: Error {}
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try database.transaction { try add(["a", "b"], to: database) }
    #expect(throws: Trouble.self) {
      try database.transaction {
        try add(["c"], to: database)
        throw Trouble()
      }
    }
    #expect(throws: SQLError.self) { try database.transaction { try add(["d", "a"], to: database) } }
    #expect(try texts(database) == ["a", "b"])
  }

  @Test("takes back what came after a mark, whatever was wrong with it", arguments: Engine.installed)
  func marks(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try database.begin()
    for words in [["a"], ["b"], ["c", "a"], ["d"], ["e"]] {
      try database.mark()
      let isWrong = words == ["d"]
      do {
        try add(words, to: database)
        if isWrong { _ = try database.row("SELECT nothing FROM notes") { $0.text(0) } }
        try database.release()
      } catch {
        try database.takeBack()
      }
    }
    try database.commit()
    #expect(try texts(database) == ["a", "b", "e"])
    let other = try place.address.open(.readOnly)
    #expect(try texts(other) == ["a", "b", "e"])
  }

  @Test("a connection for reading writes nothing", arguments: Engine.installed)
  func readOnly(engine: Engine) throws {
    let place = try Engine.Place(engine)
    _ = try place.open(Self.notes)
    let reader = try place.address.open(.readOnly)
    #expect(throws: SQLError.self) {
      try add(["a"], to: reader)
      _ = try texts(reader)
    }
    #expect(try texts(reader) == [])
  }

  @Test("takes each step of its tables once, and nothing where they are newer", arguments: Engine.installed)
  func steps(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let more =
      "ALTER TABLE notes ADD COLUMN kind TEXT NOT NULL DEFAULT 'note'; INSERT INTO notes (id, text) VALUES (1, 'x')"
    try add(["first"], to: try place.open(Self.notes))
    let database = try place.open(Self.notes, more.replacing("VALUES (1", with: "VALUES (2"))
    #expect(try database.rows("SELECT kind FROM notes") { $0.text(0) } == ["note", "note"])
    #expect(try texts(try place.open(Self.notes, more)) == ["first", "x"])
    let error = #expect(throws: SQLError.self) { _ = try place.open(Self.notes) }
    #expect(error?.code == .newer && error?.code.exit.rawValue == 78)
    // A step that cannot be taken leaves what was before.
    #expect(throws: SQLError.self) {
      _ = try place.open(Self.notes, more, "CREATE TABLE late (id INTEGER); INSERT INTO nowhere VALUES (1)")
    }
    let again = try place.open(Self.notes, more, "CREATE TABLE late (id INTEGER)")
    #expect(try again.row("SELECT count(*) FROM late") { $0.integer(0) } == 0)
  }

  @Test("many statements, one after the other and each of its own, all come through", arguments: Engine.installed)
  func many(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.notes)
    try database.begin()
    for number in 0..<2500 {
      try database.run(
        "INSERT INTO pairs (app, key, value) VALUES ('n\(number)', ?, ?)", [.text("k"), .integer(number)])
    }
    try database.commit()
    let sum = try database.row("SELECT count(*), sum(value) FROM pairs") { ($0.integer(0), $0.integer(1)) }
    #expect(sum?.0 == 2500 && sum?.1 == 2500 * 2499 / 2)
    var seen = 0
    try database.forEach("SELECT value FROM pairs ORDER BY value") { row in
      seen += 1
      return row.integer(0) < 9
    }
    #expect(seen == 10)
  }

  @Test("has the columns that SQLite tells of its steps, and no tables before them", arguments: Engine.installed)
  func tables(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let fresh = try place.address.open()
    #expect(try fresh.version() == 0 && !fresh.hasTable("notes"))
    let steps = [
      "CREATE TABLE twos (\"from\" TEXT NOT NULL, n INTEGER, x REAL, b BLOB, PRIMARY KEY (n, \"from\")) STRICT"
    ]
    let more =
      "ALTER TABLE twos ADD COLUMN last TEXT; CREATE INDEX twos_x ON twos (x); CREATE TABLE ones (a TEXT) STRICT"
    try fresh.migrate(steps + [more])
    #expect(try fresh.version() == 2 && fresh.hasTable("twos") && !fresh.hasTable("twos_y"))
    let tables = try SQLTable.all(of: steps + [more])
    #expect(tables.map(\.name) == ["ones", "twos"] && tables.map(\.key) == [[], [1, 0]])
    #expect(tables[1].columns.map(\.name) == ["from", "n", "x", "b", "last"])
    #expect(tables[1].columns.map(\.type) == ["TEXT", "INTEGER", "REAL", "BLOB", "TEXT"])
    try fresh.run("INSERT INTO twos VALUES ('a', 1, 0.5, NULL, 'z')")
    var names: [String] = []
    try fresh.forEach("SELECT * FROM twos") { row in
      names = (0..<row.count).map { row.name($0) }
      return false
    }
    #expect(names == tables[1].columns.map(\.name))
    #expect(throws: SQLError.self) { try SQLTable.all(of: ["CREATE TABLE nothing"]) }
  }
}
