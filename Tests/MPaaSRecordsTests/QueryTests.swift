import Foundation
import MPaaSRecords
import MPaaSTestSupport
import Testing

@Suite("Queries") struct QueryTests {
  /// A database in memory with the table of the old manual, and ten rows.
  static func blogs() throws -> Database {
    let database = try Database(path: ":memory:")
    try Table("blogs")
      .field("id", .integer).primaryKey().autoincrement()
      .field("type", .text, size: 20).notNull().default("Test")
      .field("date", .real)
      .field("content", .text)
      .field("hits", .integer).unsigned().defaultZero()
      .createIfNotExists(in: database)
    for number in 1...10 {
      try Query("blogs").set("type", number % 2 == 0 ? "even" : "odd").set("content", "Blog \(number)")
        .set("hits", number * 10).insert(in: database)
    }
    return database
  }

  @Test("says what SQL it becomes, with values bound and names quoted")
  func statement() throws {
    let query = Query("blogs").select("type").selectSum("hits", as: "total").distinct()
      .where("id", .greater, 1).orWhere("type", .notEqual, nil).whereIn("id", [1, 2]).orWhereNotIn("id", [3])
      .like("content", "B%").orNotLike("content", "_x").contains("content", "50%")
      .where { $0.where("hits", 5).orWhere("hits", 6) }.whereBetween("hits", 1, 9)
      .group(by: "type").having("total", .greaterOrEqual, 3).orHaving(.count, of: "*", .less, 9)
      .orderAscending(by: "type").orderDescending(by: "blogs.hits").limit(5).offset(2)
    let (sql, values) = try query.statement()
    #expect(
      sql == """
        SELECT DISTINCT "type", sum("hits") AS "total" FROM "blogs" WHERE "id" > ? OR "type" IS NOT NULL AND "id" IN \
        (?, ?) OR "id" NOT IN (?) AND "content" LIKE ? OR "content" NOT LIKE ? AND "content" LIKE ? ESCAPE '\\' AND \
        ("hits" = ? OR "hits" = ?) AND "hits" BETWEEN ? AND ? GROUP BY "type" HAVING "total" >= ? OR count(*) < ? \
        ORDER BY "type" ASC, "blogs"."hits" DESC LIMIT ? OFFSET ?
        """)
    #expect(values == [1, 1, 2, 3, "B%", "_x", "%50\\%%", 5, 6, 1, 9, 3, 9, 5, 2])
  }

  @Test("is a value: a part that is added leaves the query before as it is")
  func value() throws {
    let all = Query("blogs")
    let some = all.where("id", 1)
    #expect(all != some)
    #expect(try all.statement().sql == "SELECT * FROM \"blogs\"")
  }

  @Test("selects, counts, orders and pages through rows")
  func select() throws {
    let database = try Self.blogs(), blogs = Query("blogs")
    #expect(try blogs.count(in: database) == 10)
    #expect(try blogs.where("type", "even").count(in: database) == 5)
    #expect(try blogs.orderDescending(by: "id").first(in: database)?["id"] == 10)
    let page = try blogs.select("id").orderAscending(by: "id").offset(2).limit(3).rows(in: database)
    #expect(page.map(\.values) == [[3], [4], [5]])
    #expect(try blogs.offset(7).count(in: database) == 3)
    #expect(try blogs.select("type").distinct().count(in: database) == 2)
    #expect(try Set(blogs.select("id").orderRandomly().rows(in: database).map(\.values)).count == 10)
    let figures = try blogs.selectMax("hits", as: "most").selectMin("hits", as: "least").selectAverage(
      "hits", as: "mean"
    )
    .selectSum("hits").select(.count, of: "*").first(in: database)
    #expect(figures?.columns == ["most", "least", "mean", "hits", "count"])
    #expect(figures?.values == [100, 10, 55.0, 550, 10])
    let groups = try blogs.select("type").select(.count, of: "id", as: "n").group(by: "type").having("n", .greater, 4)
      .orderAscending(by: "type").rows(in: database)
    #expect(groups.map(\.values) == [["even", 5], ["odd", 5]])
    #expect(try blogs.whereIn("id", []).count(in: database) == 0)
    #expect(try blogs.whereNotIn("id", []).count(in: database) == 10)
    #expect(try blogs.contains("content", "g 1").count(in: database) == 2)
    #expect(try blogs.contains("content", "%").count(in: database) == 0)
    let inner = blogs.select("id").where("hits", .less, 30)
    #expect(try blogs.whereIn("id", inner).count(in: database) == 2)
    #expect(try blogs.whereNotIn("id", inner).count(in: database) == 8)
  }

  @Test("combines the rows of two tables by columns")
  func join() throws {
    let database = try Self.blogs()
    try Table("kinds").field("name", .text).field("rank", .integer).createIfNotExists(in: database)
    try Query("kinds").set("name", "odd").set("rank", 1).insert(in: database)
    let rows = try Query("blogs").from("kinds").select("blogs.id", "kinds.rank").where(
      "blogs.type", column: "kinds.name"
    )
    .orderAscending(by: "id").rows(in: database)
    #expect(rows.count == 5)
    #expect(rows.first?.values == [1, 1])
  }

  @Test("inserts, changes and deletes rows")
  func change() throws {
    let database = try Self.blogs(), blogs = Query("blogs")
    #expect(try blogs.set(["content": "new", "hits": 1]).insert(in: database) == 11)
    #expect(try blogs.where("id", 11).first(in: database)?["type"] == "Test")
    #expect(try blogs.set("content", "x").set("content", "y").setNull("date").where("id", 11).update(in: database) == 1)
    #expect(try blogs.where("content", "y").count(in: database) == 1)
    #expect(try blogs.set("hits", 7).orderAscending(by: "id").limit(3).update(in: database) == 3)
    #expect(try blogs.where("hits", 7).count(in: database) == 3)
    #expect(try blogs.where("hits", 7).orderDescending(by: "id").limit(1).delete(in: database) == 1)
    #expect(try blogs.where("id", 3).count(in: database) == 0)
    try blogs.set("id", 1).set("content", "again").insertOrUpdate(by: "id", in: database)
    #expect(try blogs.where("id", 1).first(in: database)?["content"] == "again")
    #expect(throws: DatabaseError.self) { try blogs.delete(in: database) }
    #expect(try blogs.where("id", 1).empty(in: database) == 10)
    #expect(try blogs.insert(in: database) == 12)
    #expect(try blogs.truncate(in: database) == 1)
    #expect(try blogs.insert(in: database) == 1)
  }

  @Test(
    "refuses names that are none, whatever they hold",
    arguments: [
      "", "a\"b", "a b", "1a", "id; DROP TABLE blogs", "a.b.c", "a.", "x\0", "id--", "a'",
      String(repeating: "a", count: 129),
    ])
  func names(_ name: String) throws {
    let database = try Self.blogs()
    for query in [
      Query(name), Query("blogs").select(name), Query("blogs").where(name, 1), Query("blogs").group(by: name),
      Query("blogs").order(by: name), Query("blogs").having(name, .equal, 1), Query("blogs").select("id", as: name),
      Query("blogs").where("id", column: name),
    ] {
      let error = #expect(throws: DatabaseError.self) { try query.rows(in: database) }
      #expect(error?.identifier == "query-name")
    }
    #expect(throws: DatabaseError.self) { try Query("blogs").set(name, 1).insert(in: database) }
    #expect(throws: DatabaseError.self) { try Table(name).field("a", .text).createIfNotExists(in: database) }
    #expect(throws: DatabaseError.self) { try Table("t").field(name, .text).createIfNotExists(in: database) }
    #expect(try Query("blogs").count(in: database) == 10)
  }

  @Test("takes names of other scripts, and texts of any characters as values")
  func texts() throws {
    let database = try Database(path: ":memory:")
    let table = Table("博客").field("内容", .text).default("it's; \"1\"\n")
    try table.createIfNotExists(in: database)
    try table.createIndex(on: "内容", in: database)
    try Query("博客").insert(in: database)
    #expect(try Query("博客").first(in: database)?["内容"] == "it's; \"1\"\n")
    let hostile = "'; DROP TABLE \"博客\"; --"
    try Query("博客").set("内容", hostile).insert(in: database)
    #expect(try Query("博客").where("内容", hostile).count(in: database) == 1)
  }

  @Test("does all of a batch or nothing, also within another one, and on the same thread")
  func batch() throws {
    struct Stop: Error {}
    let database = try Self.blogs(), blogs = Query("blogs")
    try database.batch {
      try blogs.where("id", 1).delete(in: database)
      #expect(throws: Stop.self) {
        try database.batch {
          try blogs.where("id", 2).delete(in: database)
          throw Stop()
        }
      }
      #expect(try blogs.count(in: database) == 9)
    }
    #expect(try blogs.count(in: database) == 9)
    #expect(throws: Stop.self) {
      try database.batch {
        try blogs.empty(in: database)
        throw Stop()
      }
    }
    #expect(try blogs.count(in: database) == 9)
  }

  @Test("keeps the rows of several threads whole")
  func threads() async throws {
    let database = try Self.blogs()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try database.batch {
              let count = try Query("blogs").count(in: database)
              try Query("blogs").set("hits", count).insert(in: database)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Query("blogs").count(in: database) == 210)
    #expect(try Query("blogs").select("hits").where("id", .greater, 10).distinct().count(in: database) == 200)
  }

  @Test("checks what the table says of values")
  func rules() throws {
    let database = try Self.blogs()
    for query in [
      Query("blogs").set("hits", -1), Query("blogs").set("type", String(repeating: "x", count: 21)),
      Query("blogs").setNull("type"),
    ] {
      let error = #expect(throws: DatabaseError.self) { try query.insert(in: database) }
      #expect(error?.identifier == "database-constraint")
    }
    let odd = #expect(throws: DatabaseError.self) { try Query("blogs").limit(-1).rows(in: database) }
    #expect(odd?.identifier == "query-value")
    #expect(throws: DatabaseError.self) { try Query("blogs").where("hits", .less, nil).rows(in: database) }
    #expect(throws: DatabaseError.self) { try Query("blogs").where("id", 1).update(in: database) }
    #expect(throws: DatabaseError.self) { try Query("blogs").from("blogs").empty(in: database) }
    #expect(throws: DatabaseError.self) { try Query("nosuch").rows(in: database) }
    #expect(throws: DatabaseError.self) { try Table("t").createIfNotExists(in: database) }
  }

  @Test("makes indexes, adds columns and drops tables")
  func tables() throws {
    let database = try Self.blogs()
    try Table("blogs").createIndex(on: "type", "date", in: database)
    try Table("blogs").createIndex(on: "type", "date", in: database)
    let wider = Table("blogs").field("id", .integer).field("mood", .text).notNull().default("good")
    #expect(try wider.createOrExtend(in: database) == ["mood"])
    #expect(try wider.createOrExtend(in: database) == [])
    #expect(try Query("blogs").where("mood", "good").count(in: database) == 10)
    #expect(try Table("blogs").exists(in: database))
    try Table("blogs").drop(in: database)
    #expect(try !Table("blogs").exists(in: database))
  }

  @Test("gives typed rows, and names the column that is none of the type")
  func typed() throws {
    struct Blog: Codable, Equatable {
      var id: Int
      var type: String
      var hits: UInt8
      var date: Date?
    }
    let database = try Self.blogs()
    let blogs = try Query("blogs").orderAscending(by: "id").limit(2).rows(as: Blog.self, in: database)
    #expect(blogs == [Blog(id: 1, type: "odd", hits: 10), Blog(id: 2, type: "even", hits: 20)])
    #expect(try Query("blogs").selectMax("hits").first(as: Int.self, in: database) == 100)
    #expect(try Query("blogs").where("id", 99).first(as: Blog.self, in: database) == nil)
    try Query("blogs").set("hits", 300).where("id", 1).update(in: database)
    let error = #expect(throws: DatabaseError.self) { try Query("blogs").rows(as: Blog.self, in: database) }
    #expect(error?.description.contains("hits") == true)
    #expect(error?.identifier == "row-column")
    let row = try #require(try Query("blogs").first(in: database))
    #expect(try row.value("hits", as: Int.self) == 300)
    #expect(try row.value("date", as: Date.self) == nil)
    #expect(throws: DatabaseError.self) { try row.value("nosuch", as: Int.self) }
    #expect(throws: DatabaseError.self) { try row.value("type", as: Int.self) }
  }

  @Test("uses the shared database where none is named, and says so where there is none")
  func shared() throws {
    let error = #expect(throws: DatabaseError.self) { try Query("blogs").count() }
    #expect(error?.identifier == "database-none")
    Database.shared = try Self.blogs()
    defer { Database.shared = nil }
    #expect(try Query("blogs").count() == 10)
  }
}
