import ServingKit

/// Proxies and their HTTP API, served until the program is asked to end.
package struct NetworkServing: ServedWork {
  package static let name = "proxies"

  /// The times when the state that an earlier server at the address left is brought back.
  package enum Restoration: String, Codable, Sendable {
    case afterKill, always, never
  }

  package let address: String
  /// Tells whether other machines may reach the API.
  package let isPublic: Bool
  /// Names beside addresses and `localhost` that requests may call the server by.
  package let hosts: Set<String>
  /// The file of the configuration.
  package let configuration: String?
  package let restoration: Restoration
  /// The file of the journal.
  package let journal: String?
  /// The version that the API tells.
  package let version: String

  package init(
    address: String, isPublic: Bool, hosts: Set<String>, configuration: String?, restoration: Restoration,
    journal: String?, version: String
  ) {
    self.address = address
    self.isPublic = isPublic
    self.hosts = hosts
    self.configuration = configuration
    self.restoration = restoration
    self.journal = journal
    self.version = version
  }
}
