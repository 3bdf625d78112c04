/// The type that a table declares for a column; SQLite's affinities (Datatypes In SQLite, section 3.1).
public enum ColumnType: String, Sendable, Hashable {
  /// Whole numbers.
  case integer = "INTEGER"
  /// Numbers with a fraction.
  case real = "REAL"
  /// Texts.
  case text = "TEXT"
  /// Bytes.
  case blob = "BLOB"
  /// Numbers of either kind.
  case numeric = "NUMERIC"
}
