/// The tables of issues: what a group of crashes has beside its counts.
enum IssueTables {
  /// Columns of the groups, and the tables that search and figures are read from.
  ///
  /// An issue is a group that was merged into no other. The `count`, `first`, `last` and `users` of one with others merged
  /// into it are those of all; `merges` is their number. `rule` is JSON: what ends its state. Texts are in small letters.
  /// In `issue_users` and `issue_values` the issue is the group that a crash came into, and 0 stands for the whole app.
  /// `user` is a keyed digest of 64 bits.
  static let first = """
    ALTER TABLE crash_groups ADD COLUMN state TEXT NOT NULL DEFAULT 'unresolved';
    ALTER TABLE crash_groups ADD COLUMN rule TEXT;
    ALTER TABLE crash_groups ADD COLUMN wake REAL;
    ALTER TABLE crash_groups ADD COLUMN assignee TEXT;
    ALTER TABLE crash_groups ADD COLUMN level TEXT NOT NULL DEFAULT '';
    ALTER TABLE crash_groups ADD COLUMN users INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE crash_groups ADD COLUMN merged_into INTEGER;
    ALTER TABLE crash_groups ADD COLUMN merges INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX crash_groups_app_last ON crash_groups (app, merged_into, last, id);
    CREATE INDEX crash_groups_app_first ON crash_groups (app, merged_into, first, id);
    CREATE INDEX crash_groups_app_count ON crash_groups (app, merged_into, count, id);
    CREATE INDEX crash_groups_app_users ON crash_groups (app, merged_into, users, id);
    CREATE INDEX crash_groups_merged ON crash_groups (app, merged_into) WHERE merged_into IS NOT NULL;
    CREATE INDEX crash_groups_assignee ON crash_groups (app, assignee) WHERE assignee IS NOT NULL;
    CREATE INDEX crash_groups_state ON crash_groups (app, state);
    CREATE INDEX crash_groups_wake ON crash_groups (wake) WHERE wake IS NOT NULL;
    CREATE TABLE issue_values (
      app TEXT NOT NULL, issue INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, first REAL NOT NULL,
      PRIMARY KEY (app, issue, key, value)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX issue_values_key ON issue_values (app, key, value, issue);
    CREATE TABLE issue_texts (
      app TEXT NOT NULL, issue INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (app, issue, text)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO issue_texts (app, issue, text)
      SELECT app, id, lower(title || ' ' || exception || ' ' || function || ' ' || place) FROM crash_groups;
    CREATE TABLE issue_users (
      app TEXT NOT NULL, issue INTEGER NOT NULL, user INTEGER NOT NULL, PRIMARY KEY (app, issue, user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX issue_users_user ON issue_users (app, user, issue);
    CREATE TABLE issue_hours (
      app TEXT NOT NULL, issue INTEGER NOT NULL, hour INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (app, issue, hour)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE issue_apps (
      app TEXT PRIMARY KEY, secret BLOB NOT NULL, users INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE issue_notes (
      app TEXT NOT NULL, issue INTEGER NOT NULL, id TEXT NOT NULL, time REAL NOT NULL, author TEXT NOT NULL,
      kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (app, issue, id)
    ) STRICT, WITHOUT ROWID;
    """
}
