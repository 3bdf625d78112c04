/// A condition of a query, and how it is joined with those before it.
struct QueryCondition: Sendable, Equatable {
  enum Joint: Sendable { case and, or }

  /// A column, or a function over one.
  struct Term: Sendable, Equatable {
    var function: QueryAggregate?
    let column: String
  }

  indirect enum Test: Sendable, Equatable {
    case compare(Term, QueryOperator, DatabaseValue)
    case columns(Term, QueryOperator, Term)
    case member(Term, [DatabaseValue], isNot: Bool)
    /// A column whose value is in a column of the rows of another query.
    case memberOf(Term, Query, isNot: Bool)
    case like(Term, String, isEscaped: Bool, isNot: Bool)
    case between(Term, DatabaseValue, DatabaseValue)
    case group([QueryCondition])
  }

  let joint: Joint
  let test: Test
}

extension SQLText {
  /// Adds conditions in their order; AND binds stronger than OR.
  mutating func conditions(_ conditions: [QueryCondition]) throws(DatabaseError) {
    for (index, condition) in conditions.enumerated() {
      if index > 0 { add(condition.joint == .and ? " AND " : " OR ") }
      try test(condition.test)
    }
  }

  mutating func term(_ term: QueryCondition.Term) throws(DatabaseError) {
    guard let function = term.function else { return try name(term.column) }
    self.function(function)
    add("(")
    if term.column == "*" { add("*") } else { try name(term.column) }
    add(")")
  }

  mutating func function(_ function: QueryAggregate) {
    switch function {
    case .max: add("max")
    case .min: add("min")
    case .average: add("avg")
    case .sum: add("sum")
    case .count: add("count")
    }
  }

  private mutating func test(_ test: QueryCondition.Test) throws(DatabaseError) {
    switch test {
    case .compare(let term, let sign, let value): try compare(term, sign, value)
    case .columns(let left, let sign, let right):
      try term(left)
      add(sign)
      try term(right)
    case .member(let term, let values, let isNot): try member(term, values, isNot)
    case .memberOf(let term, let query, let isNot):
      try self.term(term)
      add(isNot ? " NOT IN (" : " IN (")
      add(try query.selection())
      add(")")
    case .like(let term, let pattern, let isEscaped, let isNot):
      try self.term(term)
      add(isNot ? " NOT LIKE " : " LIKE ")
      bind(.text(pattern))
      if isEscaped { add(" ESCAPE '\\'") }
    case .between(let term, let low, let high):
      try self.term(term)
      add(" BETWEEN ")
      bind(low)
      add(" AND ")
      bind(high)
    case .group(let conditions):
      // No conditions hold for every row.
      guard !conditions.isEmpty else { return add("1") }
      add("(")
      try self.conditions(conditions)
      add(")")
    }
  }

  private mutating func compare(
    _ term: QueryCondition.Term, _ sign: QueryOperator, _ value: DatabaseValue
  ) throws(DatabaseError) {
    try self.term(term)
    guard value == .null else {
      add(sign)
      return bind(value)
    }
    switch sign {
    case .equal: add(" IS NULL")
    case .notEqual: add(" IS NOT NULL")
    default: throw DatabaseError(.value, ["name": term.column, "value": "nil"])
    }
  }

  private mutating func member(
    _ term: QueryCondition.Term, _ values: [DatabaseValue], _ isNot: Bool
  ) throws(DatabaseError) {
    try self.term(term)
    add(isNot ? " NOT IN (" : " IN (")
    try list(values) { sql, value throws(DatabaseError) in sql.bind(value) }
    add(")")
  }

  private mutating func add(_ sign: QueryOperator) {
    switch sign {
    case .equal: add(" = ")
    case .notEqual: add(" <> ")
    case .less: add(" < ")
    case .lessOrEqual: add(" <= ")
    case .greater: add(" > ")
    case .greaterOrEqual: add(" >= ")
    }
  }
}
