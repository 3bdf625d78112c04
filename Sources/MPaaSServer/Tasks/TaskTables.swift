/// The table of collection tasks.
enum TaskTables {
  static let first = """
    CREATE TABLE tasks (
      id TEXT PRIMARY KEY, app TEXT NOT NULL, user TEXT NOT NULL, device TEXT, "from" REAL NOT NULL, "to" REAL NOT NULL,
      network TEXT NOT NULL, types TEXT NOT NULL, state TEXT NOT NULL, sent INTEGER, size INTEGER, upload TEXT,
      reason TEXT, created REAL NOT NULL, updated REAL NOT NULL, expires REAL NOT NULL, picker TEXT
    ) STRICT;
    CREATE INDEX tasks_user ON tasks (app, user, state);
    CREATE INDEX tasks_open ON tasks (state, expires);
    """

  /// The secrets of devices as SHA-256, each with the user and the time since which it is that user's; and that of the
  /// device that has picked up a task.
  static let secrets = """
    CREATE TABLE device_secrets (
      app TEXT NOT NULL, device TEXT NOT NULL, secret BLOB NOT NULL, user TEXT NOT NULL, since REAL NOT NULL,
      PRIMARY KEY (app, device)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_secrets_user ON device_secrets (app, user, since);
    ALTER TABLE tasks ADD COLUMN picker_secret BLOB;
    """
}
