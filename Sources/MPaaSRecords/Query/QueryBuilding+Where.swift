// The conditions of a query. Those that begin with `or` are joined by OR, which binds weaker than AND.
extension QueryBuilding {
  /// Keeps the rows in which a column has a value; nil for none.
  public func `where`(_ column: String, _ value: (any DatabaseValueConvertible)?) -> Self {
    `where`(column, .equal, value)
  }

  /// Keeps the rows in which a column compares so with a value; with nil for no value, by `equal` or `notEqual`.
  public func `where`(_ column: String, _ sign: QueryOperator, _ value: (any DatabaseValueConvertible)?) -> Self {
    and(.compare(Self.term(column), sign, value?.databaseValue ?? .null))
  }

  /// Keeps also the rows in which a column has a value; nil for none.
  public func orWhere(_ column: String, _ value: (any DatabaseValueConvertible)?) -> Self {
    orWhere(column, .equal, value)
  }

  /// Keeps also the rows in which a column compares so with a value; with nil for no value, by `equal` or `notEqual`.
  public func orWhere(_ column: String, _ sign: QueryOperator, _ value: (any DatabaseValueConvertible)?) -> Self {
    or(.compare(Self.term(column), sign, value?.databaseValue ?? .null))
  }

  /// Keeps the rows in which two columns compare so, as those of two tables.
  public func `where`(_ column: String, _ sign: QueryOperator = .equal, column other: String) -> Self {
    and(.columns(Self.term(column), sign, Self.term(other)))
  }

  /// Keeps also the rows in which two columns compare so.
  public func orWhere(_ column: String, _ sign: QueryOperator = .equal, column other: String) -> Self {
    or(.columns(Self.term(column), sign, Self.term(other)))
  }

  /// Keeps the rows for which the conditions that `build` adds hold together, as if in parentheses.
  public func `where`(_ build: (Query) -> Query) -> Self { and(.group(build(Query("")).conditions)) }

  /// Keeps also the rows for which the conditions that `build` adds hold together.
  public func orWhere(_ build: (Query) -> Query) -> Self { or(.group(build(Query("")).conditions)) }

  /// Keeps the rows in which a column has one of some values.
  public func whereIn(_ column: String, _ values: [any DatabaseValueConvertible]) -> Self {
    and(.member(Self.term(column), values.map(\.databaseValue), isNot: false))
  }

  /// Keeps also the rows in which a column has one of some values.
  public func orWhereIn(_ column: String, _ values: [any DatabaseValueConvertible]) -> Self {
    or(.member(Self.term(column), values.map(\.databaseValue), isNot: false))
  }

  /// Keeps the rows in which a column has none of some values.
  public func whereNotIn(_ column: String, _ values: [any DatabaseValueConvertible]) -> Self {
    and(.member(Self.term(column), values.map(\.databaseValue), isNot: true))
  }

  /// Keeps also the rows in which a column has none of some values.
  public func orWhereNotIn(_ column: String, _ values: [any DatabaseValueConvertible]) -> Self {
    or(.member(Self.term(column), values.map(\.databaseValue), isNot: true))
  }

  /// Keeps the rows in which a column has a value of another query's only column.
  public func whereIn(_ column: String, _ query: Query) -> Self {
    and(.memberOf(Self.term(column), query, isNot: false))
  }

  /// Keeps the rows in which a column has no value of another query's only column.
  public func whereNotIn(_ column: String, _ query: Query) -> Self {
    and(.memberOf(Self.term(column), query, isNot: true))
  }

  /// Keeps the rows in which a column lies between two values, or is one of them.
  public func whereBetween(
    _ column: String, _ low: any DatabaseValueConvertible, _ high: any DatabaseValueConvertible
  ) -> Self {
    and(.between(Self.term(column), low.databaseValue, high.databaseValue))
  }

  /// Keeps the rows in which a column matches a pattern of LIKE: `%` for any text, `_` for one character.
  public func like(_ column: String, _ pattern: String) -> Self { and(Self.like(column, pattern)) }

  /// Keeps the rows in which a column does not match a pattern of LIKE.
  public func notLike(_ column: String, _ pattern: String) -> Self { and(Self.like(column, pattern, isNot: true)) }

  /// Keeps also the rows in which a column matches a pattern of LIKE.
  public func orLike(_ column: String, _ pattern: String) -> Self { or(Self.like(column, pattern)) }

  /// Keeps also the rows in which a column does not match a pattern of LIKE.
  public func orNotLike(_ column: String, _ pattern: String) -> Self { or(Self.like(column, pattern, isNot: true)) }

  /// Keeps the rows in which a column contains a text, whose signs stand for themselves.
  public func contains(_ column: String, _ text: String) -> Self { and(Self.containing(column, text)) }

  /// Keeps the rows in which a column does not contain a text.
  public func notContains(_ column: String, _ text: String) -> Self {
    and(Self.containing(column, text, isNot: true))
  }

  /// Keeps also the rows in which a column contains a text.
  public func orContains(_ column: String, _ text: String) -> Self { or(Self.containing(column, text)) }

  /// Keeps also the rows in which a column does not contain a text.
  public func orNotContains(_ column: String, _ text: String) -> Self {
    or(Self.containing(column, text, isNot: true))
  }

  private func and(_ test: QueryCondition.Test) -> Self {
    with { $0.conditions.append(QueryCondition(joint: .and, test: test)) }
  }

  private func or(_ test: QueryCondition.Test) -> Self {
    with { $0.conditions.append(QueryCondition(joint: .or, test: test)) }
  }

  private static func term(_ column: String) -> QueryCondition.Term { QueryCondition.Term(column: column) }

  private static func like(_ column: String, _ pattern: String, isNot: Bool = false) -> QueryCondition.Test {
    .like(term(column), pattern, isEscaped: false, isNot: isNot)
  }

  private static func containing(_ column: String, _ text: String, isNot: Bool = false) -> QueryCondition.Test {
    let escaped = text.reduce(into: "") { escaped, character in
      if "%_\\".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return .like(term(column), "%\(escaped)%", isEscaped: true, isNot: isNot)
  }
}
