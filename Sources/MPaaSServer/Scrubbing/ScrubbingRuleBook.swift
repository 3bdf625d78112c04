import MPaaSDatabase
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rules of all apps, as the database has them.
final class ScrubbingRuleBook: Sendable {
  private static let builtin = Scrubber(ScrubbingRules())
  private let scrubbers = Mutex<[String: Scrubber]>([:])

  /// Reads the rules of all apps.
  func begin(from store: ServerStore) async throws {
    let rows = try await store.read { database in
      try database.rows("SELECT app, rules FROM scrubbing_rules") { ($0.text(0), $0.text(1)) }
    }
    for (app, json) in rows {
      // Rules that a later release wrote, and cannot be read here, are no reason to scrub less.
      guard let rules = try? JSONDecoder().decode(ScrubbingRules.self, from: Data(json.utf8)) else { continue }
      scrubbers.withLock { $0[app] = Scrubber(rules) }
    }
  }

  func scrubber(of app: String) -> Scrubber { scrubbers.withLock { $0[app] } ?? Self.builtin }

  /// Keeps the rules of an app; what is read from now on follows them.
  func set(_ rules: ScrubbingRules, of app: String, in store: ServerStore) async throws {
    let json = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
    try await store.write { database in
      try database.run(
        """
        INSERT INTO scrubbing_rules (app, rules) VALUES (?, ?) ON CONFLICT (app) DO UPDATE SET rules = excluded.rules
        """, [.text(app), .text(json)])
      try SharedEdition.scrubbing.grow(in: database)
    }
    scrubbers.withLock { $0[app] = Scrubber(rules) }
  }
}
