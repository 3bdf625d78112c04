import CSQLite
import MPaaSSQLite

extension DAOPrepared {
  /// The first column of a row alone, whatever its name is.
  public var first: DAOPrepared.First { First(pointer) }

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
