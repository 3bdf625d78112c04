/// The tables of builds and of the links that phones install them by.
enum BuildTables {
  /// `signature` is JSON, empty where there is none; `hash` is the SHA-256 of a link's secret, which is nowhere.
  static let first = """
    CREATE TABLE builds (
      app TEXT NOT NULL, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL, identifier TEXT NOT NULL,
      version TEXT NOT NULL, build TEXT NOT NULL, minimum_system TEXT NOT NULL, filename TEXT NOT NULL,
      size INTEGER NOT NULL, blob TEXT NOT NULL, signature TEXT NOT NULL, author TEXT NOT NULL, received REAL NOT NULL,
      PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX builds_received ON builds (app, received);
    CREATE INDEX builds_blob ON builds (blob);
    CREATE TABLE build_links (
      app TEXT NOT NULL, build TEXT NOT NULL, id TEXT NOT NULL, hash BLOB NOT NULL, author TEXT NOT NULL,
      created REAL NOT NULL, expires REAL NOT NULL, PRIMARY KEY (app, build, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX build_links_hash ON build_links (hash);
    """
}
