/// The tables of logins by an issuer.
enum OpenIDTables {
  /// The key that logins under way are sealed with, and the logins that came back.
  static let first = """
    CREATE TABLE openid_secrets (
      id INTEGER PRIMARY KEY, secret BLOB NOT NULL
    ) STRICT;
    CREATE TABLE openid_logins (
      state BLOB PRIMARY KEY, expires REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
