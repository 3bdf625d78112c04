import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Crashes of one change") struct CrashBatchTests {
  private static let apps = ["first", "second"]

  /// Crashes of a few groups, users and releases, of which some come twice.
  private static func crashes(_ count: Int, _ random: inout SeededRandom) throws -> [IncomingCrash] {
    var crashes: [IncomingCrash] = []
    for number in 0..<count {
      if number > 10, Int.random(in: 0..<8, using: &random) == 0 {
        crashes.append(crashes[Int.random(in: 0..<number, using: &random)])
        continue
      }
      let (type, user) = (Int.random(in: 0..<7, using: &random), Int.random(in: 0..<30, using: &random))
      let id = String(repeating: "0", count: 26) + String(100_000 + number)
      let event = """
        {"event_id":"\(id)","platform":"python","level":"\(["error", "fatal"][number % 2])",\
        "release":"shop@1.\(number / 60)","environment":"live","user":{"id":"u\(user)"},"tags":{"cart":"\(user % 4)"},\
        "exception":{"values":[{"type":"Error\(type)","value":"broken \(number)"}]}}
        """
      let summary = try Array(event.utf8).withUnsafeBytes { try ReportReading().event($0, id: nil) }
      let app = apps[Int.random(in: 0..<4, using: &random) / 3]
      crashes.append(IncomingCrash(app: app, summary: summary, size: 1, received: 1_790_000_000 + Double(number) * 60))
    }
    return crashes
  }

  /// A database with the server's tables; secrets of apps are the same in each.
  private static func database(_ place: Engine.Place) throws -> any SQLDatabase {
    let database = try place.address.open()
    try database.migrate(Schema.steps)
    for app in apps {
      try database.run(
        "INSERT INTO issue_apps (app, secret, users) VALUES (?, ?, 0)",
        [.text(app), .blob(Array(repeating: 7, count: 32))])
    }
    return database
  }

  /// Resolves, ignores and merges issues of the first app, in the order of their names.
  private static func change(_ database: any SQLDatabase) throws {
    let ids = try database.rows("SELECT id FROM crash_groups WHERE app = 'first' ORDER BY name") { $0.integer(0) }
    for (id, (state, rule)) in zip(
      ids, [("resolved", #"{"release":"shop@1.2"}"#), ("ignored", #"{"count":40}"#), ("resolved", "{}")])
    {
      try database.run(
        "UPDATE crash_groups SET state = ?, rule = ? WHERE id = ?", [.text(state), .text(rule), .integer(id)])
    }
    guard ids.count > 4 else { return }
    try database.run("UPDATE crash_groups SET merged_into = ? WHERE id = ?", [.integer(ids[1]), .integer(ids[4])])
    try database.run("UPDATE crash_groups SET merges = 1 WHERE id = ?", [.integer(ids[1])])
  }

  /// The rows of all tables; of notes without their times, which are those of one event of a change.
  private static func rows(_ database: any SQLDatabase) throws -> [String] {
    let tables = [
      ("crashes", "*"), ("crash_groups", "*"), ("issue_values", "*"), ("issue_texts", "*"), ("issue_users", "*"),
      ("issue_hours", "*"), ("issue_apps", "app, users"), ("issue_notes", "app, issue, author, kind, text"),
    ]
    return try tables.flatMap { table, columns in
      try database.rows("SELECT \(columns) FROM \(table)") { row in
        "\(table): " + (0..<row.count).map { "\(row[$0])" }.joined(separator: ",")
      }.sorted()
    }
  }

  @Test(
    "are kept and counted as if they had come one after the other", arguments: Engine.installed, [1, 2, 3] as [UInt64])
  func equal(engine: Engine, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let crashes = try Self.crashes(260, &random)
    let places = try (0..<2).map { _ in try Engine.Place(engine) }
    let databases = try places.map(Self.database)
    var answers: [[StoredCrash]] = [[], []]
    for (number, database) in databases.enumerated() {
      let memory = IssueMemory()
      var rest = crashes[...]
      for part in [100, 160] {
        var left = rest.prefix(part)
        rest = rest.dropFirst(part)
        while !left.isEmpty {
          let batch = Array(left.prefix(number == 0 ? 1 : Int.random(in: 1...70, using: &random)))
          left = left.dropFirst(batch.count)
          let stored = try database.transaction { try CrashBatch.store(batch, memory, in: database) }
          for fresh in stored.compactMap(\.fresh) { memory.learn(fresh) }
          answers[number] += stored
        }
        if part == 100 { try Self.change(database) }
      }
    }
    #expect(answers[0].map(\.id) == answers[1].map(\.id))
    #expect(answers[0].map(\.isDuplicate) == answers[1].map(\.isDuplicate))
    #expect(answers[0].map(\.newGroup) == answers[1].map(\.newGroup))
    let (alone, together) = (try Self.rows(databases[0]), try Self.rows(databases[1]))
    #expect(alone.count > 300)
    #expect(Set(alone).symmetricDifference(together).sorted() == [])
    let states = try databases[1].rows("SELECT DISTINCT state FROM crash_groups ORDER BY 1") { $0.text(0) }
    #expect(states.contains("regressed"))
  }

  @Test(
    "keep 500 values of a key of an issue, those that came first, with their earliest times",
    arguments: Engine.installed)
  func values(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try Self.database(place)
    /// Stores an event for each number, as a server does that has just started.
    func store(_ numbers: [Int], at time: Double) throws {
      let memory = IssueMemory()
      try database.transaction {
        var batch = IssueFactBatch(memory, database)
        var fresh = try numbers.map { number in
          var facts = IssueFacts()
          facts.values = [IssueFacts.Value(key: "tag:cart", value: "\(number)")]
          return try batch.add(facts, to: 7, app: "first", at: time)
        }
        try batch.storeFacts(&fresh)
      }
    }
    /// The numbers that are kept, by their times.
    func kept() throws -> [Double: Set<Int>] {
      let rows = try database.rows("SELECT first, value FROM issue_values WHERE app = 'first' AND issue = 7") {
        ($0.real(0), Int($0.text(1)) ?? -1)
      }
      return Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
    }
    try store(Array(0..<300), at: 100)
    try store(Array(200..<400), at: 50)
    #expect(try kept() == [100: Set(0..<200), 50: Set(200..<400)])
    try store(Array(0..<600), at: 200)
    #expect(try kept() == [100: Set(0..<200), 50: Set(200..<400), 200: Set(400..<500)])
    try store(Array(590..<700) + [3], at: 10)
    #expect(try kept() == [100: Set(0..<200).subtracting([3]), 50: Set(200..<400), 200: Set(400..<500), 10: [3]])
  }

  @Test("of an issue that keeps no further text write nothing of theirs", arguments: Engine.installed)
  func texts(engine: Engine) throws {
    let place = try Engine.Place(engine)
    let database = try Self.database(place)
    let memory = IssueMemory()
    /// The number of writes that an event with a text takes.
    func writes(_ text: Int, _ number: Int) throws -> Int {
      let event = """
        {"event_id":"\(String(repeating: "0", count: 26))\(100_000 + number)","platform":"python",\
        "exception":{"values":[{"type":"Full","value":"text \(text)"}]}}
        """
      let summary = try Array(event.utf8).withUnsafeBytes { try ReportReading().event($0, id: nil) }
      let crash = IncomingCrash(app: "first", summary: summary, size: 1, received: 1_790_000_000)
      let before = database.writes
      let stored = try database.transaction { try CrashBatch.store([crash], memory, in: database) }
      for fresh in stored.compactMap(\.fresh) { memory.learn(fresh) }
      return database.writes - before
    }
    let first = try (0..<12).map { try writes($0, $0) }
    #expect(first.dropFirst().prefix(9).allSatisfy { $0 == first[1] })
    let known = try writes(3, 20)
    #expect(known < first[1])
    #expect(try writes(100, 21) == known)
    #expect(try database.row("SELECT count(*) FROM issue_texts") { $0.integer(0) } == 10)
    memory.forget()
    #expect(try writes(101, 22) > known)
    #expect(try database.row("SELECT count(*) FROM issue_texts") { $0.integer(0) } == 10)
  }
}
