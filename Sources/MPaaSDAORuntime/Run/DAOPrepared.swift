import CSQLite
package import MPaaSSQLite

/// A statement of a compiled document that takes no other form, whatever it is called with.
public final class DAOConstant: Sendable {
  /// The place among the statements of its module, from 0.
  let number: Int
  /// The SQL; a byte of 0 is the table's name.
  private let text: String
  let columns: DAOColumns?
  let position: DAOPosition

  /// Creates the constant of an element that stands at a line and a column.
  public init(_ number: Int, _ text: String, _ columns: DAOColumns? = nil, _ line: Int, _ column: Int) {
    self.number = number
    self.text = text
    self.columns = columns
    position = DAOPosition(line, column)
  }

  func sql(_ table: String?) throws(DAOError) -> String {
    var writer = SQLWriter(table: table)
    writer.write(Array(text.utf8))
    let sql = writer.finish()
    guard !writer.lacksTable else { throw DAOError(.noTable, at: position) }
    return sql
  }
}

/// The places that expected columns have in the answer of a statement.
private final class DAOColumnPlaces {
  let columns: DAOColumns
  /// -1 where a column is missing.
  let places: [Int32]
  let repreparations: Int32

  init(_ columns: DAOColumns, _ statement: OpaquePointer, _ repreparations: Int32) {
    self.columns = columns
    self.repreparations = repreparations
    let found = (0..<sqlite3_column_count(statement)).map { place in
      sqlite3_column_name(statement, place).map { String(cString: $0) }
    }
    // The last of several columns with the same name counts.
    places = columns.names.map { name in found.lastIndex(of: name).map { Int32(clamping: $0) } ?? -1 }
  }
}

/// A prepared statement with the values of a call, and the row that it stands at; for one thread at a time.
///
/// A column is read as the type that is asked for, as SQLite's CAST does.
public final class DAOPrepared {
  private let statement: SQLiteStatement
  private let pointer: OpaquePointer
  private let database: SQLiteDatabase
  private let position: DAOPosition?
  // One thread has the statement, so that no access overlaps another: a check of each would cost as much as the column.
  @exclusivity(unchecked) private var places: [Int32] = []
  @exclusivity(unchecked) private var columns: DAOColumns?
  @exclusivity(unchecked) private var isFirst = true
  @exclusivity(unchecked) private var refusal: Int32 = SQLITE_OK
  /// The names of all columns, where somebody asked for whole rows.
  private var rowColumns: DAOColumns?

  init(_ statement: SQLiteStatement, _ database: SQLiteDatabase, at position: DAOPosition?) {
    self.statement = statement
    pointer = statement.pointer
    self.database = database
    self.position = position
  }

  var parameterCount: Int { statement.parameterCount }

  func begin(_ columns: DAOColumns?) {
    isFirst = true
    refusal = SQLITE_OK
    self.columns = columns
  }

  func clear() { sqlite3_clear_bindings(pointer) }

  /// The row as it stands.
  package var current: SQLiteRow { SQLiteRow(pointer) }

  private func error(_ result: Int32) -> DAOError {
    DAOConnection.refusal(database.error(result)).placed(at: position)
  }

  /// Finds the places of the columns, which are others once SQLite has prepared the statement anew.
  private func findColumns() {
    isFirst = false
    rowColumns = nil
    guard let columns else { return }
    let repreparations = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
    if let known = statement.attachment as? DAOColumnPlaces, known.columns === columns,
      known.repreparations == repreparations
    {
      places = known.places
    } else {
      let found = DAOColumnPlaces(columns, pointer, repreparations)
      statement.attachment = found
      places = found.places
    }
  }

  // MARK: Running

  /// Goes to the next row.
  ///
  /// - Returns: False where there is none.
  /// - Throws: `dao-sql`, `dao-database`.
  public func step() throws(DAOError) -> Bool {
    guard refusal == SQLITE_OK else { throw error(refusal) }
    let result = sqlite3_step(pointer)
    if result == SQLITE_ROW {
      if isFirst { findColumns() }
      return true
    }
    guard result == SQLITE_DONE else { throw error(result) }
    return false
  }

  /// Ends the answer, so that the statement can be used again.
  public func reset() { sqlite3_reset(pointer) }

