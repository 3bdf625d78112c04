import MPaaSDatabase
import MPaaSSupport

/// The facts that events tell of their issues, each noted once: values, texts, users.
struct IssueFactBatch {
  fileprivate struct Issue: Hashable {
    let app: String
    let issue: Int64
  }

  /// The users who were new, by the issue.
  struct NewUsers {
    /// The digests of users, by the places of the events that named each first.
    fileprivate var digests: [Issue: [Int: Int64]] = [:]

    /// By how many the users of an issue grew.
    func count(app: String, issue: Int64) -> Int64 { Int64(of(app: app, issue: issue).count) }

    /// The digests of the users who were new in an issue.
    func of(app: String, issue: Int64) -> [Int64] {
      digests[Issue(app: app, issue: issue)].map { Array($0.values) } ?? []
    }

    /// Tells whether an event was the first that named its user.
    func isFirst(_ place: Int, app: String, issue: Int64) -> Bool {
      digests[Issue(app: app, issue: issue)]?[place] != nil
    }
  }

  private struct User: Hashable {
    let app: String
    let issue: Int64
    let digest: Int64
  }

  /// A key of an issue's values.
  private struct Key: Hashable {
    let issue: Issue
    let key: String
  }

  private struct Value: Hashable {
    let key: Key
    let value: String

    var row: [SQLValue] { [.text(key.issue.app), .integer(key.issue.issue), .text(key.key), .text(value)] }
  }

  private struct Text {
    let issue: Issue
    let text: String
    /// The event that told it first.
    let place: Int
    /// Stands for the issue, where it keeps no further text.
    let full: Int
  }

  private let memory: IssueMemory
  private let database: any SQLDatabase
  /// The digests of what was noted.
  private var noted: Set<Int> = []
  private var users: [(user: User, place: Int)] = []
  private var texts: [Text] = []
  private var values: [(value: Value, time: Double)] = []
  private var count = 0
  /// Values of one key that an issue keeps.
  private static let mostValues = 500
  /// Texts that an issue is found by.
  private static let mostTexts = 10

  init(_ memory: IssueMemory, _ database: any SQLDatabase) { (self.memory, self.database) = (memory, database) }

  /// Notes the facts of the next event, to be stored with those of others.
  ///
  /// - Returns: What need not be noted again once this is on the disk.
  mutating func add(
    _ facts: IssueFacts, to group: Int64, app: String, at time: Double
  ) throws -> IssueMemory.Fresh {
    defer { count += 1 }
    let (issue, whole) = (Issue(app: app, issue: group), IssueStore.whole)
    let (own, all) = (Digest(app, group), Digest(app, whole))
    var digests = facts.values.map { own.of($0.key, $0.value) }
    let user = digests.count
    let (release, text, full) = (user + 1, user + 2, user + 3)
    digests.append(facts.user.isEmpty ? 0 : own.of("", facts.user))
    digests.append(facts.release.map { all.of("release", $0) } ?? 0)
    digests.append(own.of("text:", facts.text))
    digests.append(own.of("texts:", ""))
    let (unknown, epoch) = memory.unknown(digests)
    let isFull = unknown.last != full
    let places = unknown.filter { place in
      if place == full || isFull && place == text { return false }
      return digests[place] == 0 || noted.insert(digests[place]).inserted
    }
    for place in places where digests[place] != 0 {
      switch place {
      case user:
        let digest = try memory.digest(ofUser: facts.user, app: app, in: database)
        users.append((User(app: app, issue: group, digest: digest), count))
      case release:
        let key = Key(issue: Issue(app: app, issue: whole), key: "release")
        values.append((Value(key: key, value: facts.release ?? ""), time))
      case text:
        texts.append(Text(issue: issue, text: facts.text, place: count, full: digests[full]))
      default:
        let value = facts.values[place]
        values.append((Value(key: Key(issue: issue, key: value.key), value: value.value), time))
      }
    }
    return IssueMemory.Fresh(epoch: epoch, digests: places.map { digests[$0] })
  }

  /// Digests of what an issue has; never 0.
  private struct Digest {
    private var hasher = Hasher()

    init(_ app: String, _ issue: Int64) {
      hasher.combine(app)
      hasher.combine(issue)
    }

    func of(_ key: String, _ value: String) -> Int {
      var hasher = hasher
      hasher.combine(key)
      hasher.combine(value)
      let digest = hasher.finalize()
      return digest == 0 ? 1 : digest
    }
  }

  /// Stores the values of the events, as far as their keys have room.
  private mutating func storeValues() throws {
    defer { values = [] }
    let dropped = try valuesWithoutRoom()
    let rows = values.filter { !dropped.contains($0.value) }.map { $0.value.row + [.real($0.time)] }
    try database.run(overRows: rows) {
      """
      INSERT INTO issue_values (app, issue, key, value, first) VALUES \($0)
      ON CONFLICT (app, issue, key, value) DO UPDATE SET first = excluded.first
      WHERE excluded.first < issue_values.first
      """
    }
  }

