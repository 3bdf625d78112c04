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
}
