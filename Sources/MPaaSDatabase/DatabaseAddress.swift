/// The place of a database: a file of SQLite, or a server of PostgreSQL.
package enum DatabaseAddress: Sendable, Equatable {
  case sqlite(path: String)
  case postgres(PostgresAddress)

  /// The permitted uses of a connection.
  package enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// Reads `postgres://…` and `postgresql://…`; anything else is the path of a file.
  package init(_ text: String) {
    self = PostgresAddress(text).map(DatabaseAddress.postgres) ?? .sqlite(path: text)
  }

  /// Tells whether it is a file on this machine.
  package var isFile: Bool {
    if case .sqlite = self { true } else { false }
  }

  /// The path, or the address without a password, to be told to people.
  package var shown: String {
    switch self {
    case .sqlite(let path): path
    case .postgres(let address): address.shown
    }
  }

  /// Connects; a file is made where it is missing.
  ///
  /// - Throws: `database-cannot-open`; of a server `database-unavailable`, `database-address`, `database-password`,
  ///   `database-library`, `database-encoding`.
  package func open(_ access: Access = .readWrite) throws(SQLError) -> any SQLDatabase {
    switch self {
    case .sqlite(let path): try SQLiteConnection(path, access)
    case .postgres(let address): try PostgresDatabase(address, access)
    }
  }
}
