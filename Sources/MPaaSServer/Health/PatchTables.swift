/// The tables of devices by the hotpatches that they run.
enum PatchTables {
  /// Keyed by our number of a version of a patch (`PatchBatch.number`).
  ///
  /// A row without `patch` and `version` stands for devices that run none. `start` is the first second of a day, `member` a keyed digest of a device.
  static let first = """
    CREATE TABLE patch_versions (
      app TEXT NOT NULL, number INTEGER NOT NULL, identity TEXT NOT NULL, patch TEXT NOT NULL, version TEXT NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE patch_members (
      app TEXT NOT NULL, number INTEGER NOT NULL, start INTEGER NOT NULL, members BLOB NOT NULL,
      PRIMARY KEY (app, number, start)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE patch_crashes (
      app TEXT NOT NULL, number INTEGER NOT NULL, start INTEGER NOT NULL, member INTEGER NOT NULL,
      PRIMARY KEY (app, number, start, member)
    ) STRICT, WITHOUT ROWID;
    """
}
