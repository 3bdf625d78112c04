/// A query of tables, or a change of one, put together part by part.
///
/// A value: each part gives a new query, and the one before may be used again. Values are always bound; names are checked
/// and quoted when the query is run.
///
/// ```swift
/// let recent = Query("blogs").where("type", "Test").orderDescending(by: "date").limit(10)
/// let rows = try recent.rows(in: database)
/// try Query("blogs").set("content", "Hello").where("id", 1).update(in: database)
/// ```
public struct Query: Sendable, Equatable, QueryBuilding {
  /// A column of the answer.
  struct Selected: Sendable, Equatable {
    let term: QueryCondition.Term
    var alias: String?
  }

  /// A column that rows are ordered by.
  enum Order: Sendable, Equatable {
    case column(String, isDescending: Bool)
    case random
  }

  /// A column that is written.
  struct Assignment: Sendable, Equatable {
    let column: String
    let value: DatabaseValue
  }

  var tables: [String]
  var selected: [Selected] = []
  var isDistinct = false
  var conditions: [QueryCondition] = []
  var groups: [String] = []
  var groupConditions: [QueryCondition] = []
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var assignments: [Assignment] = []

  /// Creates a query of a table.
  public init(_ table: String) { tables = [table] }

  /// The query itself.
  public var query: Query {
    get { self }
    set { self = newValue }
  }

  /// The statement that selects what the query says; for a look at it, and for tests.
  ///
  /// - Throws: `query-name`, `query-value`.
  public func statement() throws(DatabaseError) -> (sql: String, values: [DatabaseValue]) {
    let text = try selection()
    return (text.text, text.bindings.map { DatabaseValue($0) })
  }
}

/// A type in which queries are built: `Query` itself, and queries of records.
public protocol QueryBuilding: Sendable {
  /// The query as it is so far.
  var query: Query { get set }
}

extension QueryBuilding {
  func with(_ change: (inout Query) -> Void) -> Self {
    var copy = self
    change(&copy.query)
    return copy
  }
}
