import MPaaSDatabase
import MPaaSSupport

/// A condition of SQL on a row `g` of the groups, and its values.
struct IssueCondition {
  private(set) var sql = ""
  private(set) var values: [SQLValue] = []
  /// The facts that a search means but does not say.
  let context: Context

  struct Context: Sendable {
    var app: String
    /// The caller.
    var me: String
    /// Seconds since 1970.
    var now: Double
    /// The digest of a user; nil where the app has none.
    var user: @Sendable (String) -> Int64?
  }

  init(_ search: IssueSearch, _ context: Context) {
    self.context = context
    add(search)
  }

  private mutating func add(_ text: String, _ more: SQLValue...) {
    sql += text
    values += more
  }

  private mutating func add(_ search: IssueSearch) {
    switch search {
    case .all(let parts): add(parts, " AND ", none: "1 = 1")
    case .any(let parts): add(parts, " OR ", none: "1 = 0")
    case .not(let part):
      // NOT of a comparison with NULL is neither.
      sql += "NOT coalesce("
      add(part)
      sql += ", 1 = 0)"
    case .text(let text):
      addMember(
        "SELECT v.issue FROM issue_texts v WHERE v.app = ? AND v.text LIKE ? ESCAPE '\\'",
        [.text(context.app), .text(LikeText.containing(text.lowercased()))])
    case .field(let field, let match): add(field, match)
    }
  }

  private mutating func add(_ parts: [IssueSearch], _ word: String, none: String) {
    guard !parts.isEmpty else { return add(none) }
    sql += "("
    for (index, part) in parts.enumerated() {
      if index > 0 { sql += word }
      add(part)
    }
    sql += ")"
  }

  private mutating func add(_ field: IssueField, _ match: IssueMatch) {
    switch field {
    case .state: addState(match)
    case .assignee: addAssignee(match)
    case .count: compare("g.count", match)
    case .users: compare("g.users", match)
    case .firstSeen: compare("g.first", match)
    case .lastSeen: compare("g.last", match)
    case .version: addVersion(match)
    case .user: addUser(match)
    case .value(let key): addValue(key, match)
    case .tag(let name): addValue("tag:" + name, match)
    }
  }

  /// Adds a state; an issue that came back is unresolved, too.
  private mutating func addState(_ match: IssueMatch) {
    var states: [String] = []
    switch match {
    case .equal(let state): states = [state]
    case .oneOf(let several): states = several
    default: return add("1 = 1")
    }
    guard states.contains(IssueState.unresolved.rawValue) else { return addOwn("k.state", states) }
    // Most are: each is looked at by itself.
    states.append(IssueState.regressed.rawValue)
    add(list: states, in: "g.state")
  }

  /// A condition on a column of the group that few have.
  private mutating func addOwn(_ column: String, _ texts: [String]) {
    add("+g.id IN (SELECT k.id FROM crash_groups k WHERE k.app = ? AND ", .text(context.app))
    add(list: texts, in: column)
    sql += ")"
  }

  private mutating func add(list texts: [String], in column: String) {
    sql += "\(column) IN (\(texts.map { _ in "?" }.joined(separator: ", ")))"
    values += texts.map(SQLValue.text)
  }

  private mutating func addAssignee(_ match: IssueMatch) {
    switch match {
    case .isSet: add("g.assignee IS NOT NULL")
    case .isMissing: add("g.assignee IS NULL")
    case .me: addOwn("k.assignee", [context.me])
    case .equal(let name): addOwn("k.assignee", [name])
    case .oneOf(let names): addOwn("k.assignee", names)
    case .like(let pattern): add("lower(g.assignee) LIKE ? ESCAPE '\\'", .text(Self.pattern(pattern)))
    case .compare: add("1 = 0")
    }
  }

  private mutating func compare(_ column: String, _ match: IssueMatch) {
    switch match {
    case .compare(let comparison, .number(let number)): add("\(column) \(comparison.rawValue) ?", .integer(number))
    case .compare(let comparison, .time(let seconds)): add("\(column) \(comparison.rawValue) ?", .real(seconds))
    case .compare(let comparison, .ago(let seconds)):
      add("\(column) \(comparison.rawValue) ?", .real(context.now - Double(seconds)))
    case .isSet: add("\(column) > 0")
    case .isMissing: add("\(column) = 0")
    default: add("1 = 0")
    }
  }

  private mutating func addVersion(_ match: IssueMatch) {
    guard case .compare(let comparison, .version(let text)) = match, let key = ReleaseName(text).sortKey else {
      return addValue("release.version", match)
    }
    addValue("release.version", " AND v.value \(comparison.rawValue) ?", [.text(key)])
  }

  private mutating func addUser(_ match: IssueMatch) {
    var names: [String] = []
    switch match {
    case .equal(let name): names = [name]
    case .oneOf(let several): names = several
    case .isSet: return add("g.users > 0")
    case .isMissing: return add("g.users = 0")
    default: return add("1 = 0")
    }
    let users = names.compactMap(context.user)
    guard !users.isEmpty else { return add("1 = 0") }
    let marks = users.map { _ in "?" }.joined(separator: ", ")
    addMember(
      "SELECT v.issue FROM issue_users v WHERE v.app = ? AND v.user IN (\(marks))",
      [.text(context.app)] + users.map { .integer($0) })
  }

  private mutating func addValue(_ key: String, _ match: IssueMatch) {
    switch match {
    case .isSet: addValue(key, "", [])
    case .isMissing:
      sql += "NOT "
      addValue(key, "", [])
    case .equal(let value): addValue(key, " AND v.value = ?", [.text(IssueFacts.kept(value))])
    case .oneOf(let several):
      addValue(
        key, " AND v.value IN (\(several.map { _ in "?" }.joined(separator: ", ")))",
        several.map { .text(IssueFacts.kept($0)) })
    case .like(let pattern): addValue(key, " AND lower(v.value) LIKE ? ESCAPE '\\'", [.text(Self.pattern(pattern))])
    case .compare, .me: add("1 = 0")
    }
  }

  private mutating func addValue(_ key: String, _ condition: String, _ more: [SQLValue]) {
    addMember(
      "SELECT v.issue FROM issue_values v WHERE v.app = ? AND v.key = ?" + condition,
      [.text(context.app), .text(IssueFacts.kept(key))] + more)
  }

  /// A condition that the group, or one that was merged into it, is among those that a query gives.
  ///
  /// The plus sign keeps a database from going through what the query gives, which may be all: it goes through the index
  /// in the order of the list, and needs no row of those that are not among them.
  private mutating func addMember(_ query: String, _ more: [SQLValue]) {
    sql += "(+g.id IN (\(query)) OR +g.id IN (SELECT k.merged_into FROM crash_groups k WHERE k.app = ?"
    sql += " AND k.merged_into IS NOT NULL AND +k.id IN (\(query))))"
    values += more + [.text(context.app)] + more
  }

  /// A pattern of LIKE for one with `*`.
  private static func pattern(_ text: String) -> String {
    LikeText.escaped(IssueFacts.kept(text)).replacing(each: "*", with: "%")
  }
}