  /// Runs the statement to its end; rows that it gives are passed over.
  ///
  /// - Returns: The number of rows that it changed.
  /// - Throws: `dao-sql`, `dao-database`.
  public func run() throws(DAOError) -> Int {
    guard refusal == SQLITE_OK else { throw error(refusal) }
    let handle = database.pointer
    let before = sqlite3_total_changes64(handle)
    var result = sqlite3_step(pointer)
    while result == SQLITE_ROW { result = sqlite3_step(pointer) }
    guard result == SQLITE_DONE else {
      let failure = error(result)
      sqlite3_reset(pointer)
      throw failure
    }
    sqlite3_reset(pointer)
    return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
  }

  // MARK: Values

  private func note(_ result: Int32) {
    if result != SQLITE_OK, refusal == SQLITE_OK { refusal = result }
  }

  /// Puts a value in place of a question mark, counted from 1.
  public func bind(_ index: Int, _ number: Int64) { note(sqlite3_bind_int64(pointer, Int32(index), number)) }
  /// Puts a value in place of a question mark.
  public func bind(_ index: Int, _ number: Int) { bind(index, Int64(number)) }
  /// Puts a value in place of a question mark.
  public func bind(_ index: Int, _ number: Double) { note(sqlite3_bind_double(pointer, Int32(index), number)) }
  /// Puts 1 or 0 in place of a question mark.
  public func bind(_ index: Int, _ flag: Bool) { bind(index, flag ? 1 : 0 as Int64) }

  /// Puts a text in place of a question mark.
  public func bind(_ index: Int, _ text: String) {
    var text = text
    note(
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          mp_sqlite_bind_text(pointer, Int32(index), $0.baseAddress, Int64($0.count))
        }
      })
  }

  /// Puts bytes in place of a question mark.
  public func bind(_ index: Int, _ bytes: [UInt8]) {
    note(bytes.withUnsafeBytes { mp_sqlite_bind_blob(pointer, Int32(index), $0.baseAddress, Int64($0.count)) })
  }

  /// Puts null in place of a question mark.
  public func bindNull(_ index: Int) { note(sqlite3_bind_null(pointer, Int32(index))) }

  /// Puts a value, or null, in place of a question mark.
  public func bind(_ index: Int, _ number: Int64?) { if let number { bind(index, number) } else { bindNull(index) } }
  /// Puts a value, or null, in place of a question mark.
  public func bind(_ index: Int, _ number: Int?) { if let number { bind(index, number) } else { bindNull(index) } }
  /// Puts a value, or null, in place of a question mark.
  public func bind(_ index: Int, _ number: Double?) { if let number { bind(index, number) } else { bindNull(index) } }
  /// Puts a value, or null, in place of a question mark.
  public func bind(_ index: Int, _ flag: Bool?) { if let flag { bind(index, flag) } else { bindNull(index) } }
  /// Puts a text, or null, in place of a question mark.
  public func bind(_ index: Int, _ text: String?) { if let text { bind(index, text) } else { bindNull(index) } }
  /// Puts bytes, or null, in place of a question mark.
  public func bind(_ index: Int, _ bytes: [UInt8]?) { if let bytes { bind(index, bytes) } else { bindNull(index) } }

  /// Puts a value in place of a question mark; collections, which no value of a statement is, are null.
  public func bind(_ index: Int, _ value: DAOValue) {
    switch value {
    case .null, .list, .dictionary, .object: bindNull(index)
    case .bool(let flag): bind(index, flag)
    case .integer(let number): bind(index, number)
    case .real(let number): bind(index, number)
    case .text(let text): bind(index, text)
    case .data(let bytes): bind(index, bytes)
    }
  }

  /// Puts what a reference stands for in place of a question mark.
  ///
  /// - Parameters:
  ///   - index: The number of the question mark, from 1.
  ///   - root: The value of the reference's first name.
  ///   - rule: The form of the reference.
  ///   - session: The session of the call.
  /// - Throws: `dao-argument-type`, `dao-crypt`.
  public func bind(
    _ index: Int, _ root: DAOValue, _ rule: DAOReferenceRule, _ session: DAOSession
  ) throws(DAOError) {
    do {
      bind(index, try DAOBinding.value(root, rule, session.module.secrets, session.surroundings.crypt))
    } catch {
      throw error.placed(at: rule.position)
    }
  }
}

// Columns by their numbers among those that were expected.
extension DAOPrepared {
  private func place(_ column: Int) -> Int32 { places[column] }

