import MPaaSDatabase

/// A thing that servers keep in memory: the database counts its changes, so that each of them sees those of the others.
package enum SharedEdition: String, Sendable, CaseIterable {
  /// The rules of scrubbing, the limits of quotas, and the versions of flags.
  case scrubbing, quotas, flags
  /// The facts of issues that were taken away.
  case issues
  /// Reports that others were packed against, and that are being taken away.
  case bases
  /// Numbers of servers and of their turns at work.
  case servers, turns

  /// Those by which memory is read anew or forgotten when they change.
  static let inMemory: Set<SharedEdition> = [.scrubbing, .quotas, .flags, .issues]

  /// Counts a change within its transaction; of a file there is no other server.
  func grow(in database: any SQLDatabase) throws(SQLError) {
    guard database.isRemote else { return }
    _ = try next(in: database)
  }

  /// Counts a change, and gives the new number.
  func next(in database: any SQLDatabase) throws(SQLError) -> Int64 {
    try database.row(
      """
      INSERT INTO editions (name, number) VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET number = editions.number + 1 RETURNING number
      """, [.text(rawValue)]
    ) { $0.integer(0) } ?? 0
  }

  /// The number of its changes; 0 where nothing has changed yet.
  func number(in database: any SQLDatabase) throws(SQLError) -> Int64 {
    try database.row("SELECT number FROM editions WHERE name = ?", [.text(rawValue)]) { $0.integer(0) } ?? 0
  }

  /// The numbers of all; 0 where nothing has changed yet.
  static func numbers(in database: any SQLDatabase) throws(SQLError) -> [SharedEdition: Int64] {
    let rows = try database.rows("SELECT name, number FROM editions") {
      (SharedEdition(rawValue: $0.text(0)), $0.integer(1))
    }
    return Dictionary(rows.compactMap { name, number in name.map { ($0, number) } }) { $1 }
  }
}
