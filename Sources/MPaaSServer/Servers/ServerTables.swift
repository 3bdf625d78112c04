/// The tables of the servers of a console, and of what they share.
enum ServerTables {
  /// The servers that are signed in, each with a number greater than those before it and the count of its signs of life;
  /// the counts of changes of what they keep in memory; who does which work, with the number of that turn; blobs that wait
  /// for rows which will name them, by the server's number; who is removing a blob; the place of the console's blobs where
  /// that is one that several servers reach; and the data folder that the bytes of an unfinished upload are in.
  static let first = """
    CREATE TABLE servers (
      number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, started REAL NOT NULL, beat INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE editions (
      name TEXT PRIMARY KEY, number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE work_leases (
      work TEXT PRIMARY KEY, server INTEGER NOT NULL, number INTEGER NOT NULL, taken REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE blob_holds (
      blob TEXT NOT NULL, server INTEGER NOT NULL, PRIMARY KEY (blob, server)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE blob_removals ADD COLUMN remover INTEGER;
    ALTER TABLE data_folder ADD COLUMN blobs TEXT NOT NULL DEFAULT '';
    ALTER TABLE uploads ADD COLUMN server TEXT NOT NULL DEFAULT '';
    """
}
