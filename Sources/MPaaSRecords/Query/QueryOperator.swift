/// A comparison of a column with a value.
public enum QueryOperator: String, Sendable, Hashable {
  /// The same; with nil, that there is no value.
  case equal = "="
  /// Not the same; with nil, that there is a value.
  case notEqual = "<>"
  /// Less.
  case less = "<"
  /// Less, or the same.
  case lessOrEqual = "<="
  /// Greater.
  case greater = ">"
  /// Greater, or the same.
  case greaterOrEqual = ">="

  /// Creates the comparison of a sign of SQL: `=`, `==`, `<>`, `!=`, `<`, `<=`, `>`, `>=`; nil for anything else.
  public init?(sign: String) {
    switch sign {
    case "==": self = .equal
    case "!=": self = .notEqual
    default: self.init(rawValue: sign)
    }
  }
}

/// A function over the rows of a query, or of each of its groups.
public enum QueryAggregate: String, Sendable, Hashable {
  /// The greatest value.
  case max
  /// The least value.
  case min
  /// The mean of the values.
  case average = "avg"
  /// The sum of the values.
  case sum
  /// The number of rows that have a value.
  case count
}
