package import MPaaSDatabase
import MPaaSTestSupport

/// The two engines, each with a fresh database.
package enum Engine: String, CaseIterable, Sendable {
  case sqlite
  case postgres

  /// Those that are on this machine.
  package static let installed: [Engine] = PostgresServer.shared == nil ? [.sqlite] : allCases

  /// A database that goes away with this value.
  package struct Place {
    /// The path of the file, or the address.
    package let text: String
    private let folder: TemporaryFolder?

    package init(_ engine: Engine) throws {
      guard engine == .postgres, let server = PostgresServer.shared else {
        let folder = try TemporaryFolder()
        self.folder = folder
        text = folder.path + "/store.sqlite"
        return
      }
      folder = nil
      text = try server.database()
    }

    package var address: DatabaseAddress { DatabaseAddress(text) }

    /// A connection to a database with these tables.
    package func open(_ steps: String...) throws -> any SQLDatabase {
      let database = try address.open()
      try database.migrate(steps)
      return database
    }
  }
}
