/// The table of uploads, whole and unfinished.
enum UploadTables {
  /// `state` is `open`, `whole` or `refused`; `concat` is `partial` or `final` (tus), or null; `boot` is the start of the
  /// machine in which `offset` was written last; `unverified` says that bytes past `offset` are not to be trusted.
  static let first = """
    CREATE TABLE uploads (
      id TEXT PRIMARY KEY, protocol TEXT NOT NULL, state TEXT NOT NULL, concat TEXT, parts TEXT, metadata TEXT,
      size INTEGER, offset INTEGER NOT NULL, unverified INTEGER NOT NULL DEFAULT 0, boot TEXT NOT NULL,
      kind TEXT NOT NULL, filename TEXT, type TEXT, sha256 TEXT, batch TEXT, user TEXT, device TEXT,
      app TEXT NOT NULL, task TEXT, owner TEXT NOT NULL, blob TEXT,
      created REAL NOT NULL, updated REAL NOT NULL, expires REAL
    ) STRICT;
    CREATE UNIQUE INDEX uploads_batch ON uploads (app, batch) WHERE batch IS NOT NULL AND state <> 'refused';
    CREATE INDEX uploads_state ON uploads (state, updated);
    CREATE INDEX uploads_blob ON uploads (blob) WHERE blob IS NOT NULL;
    """
}
