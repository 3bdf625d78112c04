/// The table of the secret under which receipts name users.
enum PrivacyTables {
  static let first = """
    CREATE TABLE erasure_secret (
      id INTEGER PRIMARY KEY CHECK (id = 1), secret BLOB NOT NULL
    ) STRICT;
    """
}
