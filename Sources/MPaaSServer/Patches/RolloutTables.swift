/// The tables of what is known of rollouts, and of the changes of them that operators ask for.
enum RolloutTables {
  static let first = """
    CREATE TABLE rollout_notes (
      app TEXT NOT NULL, identity TEXT NOT NULL, note TEXT NOT NULL, received REAL NOT NULL,
      PRIMARY KEY (app, identity)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rollout_requests (
      app TEXT NOT NULL, id TEXT NOT NULL, identity TEXT NOT NULL, patch TEXT NOT NULL, version TEXT NOT NULL,
      channel TEXT NOT NULL, action TEXT NOT NULL, basis_points INTEGER, reason TEXT NOT NULL, author TEXT NOT NULL,
      created REAL NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL, ended REAL, PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX rollout_requests_state ON rollout_requests (state, app, created);
    """
}
