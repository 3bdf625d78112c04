package import MPaaSSupport

/// Names the errors of databases of either engine.
package enum SQLDomain {}

/// The reason why a database did not do what was asked.
package typealias SQLError = CodedError<SQLDomain>

extension CodedError<SQLDomain>.Code {
  /// The file cannot be opened or made.
  package static var cannotOpen: Self { SQLError.Code("database-cannot-open", exit: .cannotCreate) }
  /// Another process holds it for longer than the patience given.
  package static var busy: Self { SQLError.Code("database-busy", exit: .tryAgain) }
  /// No room on the disk.
  package static var full: Self { SQLError.Code("database-full", exit: .inputOutput) }
  /// It was written by a newer version of the kit.
  package static var newer: Self { SQLError.Code("database-newer", exit: .badConfiguration) }
  /// A rule of a table forbids it: a row that must be unique is there, or a value is missing.
  package static var constraint: Self { SQLError.Code("database-constraint", exit: .internalFault) }
  /// Anything else that the database says.
  package static var failed: Self { SQLError.Code("database-failed", exit: .inputOutput) }
  /// The server of the database cannot be reached, or went away.
  package static var unavailable: Self { SQLError.Code("database-unavailable", exit: .unreachable) }
  /// The transaction was in the way of another one, and is to be done again.
  package static var contention: Self { SQLError.Code("database-contention", exit: .tryAgain) }
  /// The address of a database is none.
  package static var address: Self { SQLError.Code("database-address", exit: .usage) }
  /// The server does not let the user in, or not without a password.
  package static var password: Self { SQLError.Code("database-password", exit: .notPermitted) }
  /// The library that speaks to the server is not on this machine, or too old.
  package static var library: Self { SQLError.Code("database-library", exit: .badConfiguration) }
  /// The texts of the database are not in UTF-8.
  package static var encoding: Self { SQLError.Code("database-encoding", exit: .badConfiguration) }
}
