/// The tables of flags.
///
/// A version keeps the items that it changed, so that the state of any version is the newest of each item up to it.
enum FlagTables {
  static let first = """
    CREATE TABLE flag_environments (
      app TEXT NOT NULL, name TEXT NOT NULL, channel TEXT NOT NULL UNIQUE, created REAL NOT NULL,
      PRIMARY KEY (app, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE flag_versions (
      app TEXT NOT NULL, environment TEXT NOT NULL, version INTEGER NOT NULL, author TEXT NOT NULL, time REAL NOT NULL,
      comment TEXT NOT NULL, rollback INTEGER, proposal TEXT, PRIMARY KEY (app, environment, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE flag_items (
      app TEXT NOT NULL, environment TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
      json TEXT, PRIMARY KEY (app, environment, kind, name, version)
    ) STRICT;
    CREATE INDEX flag_items_version ON flag_items (app, environment, version);
    CREATE TABLE flag_proposals (
      id TEXT PRIMARY KEY, app TEXT NOT NULL, environment TEXT NOT NULL, state TEXT NOT NULL, token TEXT NOT NULL,
      author TEXT NOT NULL, comment TEXT NOT NULL, base INTEGER NOT NULL, rollback INTEGER, events TEXT NOT NULL,
      changes TEXT NOT NULL, at REAL, version INTEGER, reason TEXT, created REAL NOT NULL, updated REAL NOT NULL
    ) STRICT;
    CREATE INDEX flag_proposals_place ON flag_proposals (app, environment, created);
    CREATE INDEX flag_proposals_due ON flag_proposals (state, at);
    CREATE TABLE flag_approvals (
      proposal TEXT NOT NULL, token TEXT NOT NULL, author TEXT NOT NULL, time REAL NOT NULL,
      PRIMARY KEY (proposal, token)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE flag_usage (
      app TEXT NOT NULL, environment TEXT NOT NULL, flag TEXT NOT NULL, hour INTEGER NOT NULL, yes INTEGER NOT NULL,
      no INTEGER NOT NULL, PRIMARY KEY (app, environment, flag, hour)
    ) STRICT, WITHOUT ROWID;
    """
}
