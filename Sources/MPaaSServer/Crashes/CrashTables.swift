/// The tables of crashes and their groups.
enum CrashTables {
  /// Groups, crashes, what reports are packed against, and attachments.
  ///
  /// `body` is the report in its compact form, compressed against the report `base` where there is one; `blob` names the
  /// file of one that is too large for a row. `event` is 16 bytes. A group's newest crash is the one with the largest id.
  static let first = """
    CREATE TABLE crash_groups (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL, strategy TEXT NOT NULL, kind TEXT NOT NULL,
      exception TEXT NOT NULL, title TEXT NOT NULL, function TEXT NOT NULL, module TEXT NOT NULL, place TEXT NOT NULL,
      process TEXT NOT NULL, count INTEGER NOT NULL, first REAL NOT NULL, last REAL NOT NULL, UNIQUE (app, name)
    ) STRICT;
    CREATE INDEX crash_groups_last ON crash_groups (last);
    CREATE TABLE crashes (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, event BLOB NOT NULL, group_id INTEGER NOT NULL, format TEXT NOT NULL,
      received REAL NOT NULL, captured REAL NOT NULL, title TEXT NOT NULL, process TEXT NOT NULL,
      version TEXT NOT NULL, system TEXT NOT NULL, device TEXT NOT NULL, user TEXT NOT NULL, level TEXT NOT NULL,
      environment TEXT NOT NULL, size INTEGER NOT NULL, base INTEGER, body BLOB, blob TEXT
    ) STRICT;
    CREATE UNIQUE INDEX crashes_event ON crashes (event, app);
    CREATE INDEX crashes_group ON crashes (group_id, id);
    CREATE TABLE crash_bases (crash INTEGER PRIMARY KEY, keys TEXT NOT NULL) STRICT;
    CREATE TABLE crash_attachments (
      id INTEGER PRIMARY KEY, crash INTEGER NOT NULL, filename TEXT NOT NULL, type TEXT NOT NULL, blob TEXT NOT NULL,
      size INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX crash_attachments_crash ON crash_attachments (crash);
    """

  /// The rules that stored crashes are grouped by, as the version of the way to group, a colon and the SHA-256 of their
  /// file (empty for none), and while they are being grouped anew, the id before the next crash.
  static let regrouping = """
    CREATE TABLE crash_regrouping (
      id INTEGER PRIMARY KEY CHECK (id = 1), rules TEXT NOT NULL, done INTEGER
    ) STRICT;
    """

  /// Crashes by their users and by what they are packed against; reports of crashes that were removed before are no bases
  /// any more.
  static let users = """
    CREATE INDEX crashes_user ON crashes (app, user, id) WHERE user <> '';
    CREATE INDEX crashes_base ON crashes (base) WHERE base IS NOT NULL;
    DELETE FROM crash_bases WHERE crash IN (SELECT id FROM crashes WHERE group_id = 0);
    """
}
