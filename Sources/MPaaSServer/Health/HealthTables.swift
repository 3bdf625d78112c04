/// The tables of release health.
enum HealthTables {
  /// Counts are kept while sessions are written, never made of sessions when somebody asks.
  ///
  /// `release` is our number of a release in an environment (`ReleaseNumber`), `start` and `started` are seconds since
  /// 1970, `member` is a keyed digest of a device or user.
  static let first = """
    CREATE TABLE health_secrets (
      app TEXT PRIMARY KEY, secret BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE releases (
      app TEXT NOT NULL, release INTEGER NOT NULL, name TEXT NOT NULL, environment TEXT NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (app, release)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
      app TEXT NOT NULL, sid BLOB NOT NULL, release INTEGER NOT NULL, started INTEGER NOT NULL, member INTEGER,
      state INTEGER NOT NULL, errors INTEGER NOT NULL, PRIMARY KEY (app, sid)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_started ON sessions (app, started);
    CREATE TABLE release_minutes (\(counts)) STRICT, WITHOUT ROWID;
    CREATE TABLE release_hours (\(counts)) STRICT, WITHOUT ROWID;
    CREATE TABLE release_days (\(counts)) STRICT, WITHOUT ROWID;
    CREATE TABLE release_members (
      app TEXT NOT NULL, release INTEGER NOT NULL, start INTEGER NOT NULL, members BLOB NOT NULL,
      PRIMARY KEY (app, release, start)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE crashed_members (
      app TEXT NOT NULL, release INTEGER NOT NULL, start INTEGER NOT NULL, member INTEGER NOT NULL,
      PRIMARY KEY (app, release, start, member)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE device_days (
      app TEXT NOT NULL, start INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, members BLOB NOT NULL,
      PRIMARY KEY (app, start, kind, name)
    ) STRICT, WITHOUT ROWID;
    """

  private static let counts = """
    app TEXT NOT NULL, release INTEGER NOT NULL, start INTEGER NOT NULL, healthy INTEGER NOT NULL,
    errored INTEGER NOT NULL, unhandled INTEGER NOT NULL, abnormal INTEGER NOT NULL, crashed INTEGER NOT NULL,
    PRIMARY KEY (app, release, start)
    """
}
