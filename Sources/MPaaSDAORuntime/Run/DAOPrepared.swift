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
  let pointer: OpaquePointer
  private let database: SQLiteDatabase
  private let handle: OpaquePointer
  private let position: DAOPosition?
  // One thread has the statement, so that no access overlaps another: a check of each would cost as much as the column.
  @exclusivity(unchecked) private var places: [Int32] = []
  @exclusivity(unchecked) private var columns: DAOColumns?
  @exclusivity(unchecked) private var isFirst = true
  @exclusivity(unchecked) private var refusal: Int32 = SQLITE_OK
  /// The constant that it was prepared from; nil where that was none.
  @exclusivity(unchecked) var constant: DAOConstant?
  /// The texts of a call, which SQLite then need not copy; longer ones it does.
  @exclusivity(unchecked) private var texts: UnsafeMutablePointer<UInt8>?
  @exclusivity(unchecked) private var textsCount = 0
  private static let textsCapacity = 512
  /// The names of all columns, where somebody asked for whole rows.
  private var rowColumns: DAOColumns?

  init(_ statement: SQLiteStatement, _ database: SQLiteDatabase, at position: DAOPosition?) {
    self.statement = statement
    pointer = statement.pointer
    self.database = database
    handle = database.pointer
    self.position = position
  }

  deinit { texts?.deallocate() }

  var parameterCount: Int { statement.parameterCount }

  func begin(_ columns: DAOColumns?) {
    self.columns = columns
    begin()
  }

  /// Begins another call with the same columns.
  @inline(__always)
  func begin() {
    isFirst = true
    refusal = SQLITE_OK
    textsCount = 0
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
    let isBound: Void? = text.utf8.withContiguousStorageIfAvailable { bind(index, utf8: $0) }
    if isBound == nil { bind(index, foreign: text) }
  }

  /// Puts a text that is none of Swift's own in place of a question mark.
  private func bind(_ index: Int, foreign text: String) {
    var text = text
    text.withUTF8 { bind(index, utf8: $0) }
  }

  @inline(__always)
  private func bind(_ index: Int, utf8: UnsafeBufferPointer<UInt8>) {
    let kept = keep(utf8)
    utf8.withMemoryRebound(to: CChar.self) { text in
      note(
        kept.map { mp_sqlite_bind_kept_text(pointer, Int32(index), $0, Int64(text.count)) }
          ?? mp_sqlite_bind_text(pointer, Int32(index), text.baseAddress, Int64(text.count)))
    }
  }

  /// Copies a text to memory that stays until the next call; nil where there is no room.
  ///
  /// Whoever takes the statement behind that binds all of its values anew.
  @inline(__always)
  private func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
    guard text.count <= Self.textsCapacity &- textsCount else { return nil }
    let memory = texts ?? makeTexts()
    let place = memory + textsCount
    if let source = text.baseAddress { place.update(from: source, count: text.count) }
    textsCount &+= text.count
    return UnsafeRawPointer(place).assumingMemoryBound(to: CChar.self)
  }

  private func makeTexts() -> UnsafeMutablePointer<UInt8> {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.textsCapacity)
    texts = memory
    return memory
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
  @inline(__always)
  private func place(_ column: Int) -> Int32 { places[column] }

  @inline(__always)
  private func isNull(_ place: Int32) -> Bool { sqlite3_column_type(pointer, place) == SQLITE_NULL }

  private func missing(_ column: Int) -> DAOError {
    DAOError(.nullColumn, ["name": columns?.names[column] ?? ""], at: position)
  }

  /// The number of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func integer(_ column: Int) throws(DAOError) -> Int64 {
    guard let number = optionalInteger(column) else { throw missing(column) }
    return number
  }

  /// The number of a column; nil where it is null.
  public func optionalInteger(_ column: Int) -> Int64? {
    let place = place(column)
    guard place >= 0 else { return nil }
    let number = sqlite3_column_int64(pointer, place)
    // Null is 0, too, and so most columns need no look at their type.
    return number == 0 && isNull(place) ? nil : number
  }

  /// The number of a column.
  ///
  /// - Throws: `dao-null-column`.
  public func real(_ column: Int) throws(DAOError) -> Double {
    guard let number = optionalReal(column) else { throw missing(column) }
    return number
  }

  /// The number of a column; nil where it is null.
  public func optionalReal(_ column: Int) -> Double? {
    let place = place(column)
    guard place >= 0 else { return nil }
    let number = sqlite3_column_double(pointer, place)
    return number == 0 && isNull(place) ? nil : number
  }

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
    let place = place(column)
    guard place >= 0, let bytes = sqlite3_column_text(pointer, place) else { return nil }
    let size = Int(sqlite3_column_bytes(pointer, place))
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
    let place = place(column)
    return place < 0 || isNull(place) ? nil : SQLiteRow(pointer).blob(Int(place))
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

  /// The whole row.
  public var row: DAORow {
    let row = SQLiteRow(pointer)
    let columns = rowColumns ?? DAOColumns((0..<row.count).map { row.name($0) })
    rowColumns = columns
    return DAORow(columns, (0..<row.count).map { DAOValue(row[$0]) })
  }
}
