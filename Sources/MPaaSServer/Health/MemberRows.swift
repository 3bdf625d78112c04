import MPaaSDatabase

/// Rows that hold a set of devices or users in the column `members`.
enum MemberRows {
  /// Adds members to the row of a key, which is made where there is none.
  ///
  /// - Parameters:
  ///   - table: One of our tables.
  ///   - columns: The columns of its key.
  static func add(
    _ members: some Sequence<UInt64>, to table: String, key columns: [String], _ key: [SQLValue],
    in database: any SQLDatabase
  ) throws {
    let condition = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    let stored = try database.row("SELECT members FROM \(table) WHERE \(condition)", key) { $0.blob(0) }
    var set = stored.map(MemberSet.init) ?? MemberSet()
    var isNew = false
    for member in members { if set.insert(member) { isNew = true } }
    guard isNew else { return }
    let marks = [String](repeating: "?", count: columns.count + 1).joined(separator: ", ")
    try database.run(
      """
      INSERT INTO \(table) (\(columns.joined(separator: ", ")), members) VALUES (\(marks))
      ON CONFLICT (\(columns.joined(separator: ", "))) DO UPDATE SET members = excluded.members
      """, key + [.blob(set.bytes)])
  }
}
