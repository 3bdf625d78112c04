/// The tables of app keys and tokens.
enum AccessTables {
  static let first = """
    CREATE TABLE apps (
      key TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tokens (
      hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, scopes TEXT NOT NULL, app TEXT,
      created REAL NOT NULL, expires REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Tokens for several apps, as keys between blanks, their makers, and when the console began: the first start alone
  /// prints a token.
  static let several = """
    ALTER TABLE tokens ADD COLUMN apps TEXT NOT NULL DEFAULT '';
    ALTER TABLE tokens ADD COLUMN author TEXT NOT NULL DEFAULT '';
    CREATE TABLE console_starts (time REAL NOT NULL) STRICT;
    INSERT INTO console_starts (time) SELECT min(created) FROM tokens HAVING count(*) > 0;
    """

  /// The entries of the audit log, with the milliseconds since 1970: each has a digest of itself and of the one before.
  static let audit = """
    CREATE TABLE audit (
      number INTEGER PRIMARY KEY, time INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL,
      detail TEXT NOT NULL, app TEXT, digest TEXT NOT NULL
    ) STRICT;
    """

  /// Accounts, teams with their apps, and sessions, of which only the digests are stored.
  static let people = """
    CREATE TABLE people (
      id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, mail TEXT NOT NULL, password TEXT, role TEXT, subject TEXT UNIQUE,
      disabled INTEGER NOT NULL, created REAL NOT NULL, seen REAL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE teams (
      id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE team_apps (
      team TEXT NOT NULL, app TEXT NOT NULL, PRIMARY KEY (team, app)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE team_members (
      team TEXT NOT NULL, person TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (team, person)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE person_sessions (
      digest BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL, agent TEXT NOT NULL,
      created REAL NOT NULL, seen REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX person_sessions_person ON person_sessions (person);
    """
}
