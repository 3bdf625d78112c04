import MPaaSDAO
import MPaaSSQLite
import MPaaSTestSupport
import Testing

@Suite("A prepared statement of a compiled document") struct DAOPreparedTests {
  private static let insert = DAOConstant(0, "insert into \0 values (?, ?, ?)", nil, 1, 1)
  private static let select = DAOConstant(1, "select * from \0", DAOColumns(["a", "b", "c", "missing"]), 2, 1)

  private static func session(_ table: String = "t") throws -> DAOSession {
    let module = DAOModule("M", file: "m.xml", table: table, version: "1.0", methods: [], constants: 2)
    let session = DAOSession(module, try DAOConnection(":memory:"))
    try session.begin(DAOSurroundings(table: table))
    _ = try session.connection.run("create table \(table) (a, b, c)")
    return session
  }

  @Test("keeps texts of any length, beside one another and from one call to the next")
  func texts() throws {
    let session = try Self.session()
    var random = SeededRandom(seed: 24)
    let lengths = [0, 1, 15, 16, 200, 255, 256, 257, 511, 512, 513, 5000]
    var expected: [[String]] = []
    for _ in 0..<300 {
      let row = (0..<3).map { _ in
        String(
          (0..<(lengths.randomElement(using: &random) ?? 0)).map { _ in "aä漢𝄞 \0'".randomElement(using: &random) ?? "a"
          })
      }
      let query = try session.prepared(Self.insert)
      for (index, text) in row.enumerated() { query.bind(index + 1, text) }
      #expect(try query.run() == 1)
      expected.append(row)
    }
    let query = try session.prepared(Self.select)
    defer { query.reset() }
    var found: [[String]] = []
    while try query.step() { found.append(try (0..<3).map { try query.text($0) }) }
    #expect(found == expected)
  }

  @Test("that was forgotten leaves nothing behind for another one of the same text")
  func shared() throws {
    let session = try Self.session()
    for round in 0..<3 {
      // Each session of the connection has a statement of its own on that of the connection.
      let other = DAOSession(session.module, session.connection)
      try other.begin(DAOSurroundings(table: "t"))
      let query = try other.prepared(Self.insert)
      query.bind(1, "round \(round)")
      query.bind(2, nil as String?)
      query.bind(3, String(repeating: "x", count: 100))
      #expect(try query.run() == 1)
    }
    let texts = try session.connection.database.rows("select a || length(c) from t") { $0.text(0) }
    #expect(texts == ["round 0100", "round 1100", "round 2100"])
  }

  @Test("tells null from numbers that are 0, and from texts that are none")
  func nulls() throws {
    let session = try Self.session()
    let values: [DAOValue] = [
      .null, .integer(0), .real(0), .real(-0.0), .text("0"), .text("no"), .text(""), .data([]), .data([0]),
    ]
    for value in values {
      let query = try session.prepared(Self.insert)
      for index in 1...3 { query.bind(index, value) }
      _ = try query.run()
    }
    let query = try session.prepared(Self.select)
    defer { query.reset() }
    var number = 0
    while try query.step() {
      let isNull = values[number] == .null
      #expect((query.optionalInteger(0) == nil) == isNull)
      #expect((query.optionalReal(1) == nil) == isNull)
      #expect((query.optionalFlag(1) == nil) == isNull)
      #expect((query.optionalText(2) == nil) == isNull)
      #expect((query.optionalData(0) == nil) == isNull)
      if !isNull {
        #expect(try query.integer(1) == 0)
        #expect(try query.real(0) == 0)
      } else {
        #expect { try query.integer(1) } throws: { ($0 as? DAOError)?.code == .nullColumn }
        #expect { try query.real(1) } throws: { ($0 as? DAOError)?.code == .nullColumn }
      }
      #expect(query.optionalInteger(3) == nil && query.optionalReal(3) == nil && query.optionalText(3) == nil)
      #expect(query.optionalData(3) == nil)
      number += 1
    }
    #expect(number == values.count)
  }
}
