import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A file of the store as commands show it.
struct StoredSymbolsRow: Encodable, Sendable {
  let buildID: String
  let role: String
  let name: String
  let origin: String
  let path: String
  let size: UInt64
  let architecture: String
  let sections: [String]
  let added: String
  let lastUsed: String
  /// The version of the system that a library is from.
  let system: String?

  private enum CodingKeys: String, CodingKey {
    case buildID = "build_id"
    case role, name, origin, path, size, architecture, sections, added, system
    case lastUsed = "last_used"
  }

  init(_ stored: StoredSymbols, in store: SymbolStore) {
    buildID = stored.buildID.hex
    role = stored.role.rawValue
    name = stored.name
    origin = stored.origin
    path = store.path(of: stored)
    size = stored.size
    architecture = stored.architecture
    sections = stored.sections
    added = Self.time(stored.added)
    lastUsed = Self.time(store.lastUse(of: stored))
    system = stored.system
  }

  private static func time(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
  }

  static func table(_ rows: [StoredSymbolsRow], _ catalogue: Catalogue) -> Table {
    Table(
      columns: [
        .init(catalogue.text("text.symbols-build-id")), .init(catalogue.text("text.symbols-role")),
        .init(catalogue.text("text.symbols-size"), isNumeric: true), .init(catalogue.text("text.symbols-architecture")),
        .init(catalogue.text("text.symbols-name")),
      ],
      rows: rows.map { row in
        [
          StyledText(row.buildID, .address), StyledText(catalogue.text("text.symbols-role-\(row.role)")),
          StyledText(ByteCount(row.size).description, .number), StyledText(row.architecture),
          StyledText(row.name, .emphasis),
        ]
      })
  }
}
