/// The tables of badges, of their numbers, and of taps.
enum BadgeTables {
  /// Each change of a badge and each tap has the next `version` of its app.
  ///
  /// A badge that was taken away stays as `gone` until devices have asked; who has seen no more than `floor` gets all
  /// badges.
  static let first = """
    CREATE TABLE badge_versions (
      app TEXT PRIMARY KEY, version INTEGER NOT NULL, floor INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE badges (
      app TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, path TEXT NOT NULL, widget TEXT NOT NULL,
      style TEXT NOT NULL, temporary INTEGER NOT NULL, persistent INTEGER NOT NULL, business TEXT,
      version INTEGER NOT NULL, gone INTEGER NOT NULL, updated REAL NOT NULL, PRIMARY KEY (app, kind, target, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX badges_version ON badges (app, version);
    CREATE INDEX badges_changed ON badges (app, kind, target, version);
    CREATE INDEX badges_widget ON badges (app, widget);
    CREATE INDEX badges_path ON badges (app, path);
    CREATE TABLE badge_taps (
      app TEXT NOT NULL, user TEXT NOT NULL, path TEXT NOT NULL, seen INTEGER NOT NULL, version INTEGER NOT NULL,
      PRIMARY KEY (app, user, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX badge_taps_version ON badge_taps (app, user, version);
    """

  /// Taps in the order in which they came, by which the oldest are forgotten.
  static let tapOrder = "CREATE INDEX badge_taps_order ON badge_taps (app, version);"
}
