import MPaaSDatabase
import MPaaSSupport

/// Events that are counted in their issues together: the row of each group is written once.
struct IssueBatch {
  struct Event: Sendable {
    let app: String
    let summary: CrashSummary
    /// Seconds since 1970.
    let time: Double

    fileprivate var name: IssueMemory.GroupName { IssueMemory.GroupName(app: app, name: summary.group) }
  }

  /// An event as it was counted.
  struct Counted: Sendable, Equatable {
    let group: Int64
    /// Tells whether it is the first of its group.
    let isFirst: Bool
    /// The facts that need not be noted of its issue again.
    let fresh: IssueMemory.Fresh
  }

  private typealias Name = IssueMemory.GroupName

  private struct Hour: Hashable, Comparable {
    let app: String
    let group: Int64
    let hour: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.app, left.group, left.hour) < (right.app, right.group, right.hour)
    }
  }

  private let events: [Event]
  private let memory: IssueMemory
  private let database: any SQLDatabase
  /// The places of the events of each group, in their order, and the groups in the order of their names.
  private let places: [Name: [Int]]
  private let names: [Name]

  /// Counts events in their groups, which are made where they are the first.
  ///
  /// - Parameter mayEnd: Tells whether an event can end the state of its issue.
  /// - Returns: One for each event, in their order.
  static func count(
    _ events: [Event], mayEnd: Bool = true, _ memory: IssueMemory, in database: any SQLDatabase
  ) throws -> [Counted] {
    try IssueBatch(events, memory, database).count(mayEnd: mayEnd)
  }

  private init(_ events: [Event], _ memory: IssueMemory, _ database: any SQLDatabase) {
    (self.events, self.memory, self.database) = (events, memory, database)
    places = Dictionary(grouping: events.indices) { events[$0].name }
    names = places.keys.sorted()
  }

  private func count(mayEnd: Bool) throws -> [Counted] {
    try memory.follow(in: database)
    let remembered = memory.ids(of: names)
    let ids = try ids(remembered)
    func id(_ event: Event) -> Int64 { ids[event.name] ?? 0 }
    var facts = IssueFactBatch(memory, database)
    var fresh = try events.map { try facts.add($0.summary.facts, to: id($0), app: $0.app, at: $0.time) }
    try facts.storeFacts(&fresh)
    let users = try facts.storeUsers()
    let groups = try join(ids, users)
    for name in names {
      guard let first = places[name]?.first, let id = groups[name]?.id else { continue }
      if remembered[name] == nil {
        fresh[first].group = name
        fresh[first].id = id
      } else if id != ids[name] {
        // The facts were noted of another id.
        memory.forget()
        throw ServerError(.busy)
      }
    }
    try addHours(ids)
    try countFamilies(groups, users)
    for name in names {
      guard let group = groups[name] else { continue }
      try settle(group, of: name, users, mayEnd: mayEnd)
    }
    return events.indices.map { place in
      let name = events[place].name
      let own = places[name] ?? []
      return Counted(
        group: groups[name]?.id ?? 0, isFirst: groups[name]?.count == Int64(own.count) && own.first == place,
        fresh: fresh[place])
    }
  }

  /// The ids of the groups: those that they have, and those that they will have.
  private func ids(_ remembered: [Name: Int64]) throws -> [Name: Int64] {
    let names = names.filter { remembered[$0] == nil }
    let known = try database.rows(
      forEach: names.map { [.text($0.app), .text($0.name)] },
      "SELECT app, name, id FROM crash_groups WHERE app = ? AND name = ?"
    ) { (Name(app: $0.text(0), name: $0.text(1)), $0.integer(2)) }
    let own = names.map { ($0, IssueStore.id(app: $0.app, name: $0.name)) }
    return remembered.merging(own) { $1 }.merging(known) { $1 }
  }

  // MARK: - Groups

  /// Adds what the events tell to their groups.
  private func join(_ ids: [Name: Int64], _ users: IssueFactBatch.NewUsers) throws -> [Name: IssueStore.Joined] {
    let rows = names.map { row($0, id: ids[$0] ?? 0, users) }
    let found = try database.rows(
      overRows: rows,
      {
        """
        INSERT INTO crash_groups AS own
        (app, name, strategy, kind, exception, title, function, module, place, process, count, first, last, id, level,
        users) VALUES \($0)
        ON CONFLICT (app, name) DO UPDATE SET count = own.count + excluded.count, users = own.users + excluded.users,
        first = CASE WHEN own.first < excluded.first THEN own.first ELSE excluded.first END,
        title = CASE WHEN excluded.last < own.last THEN own.title ELSE excluded.title END,
        level = CASE WHEN excluded.last < own.last THEN own.level ELSE excluded.level END,
        last = CASE WHEN own.last > excluded.last THEN own.last ELSE excluded.last END,
        function = CASE excluded.function WHEN '' THEN own.function ELSE excluded.function END,
        place = CASE excluded.place WHEN '' THEN own.place ELSE excluded.place END
        RETURNING \(IssueStore.joinedColumns), app, name
        """
      }
    ) { (Name(app: $0.text(7), name: $0.text(8)), IssueStore.joined($0)) }
    return Dictionary(found) { $1 }
  }

  /// The row of a group as its events alone would make it: the newest tells its title and level, the last that knows them
  /// its function and place.
  private func row(_ name: Name, id: Int64, _ users: IssueFactBatch.NewUsers) -> [SQLValue] {
    let own = (places[name] ?? []).map { events[$0] }
    let newest = own.reduce(own.first) { $1.time < $0?.time ?? 0 ? $0 : $1 }?.summary
    let first = own.first?.summary
    func last(_ field: KeyPath<CrashSummary, String>) -> SQLValue {
      .text(own.last { !$0.summary[keyPath: field].isEmpty }?.summary[keyPath: field] ?? "")
    }
    let times = own.map(\.time)
    return [
      .text(name.app), .text(name.name), .text(first?.strategy ?? ""), .text(first?.kind ?? ""),
      .text(first?.exception ?? ""), .text(newest?.title ?? ""), last(\.function), .text(first?.module ?? ""),
      last(\.place), .text(first?.process ?? ""), .integer(own.count), .real(times.min() ?? 0), .real(times.max() ?? 0),
      .integer(id), .text(newest?.level ?? ""), .integer(users.count(app: name.app, issue: id)),
    ]
  }

  private func addHours(_ ids: [Name: Int64]) throws {
    var counts: [Hour: Int64] = [:]
    for event in events {
      let group = ids[event.name] ?? 0
      counts[Hour(app: event.app, group: group, hour: Self.hour(event.time)), default: 0] += 1
    }
    let rows: [[SQLValue]] = counts.sorted { $0.key < $1.key }.map { hour, count in
      [.text(hour.app), .integer(hour.group), .integer(hour.hour), .integer(count)]
    }
    try database.run(overRows: rows) {
      """
      INSERT INTO issue_hours (app, issue, hour, count) VALUES \($0)
      ON CONFLICT (app, issue, hour) DO UPDATE SET count = issue_hours.count + excluded.count
      """
    }
  }

  private static func hour(_ time: Double) -> Int64 { Int64(clamping: Int(time / 3600)) }

  // MARK: - Issues

  private struct Family: Hashable {
    let app: String
    let parent: Int64
  }

  /// Counts users once who are new in an issue with others merged into it: those whom none of these groups knew.
  private func countFamilies(_ groups: [Name: IssueStore.Joined], _ users: IssueFactBatch.NewUsers) throws {
    var families: [Family: [Int64]] = [:]
    for name in names {
      guard let group = groups[name], group.mergedInto != nil || group.merges > 0 else { continue }
      families[Family(app: name.app, parent: group.mergedInto ?? group.id), default: []] += users.of(
        app: name.app, issue: group.id)
    }
    for (family, digests) in families.sorted(by: { ($0.key.app, $0.key.parent) < ($1.key.app, $1.key.parent) }) {
      var grown = -users.count(app: family.app, issue: family.parent)
      let counts = digests.reduce(into: [Int64: Int64]()) { $0[$1, default: 0] += 1 }
      for (digest, count) in counts {
        let known = try database.row(
          """
          SELECT count(*) FROM issue_users WHERE app = ?1 AND user = ?3 AND issue IN
          (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
          """, [.text(family.app), .integer(family.parent), .integer(digest)]
        ) { $0.integer(0) }
        if known == count { grown += 1 }
      }
      guard grown != 0 else { continue }
      try database.run(
        "UPDATE crash_groups SET users = users + ? WHERE app = ? AND id = ?",
        [.integer(grown), .text(family.app), .integer(family.parent)])
    }
  }

  /// Counts the events in the issue that their group was merged into, and ends the state of the issue where one of them
  /// asks for it, as if they had come one after the other.
  private func settle(
    _ group: IssueStore.Joined, of name: Name, _ users: IssueFactBatch.NewUsers, mayEnd: Bool
  ) throws {
    let places = places[name] ?? []
    var issue = group
    issue.count -= Int64(places.count)
    issue.users -= users.count(app: name.app, issue: group.id)
    for place in places {
      let event = events[place]
      let facts = event.summary.facts
      let isNewUser = users.isFirst(place, app: event.app, issue: group.id)
      if let parent = group.mergedInto {
        guard let joined = try IssueStore.joinParent(parent, app: event.app, at: event.time, in: database) else {
          return
        }
        issue = joined
      } else {
        issue.count += 1
        issue.users += isNewUser ? 1 : 0
      }
      guard mayEnd, issue.state == .resolved || issue.state == .ignored else {
        if group.mergedInto == nil { return }
        continue
      }
      issue.state = try IssueStore.end(
        issue, facts, app: event.app, hour: Self.hour(event.time), at: event.time, in: database)
    }
  }
}
