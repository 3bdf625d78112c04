/// The role that a key may speak for: a role of a repository, or a kind of thing that is signed.
package struct KeyRole: Sendable, Hashable, RawRepresentable {
  package let rawValue: String

  /// Takes up to 64 lower-case letters, digits, `-`, `.`, `_` and `/`, such as `sdk/cart`; nil for any other text.
  package init?(rawValue: String) {
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-._/")
    guard (1...64).contains(rawValue.utf8.count), rawValue.allSatisfy(allowed.contains), rawValue.first != "/",
      rawValue.last != "/"
    else { return nil }
    self.rawValue = rawValue
  }

  private init(known: String) {
    rawValue = known
  }

  package static let root = KeyRole(known: "root")
  package static let targets = KeyRole(known: "targets")
  package static let snapshot = KeyRole(known: "snapshot")
  package static let timestamp = KeyRole(known: "timestamp")
  /// Signs rollout documents.
  package static let director = KeyRole(known: "director")
  /// Signs hotpatches.
  package static let patches = KeyRole(known: "patches")
  /// Signs SDK modules.
  package static let modules = KeyRole(known: "modules")
  /// Signs hotpatches of the first format.
  package static let legacy = KeyRole(known: "legacy")

  package static let known: [KeyRole] = [
    .root, .targets, .snapshot, .timestamp, .director, .patches, .modules, .legacy,
  ]

  /// Tells whether a key of this role may speak for `other`: the same role, or one under it as `sdk/cart` is under
  /// `sdk`.
  package func covers(_ other: KeyRole) -> Bool {
    other == self || other.rawValue.hasPrefix(rawValue + "/")
  }
}
