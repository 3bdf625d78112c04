/// The table of what apps have scrubbed.
enum ScrubbingTables {
  /// `rules` is JSON; an app without a row has the built-in rules.
  static let first = """
    CREATE TABLE scrubbing_rules (
      app TEXT PRIMARY KEY, rules TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
