import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Pages of a table") struct TablePagesTests {
  private static let steps = [
    """
    CREATE TABLE notes (b TEXT NOT NULL, a INTEGER NOT NULL, body BLOB, PRIMARY KEY (a, b)) STRICT;
    CREATE TABLE loose (text TEXT) STRICT;
    """
  ]

  private static func table(_ name: String) throws -> SQLTable {
    try #require(try SQLTable.all(of: steps).first { $0.name == name })
  }

  @Test("have each row once, in the order of the key's columns", arguments: Engine.installed)
  func order(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.steps[0])
    let texts = ["", "a", "B", "é", "\u{2400}", "支"]
    for number in [-3, 7, 0] {
      for text in texts { try database.run("INSERT INTO notes VALUES (?, ?, NULL)", [.text(text), .integer(number)]) }
    }
    let table = try Self.table("notes")
    #expect(table.key == [1, 0])
    for most in [1, 2, 5, 18, 100] {
      let pages = TablePages(table: table, database: database, most: most)
      var (last, rows): ([SQLValue]?, [[SQLValue]]) = (nil, [])
      while let page = try pages.page(after: last) {
        #expect(page.rows.count <= most)
        #expect(page.last == page.rows.last.map { [$0[1], $0[0]] })
        rows += page.rows
        last = page.last
      }
      let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(rows == [-3, 0, 7].flatMap { number in sorted.map { [.text($0), .integer(number), .null] } })
    }
  }

  @Test("end once there are many bytes, and have a row that is larger alone", arguments: Engine.installed)
  func sizes(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.steps[0])
    for (number, size) in [100, 9 << 20, 5 << 20, 5 << 20, 10].enumerated() {
      try database.run(
        "INSERT INTO notes VALUES ('', ?, ?)", [.integer(number), .blob([UInt8](repeating: 1, count: size))])
    }
    let pages = TablePages(table: try Self.table("notes"), database: database, most: 100)
    var (last, counts): ([SQLValue]?, [Int]) = (nil, [])
    while let page = try pages.page(after: last) {
      counts.append(page.rows.count)
      last = page.last
    }
    #expect(counts == [2, 2, 1])
  }

  @Test("are one where there is no key", arguments: Engine.installed)
  func loose(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try place.open(Self.steps[0])
    let pages = TablePages(table: try Self.table("loose"), database: database, most: 2)
    #expect(try pages.page(after: nil) == nil)
    for _ in 0..<5 { try database.run("INSERT INTO loose VALUES ('x')") }
    let page = try #require(try pages.page(after: nil))
    #expect(page.rows == Array(repeating: [.text("x")], count: 5) && page.last.isEmpty)
    #expect(try pages.page(after: page.last) == nil)
  }

  @Test("and keys as bytes come back; bytes that are cut are none")
  func bytes() {
    let values: [SQLValue] = [
      .null, .integer(Int64.min), .real(-0.0), .text("支\0付"), .text(""), .blob([0, 255]), .blob([]),
    ]
    var bytes: [UInt8] = []
    for value in values { ValueBytes.append(value, to: &bytes) }
    #expect(ValueBytes.values(bytes) == values)
    for count in 1..<bytes.count {
      #expect(ValueBytes.values(Array(bytes.prefix(count))).map { $0.count < values.count } ?? true, "\(count)")
    }
    var random = SeededRandom(seed: 3)
    for _ in 0..<2000 {
      _ = ValueBytes.values((0..<Int.random(in: 0...40, using: &random)).map { _ in random.next().byte })
    }
    #expect(ValueBytes.values([UInt8(ascii: "t")] + [UInt8](repeating: 255, count: 8)) == nil)
  }

  @Test("have a digest that knows each value and its column, and not the order of the rows")
  func digests() {
    func digest(_ rows: [[SQLValue]]) -> TableDigest {
      rows.reduce(into: TableDigest()) { $0.add($1) }
    }
    let rows: [[SQLValue]] = [[.integer(1), .text("a")], [.integer(2), .null], [.integer(2), .null]]
    #expect(digest(rows) == digest(rows.reversed()) && digest(rows).rows == 3)
    let others: [[[SQLValue]]] = [
      [], Array(rows.dropLast()), rows + [[.integer(2), .null]], [rows[0], rows[1], [.null, .integer(2)]],
      [[.text("1"), .text("a")], rows[1], rows[2]], [[.integer(1), .blob([0x61])], rows[1], rows[2]],
      [[.real(1), .text("a")], rows[1], rows[2]], [[.integer(1), .text("")], rows[1], rows[2]],
      [rows[0], rows[0], rows[0]],
    ]
    for other in others { #expect(digest(other) != digest(rows), "\(other)") }
    #expect(digest([[.text("a\0")]]) == digest([[.text("a\u{2400}")]]))
    #expect(digest([[.real(-0.0)]]) == digest([[.real(0)]]) && digest([[.real(.nan)]]) == digest([[.null]]))
    #expect(digest([[.real(0.1)]]) != digest([[.real(0.1.nextUp)]]))
    #expect(digest([[.text("é")]]) != digest([[.text("e\u{301}")]]))
  }
}

extension UInt64 {
  fileprivate var byte: UInt8 { UInt8(truncatingIfNeeded: self) }
}
