/// The table of what is counted, so that counts survive a restart.
enum CountTables {
  static let first = """
    CREATE TABLE counts (
      name TEXT PRIMARY KEY, value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
