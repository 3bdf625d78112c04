// The answer of a query: its columns, tables, groups, order and range.
extension QueryBuilding {
  /// Adds a table: the rows of all tables are combined.
  public func from(_ table: String) -> Self { with { $0.tables.append(table) } }

  /// Adds columns to the answer, which has all of them without this.
  public func select(_ columns: String...) -> Self { select(columns) }

  /// Adds columns to the answer, which has all of them without this.
  public func select(_ columns: [String]) -> Self {
    with { $0.selected += columns.map { Query.Selected(term: QueryCondition.Term(column: $0)) } }
  }

  /// Adds a column to the answer under another name.
  public func select(_ column: String, as alias: String) -> Self { add(nil, column, alias) }

  /// Adds a function over a column to the answer, under its own name or another one.
  public func select(_ function: QueryAggregate, of column: String, as alias: String? = nil) -> Self {
    add(function, column, alias ?? Self.defaultAlias(column))
  }

  /// Adds the greatest value of a column to the answer.
  public func selectMax(_ column: String, as alias: String? = nil) -> Self { select(.max, of: column, as: alias) }

  /// Adds the least value of a column to the answer.
  public func selectMin(_ column: String, as alias: String? = nil) -> Self { select(.min, of: column, as: alias) }

  /// Adds the mean of a column to the answer.
  public func selectAverage(_ column: String, as alias: String? = nil) -> Self {
    select(.average, of: column, as: alias)
  }

  /// Adds the sum of a column to the answer.
  public func selectSum(_ column: String, as alias: String? = nil) -> Self { select(.sum, of: column, as: alias) }

  /// Gives rows that are the same only once.
  public func distinct() -> Self { with { $0.isDistinct = true } }

  private func add(_ function: QueryAggregate?, _ column: String, _ alias: String) -> Self {
    let term = QueryCondition.Term(function: function, column: column)
    return with { $0.selected.append(Query.Selected(term: term, alias: alias)) }
  }

  /// The name of a function's column: that of the column it is over, without its table.
  private static func defaultAlias(_ column: String) -> String {
    column == "*" ? "count" : String(column.split(separator: ".").last ?? "")
  }

  /// Makes one row of all that have the same values in columns.
  public func group(by columns: String...) -> Self { with { $0.groups += columns } }

  /// Keeps the groups in which a column, or its name in the answer, compares so with a value.
  public func having(_ column: String, _ sign: QueryOperator, _ value: (any DatabaseValueConvertible)?) -> Self {
    having(.and, nil, column, sign, value)
  }

  /// Keeps also the groups in which a column compares so with a value.
  public func orHaving(_ column: String, _ sign: QueryOperator, _ value: (any DatabaseValueConvertible)?) -> Self {
    having(.or, nil, column, sign, value)
  }

  /// Keeps the groups in which a function over a column compares so with a value; `*` counts rows.
  public func having(
    _ function: QueryAggregate, of column: String, _ sign: QueryOperator, _ value: any DatabaseValueConvertible
  ) -> Self {
    having(.and, function, column, sign, value)
  }

  /// Keeps also the groups in which a function over a column compares so with a value.
  public func orHaving(
    _ function: QueryAggregate, of column: String, _ sign: QueryOperator, _ value: any DatabaseValueConvertible
  ) -> Self {
    having(.or, function, column, sign, value)
  }

  private func having(
    _ joint: QueryCondition.Joint, _ function: QueryAggregate?, _ column: String, _ sign: QueryOperator,
    _ value: (any DatabaseValueConvertible)?
  ) -> Self {
    let term = QueryCondition.Term(function: function, column: column)
    let test = QueryCondition.Test.compare(term, sign, value?.databaseValue ?? .null)
    return with { $0.groupConditions.append(QueryCondition(joint: joint, test: test)) }
  }

  /// Orders rows by a column, the least first; columns that were named before count more.
  public func orderAscending(by column: String) -> Self { order(by: column) }

  /// Orders rows by a column, the greatest first; columns that were named before count more.
  public func orderDescending(by column: String) -> Self { order(by: column, isDescending: true) }

  /// Orders rows by a column; columns that were named before count more.
  public func order(by column: String, isDescending: Bool = false) -> Self {
    with { $0.orders.append(.column(column, isDescending: isDescending)) }
  }

  /// Has rows come in another order each time.
  public func orderRandomly() -> Self { with { $0.orders.append(.random) } }

  /// Gives so many rows at most, and changes no more than these; less than 0 is refused when it is run.
  public func limit(_ count: Int) -> Self { with { $0.limit = count } }

  /// Passes over so many rows at the beginning.
  public func offset(_ count: Int) -> Self { with { $0.offset = count } }

  /// Writes a value into a column, where rows are inserted or changed.
  public func set(_ column: String, _ value: (any DatabaseValueConvertible)?) -> Self {
    with { $0.assignments.append(Query.Assignment(column: column, value: value?.databaseValue ?? .null)) }
  }

  /// Writes values into columns, where rows are inserted or changed.
  public func set(_ values: [String: any DatabaseValueConvertible]) -> Self {
    values.sorted { $0.key < $1.key }.reduce(self) { $0.set($1.key, $1.value) }
  }

  /// Takes the value of a column away, where rows are inserted or changed.
  public func setNull(_ column: String) -> Self { set(column, nil) }
}