  /// The values that their issues neither have nor have room for.
  private func valuesWithoutRoom() throws -> Set<Value> {
    // All releases of an app are kept: they tell which one is newer.
    let limited = values.map(\.value).filter { $0.key.issue.issue != IssueStore.whole }
    // By issue, not by key: a server that knows nothing of the table yet would read the key's values of all issues.
    let found = try database.rows(
      forEach: Set(limited.map(\.key.issue)).map { [.text($0.app), .integer($0.issue)] },
      "SELECT app, issue, key, count(*) FROM issue_values WHERE app = ? AND issue = ? GROUP BY app, issue, key"
    ) { (Key(issue: Issue(app: $0.text(0), issue: $0.integer(1)), key: $0.text(2)), Int($0.integer(3))) }
    var counts = Dictionary(found) { first, _ in first }
    let full = Dictionary(grouping: limited, by: \.key).filter { key, values in
      counts[key, default: 0] + values.count > Self.mostValues
    }
    let known = try database.rows(
      forEach: full.values.flatMap { $0 }.map(\.row),
      "SELECT app, issue, key, value FROM issue_values WHERE app = ? AND issue = ? AND key = ? AND value = ?"
    ) { Value(key: Key(issue: Issue(app: $0.text(0), issue: $0.integer(1)), key: $0.text(2)), value: $0.text(3)) }
    var dropped = Set(full.values.flatMap { $0 }).subtracting(known)
    for value in limited where dropped.contains(value) && counts[value.key, default: 0] < Self.mostValues {
      counts[value.key, default: 0] += 1
      dropped.remove(value)
    }
    return dropped
  }

  /// Stores the values of the events, and their texts in issues that have room for them.
  ///
  /// - Parameter fresh: One for each event; learns which issues keep no further text.
  mutating func storeFacts(_ fresh: inout [IssueMemory.Fresh]) throws {
    try storeValues()
    try storeTexts(&fresh)
  }

  private mutating func storeTexts(_ fresh: inout [IssueMemory.Fresh]) throws {
    defer { texts = [] }
    // Most texts of an issue that has many of them are new, and none of them is kept.
    let full = try database.rows(
      forEach: Set(texts.map(\.issue)).map { [.text($0.app), .integer($0.issue), .integer(Self.mostTexts)] },
      "SELECT app, issue FROM issue_texts WHERE app = ? AND issue = ? GROUP BY app, issue HAVING count(*) >= ?"
    ) { Issue(app: $0.text(0), issue: $0.integer(1)) }
    for text in texts {
      if full.contains(text.issue) {
        fresh[text.place].digests.append(text.full)
        continue
      }
      try database.run(
        """
        INSERT INTO issue_texts (app, issue, text) SELECT ?1, ?2, ?3 WHERE ?4 >
        (SELECT count(*) FROM issue_texts WHERE app = ?1 AND issue = ?2) ON CONFLICT (app, issue, text) DO NOTHING
        """, [.text(text.issue.app), .integer(text.issue.issue), .text(text.text), .integer(Self.mostTexts)])
    }
  }

  /// Notes the users of the events, and counts those who are new in their apps; their groups are the caller's to count.
  mutating func storeUsers() throws -> NewUsers {
    var first: [User: Int] = [:]
    for (user, place) in users where first[user] == nil { first[user] = place }
    users = []
    var wanted = Set(first.keys)
    for user in first.keys { wanted.insert(User(app: user.app, issue: IssueStore.whole, digest: user.digest)) }
    let ordered = wanted.sorted { ($0.app, $0.issue, $0.digest) < ($1.app, $1.issue, $1.digest) }
    let new = try database.rows(
      overRows: ordered.map { [.text($0.app), .integer($0.issue), .integer($0.digest)] },
      {
        """
        INSERT INTO issue_users (app, issue, user) VALUES \($0)
        ON CONFLICT (app, issue, user) DO NOTHING RETURNING app, issue, user
        """
      }
    ) { User(app: $0.text(0), issue: $0.integer(1), digest: $0.integer(2)) }
    var found = NewUsers()
    var apps: [String: Int64] = [:]
    for user in new {
      if user.issue == IssueStore.whole {
        apps[user.app, default: 0] += 1
      } else if let place = first[user] {
        found.digests[Issue(app: user.app, issue: user.issue), default: [:]][place] = user.digest
      }
    }
    for (app, count) in apps.sorted(by: { $0.key < $1.key }) {
      try database.run("UPDATE issue_apps SET users = users + ? WHERE app = ?", [.integer(count), .text(app)])
    }
    return found
  }
}
