import MPaaSSupport

/// A statement of a module: its element, and its SQL line by line.
struct DAOStatement {
  let element: String
  let attributes: [(String, String)]
  let sql: [String]

  var lines: [String] {
    let words = attributes.map { "\($0.0)=\"\(DAODocument.escaped($0.1))\"" }.joined(separator: " ")
    return ["  <\(element) \(words)>"] + sql.map { "    " + $0.escapedMarkup(.content) } + ["  </\(element)>"]
  }
}

/// The statements that every table gets.
struct DAOStatements {
  private let table: DAOTable
  private let key: String
  private let item = "item"

  init(_ table: DAOTable) {
    self.table = table
    key = SQLName.quoted(table.keyName)
  }

  var lines: [String] {
    let others = [insert, insertAll, update, find, findAll, count, delete, deleteAll]
    return ([create.lines] + [indexes] + others.map(\.lines)).filter { !$0.isEmpty }.joined(separator: [""]).map { $0 }
  }

  private var create: DAOStatement {
    var definitions = table.columns.map { column in
      let isKey = column == table.key
      let isNeeded = isKey || !column.isOptional
      return "\(column.name) \(column.storage.rawValue)" + (isKey ? " primary key" : "") + (isNeeded ? " not null" : "")
    }
    if table.key == nil { definitions.insert("_id integer primary key autoincrement", at: 0) }
    let last = definitions.count - 1
    return DAOStatement(
      element: "update", attributes: [("id", "createTable")],
      sql: ["create table if not exists ${T} ("]
        + definitions.enumerated().map { "  " + $1 + ($0 == last ? "" : ",") } + [")"])
  }

  /// Proposals in a comment; a statement each, as each call runs one.
  private var indexes: [String] {
    let candidates = table.columns.filter { $0 != table.key && !$0.isArchived && $0.storage != .blob }
    let statements = candidates.prefix(3).map { column in
      let name = "\(table.name)_\(column.property)"
      return DAOStatement(
        element: "update", attributes: [("id", "index_\(column.property)")],
        sql: ["create index if not exists \(SQLName.quoted(name)) on ${T} (\(column.name))"])
    }
    guard !statements.isEmpty else { return [] }
    let lines = statements.flatMap(\.lines).map(DAODocument.comment)
    return ["  <!-- Indexes: keep those that your queries need, and call them once."] + lines + ["  -->"]
  }

  private var values: String {
    "values (" + table.columns.map { "#{\(item).\($0.property)}" }.joined(separator: ", ") + ")"
  }

  private var insert: DAOStatement {
    DAOStatement(
      element: "insert", attributes: [("id", "insert"), ("arguments", "$\(item)")],
      sql: ["insert or replace into ${T} ${table_columns}", values])
  }

  private var insertAll: DAOStatement {
    DAOStatement(
      element: "insert",
      attributes: [("id", "insertAll"), ("arguments", "$items"), ("foreach", "items.\(item)")],
      sql: ["insert or replace into ${T} ${table_columns}", values])
  }

  private var update: DAOStatement {
    let changed = table.columns.filter { $0 != table.key }
    let assigned = (changed.isEmpty ? table.columns : changed).map { "\($0.name) = #{\(item).\($0.property)}" }
    let ownKey = table.key == nil
    return DAOStatement(
      element: "update",
      attributes: [("id", "update"), ("arguments", ownKey ? "$\(item), _id" : "$\(item)")],
      sql: [
        "update ${T} set " + assigned.joined(separator: ", "),
        "where \(key) = #{\(ownKey ? "_id" : "\(item).\(table.keyName)")}",
      ])
  }

  private var result: String { table.className.split(separator: ".").last.map(String.init) ?? table.className }

  private var find: DAOStatement {
    DAOStatement(
      element: "select", attributes: [("id", "find"), ("arguments", table.keyName), ("result", result)],
      sql: ["select * from ${T} where \(key) = #{\(table.keyName)}"])
  }

  private var findAll: DAOStatement {
    DAOStatement(
      element: "select", attributes: [("id", "findAll"), ("result", "[\(result)]")],
      sql: ["select * from ${T} order by \(key)"])
  }

  private var count: DAOStatement {
    DAOStatement(
      element: "select", attributes: [("id", "count"), ("result", "int")], sql: ["select count(*) from ${T}"])
  }

  private var delete: DAOStatement {
    DAOStatement(
      element: "delete", attributes: [("id", "remove"), ("arguments", table.keyName)],
      sql: ["delete from ${T} where \(key) = #{\(table.keyName)}"])
  }

  private var deleteAll: DAOStatement {
    DAOStatement(element: "delete", attributes: [("id", "removeAll")], sql: ["delete from ${T}"])
  }
}
