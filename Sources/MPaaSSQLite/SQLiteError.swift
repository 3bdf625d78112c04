package import MPaaSSupport

/// Names the errors of databases.
package enum SQLiteDomain {}

/// The reason why a database did not do what was asked.
package typealias SQLiteError = CodedError<SQLiteDomain>

extension CodedError<SQLiteDomain>.Code {
  /// The file cannot be opened or made.
  package static var cannotOpen: Self { SQLiteError.Code("database-cannot-open", exit: .cannotCreate) }
  /// The file is no database, or is damaged.
  package static var damaged: Self { SQLiteError.Code("database-damaged", exit: .malformedInput) }
  /// A page of an encrypted database is not as it was written.
  package static var pageDamaged: Self { SQLiteError.Code("database-page-damaged", exit: .malformedInput) }
  /// A frame of an encrypted database's log is not as it was written; frame 0 is the log's header.
  package static var frameDamaged: Self { SQLiteError.Code("database-frame-damaged", exit: .malformedInput) }
  /// The header of an encrypted database is not as it was written.
  package static var headerDamaged: Self { SQLiteError.Code("database-header-damaged", exit: .malformedInput) }
  /// The key is not the one of the database.
  package static var keyWrong: Self { SQLiteError.Code("database-key-wrong", exit: .notPermitted) }
  /// The database is encrypted and no key was given.
  package static var keyMissing: Self { SQLiteError.Code("database-key-missing", exit: .notPermitted) }
  /// A key was given, and the file is no encrypted database.
  package static var notEncrypted: Self { SQLiteError.Code("database-not-encrypted", exit: .notPermitted) }
  /// Another process holds it for longer than the patience given.
  package static var busy: Self { SQLiteError.Code("database-busy", exit: .tryAgain) }
  /// No room on the disk.
  package static var full: Self { SQLiteError.Code("database-full", exit: .inputOutput) }
  /// It was written by a newer version of the kit.
  package static var newer: Self { SQLiteError.Code("database-newer", exit: .malformedInput) }
  /// A rule of a table forbids it: a row that must be unique is there, or a value is missing.
  package static var constraint: Self { SQLiteError.Code("database-constraint", exit: .internalFault) }
  /// Anything else that SQLite says.
  package static var failed: Self { SQLiteError.Code("database-failed", exit: .inputOutput) }
}
