import Foundation
import MPaaSDAO
import MPaaSTestSupport
import Testing

@Suite("An app's DAO object") struct DAOObjectTests {
  private static let methods = """
    <insert id="add" arguments="name, age">insert into ${T} (name, age) values (#{name}, #{age})</insert>
    <insert id="addAll" arguments="list" foreach="list.p">insert into ${T} (name) values (#{p})</insert>
    <select id="count" result="int">select count(*) from ${T}</select>
    <select id="countBeside" result="int" parallel="true">select count(*) from ${T}</select>
    <select id="who" result="string">select #{me}</select>
    """

  /// An object on a database in a folder, which must be kept.
  private static func object(in folder: TemporaryFolder) throws -> DAO {
    try DAO(bytes: Array(DAOFixtures.module(methods).utf8), databasePath: folder.path + "/a.db")
  }

  @Test("calls methods, tells of changes, and keeps tables apart")
  func calls() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    #expect(try dao.call("add", ["a", 1]) == .changed(rows: 1, lastRowID: 1))
    #expect(dao.lastInsertRowID == 1 && dao.changedRows == 1)
    let other = dao.forTable("u")
    #expect(try other.select("count") == 0)
    #expect(try other.update("addAll", [["x", "y"]]) == 2)
    #expect(try dao.select("count") == 1)
    #expect(try dao.select("countBeside") == 1)
    #expect(try other.select("countBeside") == 2)
    #expect(dao.allMethods == ["make", "add", "addAll", "count", "countBeside", "who"])
    dao.globalArguments = ["me": "I"]
    #expect(try dao.select("who") == "I")
    #expect(try dao.schema()?.hasPrefix("CREATE TABLE") == true)
    #expect(try dao.tableExists())
  }

  @Test("transactions hold what all calls do, and readers see what was committed")
  func transactions() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    _ = try dao.select("count")
    try dao.prepareParallelConnection(autoclose: 60)
    try dao.daoTransaction(.begin)
    try dao.update("add", ["a", 1])
    #expect(try dao.select("count") == 1)
    #expect(try dao.select("countBeside") == 0)
    try dao.daoTransaction(.rollback)
    #expect(try dao.select("count") == 0)
    #expect(try dao.select("countBeside") == 0)
  }

  @Test("a table that SQLite takes back with its transaction is made again")
  func takenBack() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    try dao.daoTransaction(.begin)
    try dao.update("add", ["a", 1])
    try dao.executeUpdate("create unique index names on t (name)")
    #expect(throws: DAOError.self) { try dao.executeUpdate("insert or rollback into t (name) values ('a')") }
    #expect(try dao.select("countBeside") == 0)
    #expect(try dao.select("count") == 0)
    try dao.daoTransaction(.begin)
    try dao.forTable("u").update("add", ["a", 1])
    try dao.daoTransaction(.commit)
    #expect(try dao.forTable("u").select("countBeside") == 1)
  }

  @Test("readers that are in use while the key is changed do not come back with the former one")
  func keys() throws {
    let folder = try TemporaryFolder()
    let dao = try DAO(
      bytes: Array(DAOFixtures.module(Self.methods).utf8), databasePath: folder.path + "/a.db",
      key: [UInt8](repeating: 1, count: 32))
    try dao.update("add", ["a", 1])
    #expect(try dao.select("countBeside") == 1)
    try dao.storage.run(isParallel: true) { _ throws(DAOError) in
      try dao.changeKey(to: [UInt8](repeating: 2, count: 32))
    }
    #expect(try dao.select("countBeside") == 1)
    #expect(try dao.select("count") == 1)
  }

  @Test("tables go by a regular expression, with their versions, and come again")
  func deletion() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    for name in ["chat_1", "chat_2", "other"] { _ = try dao.forTable(name).update("addAll", [["x"]]) }
    #expect(try dao.deleteTables(matching: "^chat_[0-9]+$", vacuum: true) == ["chat_1", "chat_2"])
    #expect(try dao.forTable("chat_1").select("count") == 0)
    #expect(try dao.forTable("other").select("count") == 1)
    #expect { try dao.deleteTables(matching: "(") } throws: { ($0 as? DAOError)?.code == .expression }
    try dao.forTable("other").deleteTable()
    let names = try dao.executeQuery("select tableName as n from TableVersions order by 1").compactMap { $0["n"] }
    #expect(names == ["chat_1"])
  }

  @Test("tables go one after the other, which is told, and statements of the app run beside the document's")
  func ownStatements() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    for name in ["a", "b", "c", "d"] { _ = try dao.forTable(name).update("addAll", [["x", "y"]]) }
    #expect(try dao.executeUpdate("update a set name = ? where name = ?", ["z", "x"]) == 1)
    #expect(try dao.executeQuery("select name as n from a order by id") == [["n": "z"], ["n": "y"]])
    #expect(throws: DAOError.self) { try dao.executeQuery("select nothing from a") }
    let handle = try dao.withHandle { UInt(bitPattern: $0) }
    #expect(try dao.forTable("a").withHandle { UInt(bitPattern: $0) } == handle)
    let parts = Parts()
    let deleted: [String] = try dao.deleteTables(matching: "^[abc]$") { parts.append($0) }
    #expect(deleted == ["a", "b", "c"])
    let thirds: [Double] = [1.0 / 3, 2.0 / 3, 1]
    #expect(parts.all == thirds)
    #expect(try dao.forTable("d").select("count") == 2)
    try dao.vacuum()
  }

  @Test("tell of tables that are made and deleted")
  func events() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    let found = Events()
    dao.eventHandler = { _, event in found.append(event) }
    _ = try dao.select("count")
    try dao.deleteTable()
    #expect(found.all == [.tableCreated(table: "t"), .tableDeleted(table: "t")])
  }

  @Test("threads call one object at the same time, and nothing is lost")
  func threads() throws {
    let folder = try TemporaryFolder()
    let dao = try Self.object(in: folder)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for index in 0..<50 {
        do {
          try dao.update("add", [.text("\(thread)"), .integer(index)])
          _ = try dao.select("countBeside")
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try dao.select("count") == 200)
  }
}

/// The parts of a work that were told as done.
private final class Parts: @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [Double] = []

  func append(_ part: Double) { lock.withLock { parts.append(part) } }
  var all: [Double] { lock.withLock { parts } }
}

/// Events in their order.
private final class Events: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [DAOEvent] = []

  func append(_ event: DAOEvent) { lock.withLock { events.append(event) } }
  var all: [DAOEvent] { lock.withLock { events } }
}
