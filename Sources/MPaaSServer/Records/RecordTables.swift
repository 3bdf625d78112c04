/// The table of batches of records.
enum RecordTables {
  /// `body` is the batch's lines, each with its line end, as a zstd frame.
  static let first = """
    CREATE TABLE record_batches (
      app TEXT NOT NULL, id TEXT NOT NULL, device TEXT NOT NULL, user TEXT, type TEXT NOT NULL, received REAL NOT NULL,
      lines INTEGER NOT NULL, size INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (app, id)
    ) STRICT;
    CREATE INDEX record_batches_type ON record_batches (type, received);
    """
}
