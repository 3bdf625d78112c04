/// The table of the modules that apps have chosen.
enum ModuleTables {
  /// `manifest` is an `mpaas.toml` without registries, `locked` an `mpaas.lock`.
  static let first = """
    CREATE TABLE module_choices (
      app TEXT PRIMARY KEY, manifest TEXT NOT NULL, locked TEXT NOT NULL, version INTEGER NOT NULL,
      author TEXT NOT NULL, changed REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