  /// The value of a column; nil where it is null, or missing.
  ///
  /// It is looked up once for its type and its content; one thread has the connection, so that nothing changes it between.
  @inline(__always)
  private func found(_ column: Int) -> OpaquePointer? {
    let place = places[column]
    guard place >= 0, let value = sqlite3_column_value(pointer, place), sqlite3_value_type(value) != SQLITE_NULL
    else { return nil }
    return value
  }

  private func missing(_ column: Int) -> DAOError {
    DAOError(.nullColumn, ["name": columns?.names[column] ?? ""], at: position)
  }

  /// The number of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func integer(_ column: Int) throws(DAOError) -> Int64 {
    guard let value = found(column) else { throw missing(column) }
    return sqlite3_value_int64(value)
  }

  /// The number of a column; nil where it is null.
  public func optionalInteger(_ column: Int) -> Int64? { found(column).map { sqlite3_value_int64($0) } }

  /// The number of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func real(_ column: Int) throws(DAOError) -> Double {
    guard let value = found(column) else { throw missing(column) }
    return sqlite3_value_double(value)
  }

  /// The number of a column; nil where it is null.
  public func optionalReal(_ column: Int) -> Double? { found(column).map { sqlite3_value_double($0) } }

  /// The truth of a column: whether its number is not 0.
  ///
  /// - Throws: `dao-null-column`.
  public func flag(_ column: Int) throws(DAOError) -> Bool { try integer(column) != 0 }

  /// The truth of a column; nil where it is null.
  public func optionalFlag(_ column: Int) -> Bool? { optionalInteger(column).map { $0 != 0 } }

  /// The text of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func text(_ column: Int) throws(DAOError) -> String {
    guard let text = optionalText(column) else { throw missing(column) }
    return text
  }

  /// The text of a column; nil where it is null.
  public func optionalText(_ column: Int) -> String? {
    guard let value = found(column), let bytes = sqlite3_value_text(value) else { return nil }
    let size = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self)
  }

  /// The bytes of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func data(_ column: Int) throws(DAOError) -> [UInt8] {
    guard let bytes = optionalData(column) else { throw missing(column) }
    return bytes
  }

  /// The bytes of a column; nil where it is null.
  public func optionalData(_ column: Int) -> [UInt8]? {
    found(column).map { _ in SQLiteRow(pointer).blob(Int(place(column))) }
  }

  /// The value of a column, of the kind that it has.
  public func value(_ column: Int) -> DAOValue {
    let place = place(column)
    return place < 0 ? .null : DAOValue(SQLiteRow(pointer)[Int(place)])
  }

  /// The value of a column that is kept encrypted.
  ///
  /// - Throws: `dao-crypt`.
  public func value(_ column: Int, _ secret: DAOSecret, _ session: DAOSession) throws(DAOError) -> DAOValue {
    guard let crypt = session.surroundings.crypt else { return value(column) }
    return try crypt.open(value(column), secret)
  }

  /// The value of a property that is never nil.
  ///
  /// - Throws: `dao-null-column`.
  public func required<Value>(_ value: Value?, _ column: Int) throws(DAOError) -> Value {
    guard let value else { throw missing(column) }
    return value
  }

  /// The first column of a row alone, whatever its name is.
  public var first: DAOPrepared.First { First(pointer) }

  /// The whole row.
  public var row: DAORow {
    let row = SQLiteRow(pointer)
    let columns = rowColumns ?? DAOColumns((0..<row.count).map { row.name($0) })
    rowColumns = columns
    return DAORow(columns, (0..<row.count).map { DAOValue(row[$0]) })
  }

  /// The value of a row's first column as one type; nil where it is null.
  public struct First {
    private let pointer: OpaquePointer

    fileprivate init(_ pointer: OpaquePointer) { self.pointer = pointer }

    private var isNull: Bool { sqlite3_column_type(pointer, 0) == SQLITE_NULL }

    /// The value as a whole number.
    public var integer: Int64? { isNull ? nil : sqlite3_column_int64(pointer, 0) }
    /// The value as a real number.
    public var real: Double? { isNull ? nil : sqlite3_column_double(pointer, 0) }
    /// True where its number is not 0.
    public var flag: Bool? { integer.map { $0 != 0 } }
    /// The value as a text.
    public var text: String? { isNull ? nil : SQLiteRow(pointer).text(0) }
    /// The value as bytes.
    public var data: [UInt8]? { isNull ? nil : SQLiteRow(pointer).blob(0) }
  }
}
