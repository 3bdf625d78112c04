import Foundation
import MPaaSDAO
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("The database of each user") struct UserDatabaseTests {
  private static let methods = """
    <insert id="add" arguments="word">insert into ${T} (name) values (#{word})</insert>
    <select id="words" result="[string]">select name from ${T} order by id</select>
    """

  private static func notes(_ center: DataCenter) -> UserDependent<DAO> {
    let document = Array(DAOFixtures.module(methods).utf8)
    return center.userDependent { folder in try DAO(bytes: document, databasePath: folder + "/notes.sqlite") }
  }

  private static func words(_ dao: DAO) throws -> [String] {
    guard case .list(let rows) = try dao.select("words") else { return [] }
    return rows.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  @Test("has no row of another one, though users switch amid 1,000 calls")
  func switches() async throws {
    let folder = try TemporaryFolder()
    let center = try DataCenter(root: folder.path + "/Preferences", appVersion: "1")
    let notes = Self.notes(center)
    let users = (0..<6).map { "user \($0)" }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for round in 0..<400 {
          center.switchUser(to: users[round % users.count])
          await Task.yield()
        }
      }
      for part in 0..<4 {
        group.addTask {
          for round in 0..<25 {
            let user = users[(round + part) % users.count]
            for _ in 0..<5 { try notes.object(forUser: user).update("add", [.text(user)]) }
            // A piece of work that began for one user ends for that one.
            guard let dao = try notes.current else { continue }
            for _ in 0..<5 {
              try dao.update("add", [.text("work \(part) \(round)")])
              await Task.yield()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var works = Set<String>()
    var count = 0
    for user in users {
      let words = try Self.words(notes.object(forUser: user))
      let own = Dictionary(grouping: words.filter { $0.hasPrefix("work") }, by: \.self)
      #expect(words.allSatisfy { $0 == user || $0.hasPrefix("work") })
      #expect(own.values.allSatisfy { $0.count == 5 } && works.isDisjoint(with: own.keys))
      works.formUnion(own.keys)
      count += words.count
    }
    #expect(count == 500 + works.count * 5)
  }

  @Test("is there for all users together, too, and is made anew after a reset")
  func reset() throws {
    let folder = try TemporaryFolder()
    let center = try DataCenter(root: folder.path + "/Preferences", appVersion: "1")
    let notes = Self.notes(center)
    #expect(try notes.current == nil)
    try notes.common.update("add", ["all"])
    center.switchUser(to: "ann")
    try notes.current?.update("add", ["ann's"])
    #expect(try notes.current === notes.object(forUser: "ann"))
    #expect(try notes.object(forUser: "ann").databasePath == center.folder(forUser: "ann") + "/notes.sqlite")
    try center.reset(user: "ann")
    #expect(try Self.words(notes.object(forUser: "ann")).isEmpty)
    #expect(try Self.words(notes.common) == ["all"])
  }
}
