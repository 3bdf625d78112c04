/// The tables of feedback and of what operators answered.
enum FeedbackTables {
  /// `owner` is the digest of the device's secret; `facts` and `pictures` are JSON.
  static let first = """
    CREATE TABLE feedback (
      number INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT NOT NULL, owner BLOB NOT NULL, state TEXT NOT NULL,
      category TEXT NOT NULL, text TEXT NOT NULL, contact TEXT, user TEXT, mobile TEXT, device TEXT NOT NULL,
      version TEXT NOT NULL, locale TEXT, facts TEXT NOT NULL, pictures TEXT NOT NULL, task TEXT,
      created REAL NOT NULL, received REAL NOT NULL, updated REAL NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX feedback_id ON feedback (app, id);
    CREATE INDEX feedback_state ON feedback (state, number);
    CREATE INDEX feedback_owner ON feedback (app, owner);
    CREATE TABLE feedback_messages (
      number INTEGER PRIMARY KEY, feedback INTEGER NOT NULL, id TEXT NOT NULL, author TEXT NOT NULL, text TEXT,
      state TEXT NOT NULL, time REAL NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX feedback_messages_id ON feedback_messages (feedback, id);
    """
}
