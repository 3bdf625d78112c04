/// The tables of installations for notifications, and of their tags.
enum PushTables {
  /// An installation has a token for each topic; a token belongs to one installation of an app.
  static let first = """
    CREATE TABLE push_installations (
      number INTEGER PRIMARY KEY, app TEXT NOT NULL, installation TEXT NOT NULL, topic TEXT NOT NULL,
      environment TEXT NOT NULL, token TEXT NOT NULL, user TEXT, locale TEXT, registered REAL NOT NULL,
      updated REAL NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX push_installations_id ON push_installations (app, installation, topic);
    CREATE INDEX push_installations_token ON push_installations (token);
    CREATE INDEX push_installations_user ON push_installations (user, number);
    CREATE INDEX push_installations_topic ON push_installations (topic, number);
    CREATE TABLE push_tags (
      installation INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (installation, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_tags_tag ON push_tags (tag, installation);
    """

  static let zones = """
    ALTER TABLE push_installations ADD COLUMN timezone TEXT;
    ALTER TABLE push_installations ADD COLUMN version TEXT;
    """
}
