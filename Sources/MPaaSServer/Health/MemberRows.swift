import MPaaSDatabase

/// Rows that hold a set of devices or users in the column `members`.
enum MemberRows {
  /// Adds members to the rows of keys, which are made where there are none.
  ///
  /// - Parameters:
  ///   - members: Each key once, in the order of their columns.
  ///   - table: One of our tables.
  ///   - columns: The columns of its key.
  static func add(
    _ members: [(key: [SQLValue], members: some Sequence<UInt64>)], to table: String, key columns: [String],
    in database: any SQLDatabase
  ) throws {
    let key = columns.joined(separator: ", ")
    let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    let stored = try database.rows(
      forEach: members.map(\.key), "SELECT members, \(key) FROM \(table) WHERE \(condition)"
    ) { row in
      (columns.indices.map { row[$0 + 1] }, row.blob(0))
    }
    let sets = Dictionary(stored) { $1 }
    let rows = members.compactMap { key, members -> [SQLValue]? in
      var set = sets[key].map(MemberSet.init) ?? MemberSet()
      var isNew = false
      for member in members { if set.insert(member) { isNew = true } }
      return isNew ? key + [.blob(set.bytes)] : nil
    }
    try database.run(overRows: rows) {
      """
      INSERT INTO \(table) (\(key), members) VALUES \($0)
      ON CONFLICT (\(key)) DO UPDATE SET members = excluded.members
      """
    }
  }

  /// The keys, without the app, of the rows of an app that name one of some members.
  static func keys(
    of table: String, _ columns: [String], app: String, naming members: [UInt64], in database: any SQLDatabase
  ) throws -> [[SQLValue]] {
    var found: [[SQLValue]] = []
    try database.forEach(
      "SELECT members, \(columns.joined(separator: ", ")) FROM \(table) WHERE app = ?", [.text(app)]
    ) { row in
      var set = MemberSet(row.blob(0))
      if members.contains(where: { set.remove($0) }) { found.append(columns.indices.map { row[$0 + 1] }) }
      return true
    }
    return found
  }

  /// Takes members out of the row of a key, which goes with the last of them.
  static func remove(
    _ members: [UInt64], from table: String, key columns: [String], _ key: [SQLValue], in database: any SQLDatabase
  ) throws {
    let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    let stored = try database.row("SELECT members FROM \(table) WHERE \(condition)", key) { $0.blob(0) }
    guard var set = stored.map(MemberSet.init) else { return }
    for member in members { _ = set.remove(member) }
    if set.count == 0 {
      try database.run("DELETE FROM \(table) WHERE \(condition)", key)
    } else {
      try database.run("UPDATE \(table) SET members = ? WHERE \(condition)", [.blob(set.bytes)] + key)
    }
  }
}
