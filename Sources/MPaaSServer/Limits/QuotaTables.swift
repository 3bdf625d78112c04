/// The tables of quotas and of what was used of them.
enum QuotaTables {
  /// `subject` is `app KEY` or `token ID`, `limits` JSON; `period` is `hour` or `month`, `start` in seconds since 1970.
  static let first = """
    CREATE TABLE quotas (
      subject TEXT PRIMARY KEY, limits TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE quota_usage (
      subject TEXT NOT NULL, period TEXT NOT NULL, start INTEGER NOT NULL, events INTEGER NOT NULL,
      bytes INTEGER NOT NULL, PRIMARY KEY (subject, period, start)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX record_batches_received ON record_batches (received);
    """
}
