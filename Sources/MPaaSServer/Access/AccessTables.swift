/// The tables of app keys and tokens.
enum AccessTables {
  static let first = """
    CREATE TABLE apps (
      key TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tokens (
      hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, scopes TEXT NOT NULL, app TEXT,
      created REAL NOT NULL, expires REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
