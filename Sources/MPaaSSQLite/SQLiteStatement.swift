import CSQLite

/// A prepared statement of one connection, for one thread at a time; it lives as long as somebody holds it.
package final class SQLiteStatement {
  /// The pointer that SQLite's own functions take.
  package let pointer: OpaquePointer
  /// The number of its question marks.
  package let parameterCount: Int
  /// Something that whoever uses the statement keeps with it.
  package var attachment: AnyObject?
  /// The number of the connection's look-ups at its last one.
  var lastUse: UInt64 = 0

  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    parameterCount = Int(sqlite3_bind_parameter_count(pointer))
  }

  deinit { sqlite3_finalize(pointer) }
}
