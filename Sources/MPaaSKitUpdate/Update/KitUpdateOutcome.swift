/// The outcome of a check, an update or a rollback of an installed kit.
package struct KitUpdateOutcome: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case updated
    /// The version in use is the one that the channel offers.
    case current
    /// There is a newer one, and nothing was changed.
    case available
    case rolledBack = "rolled_back"
  }

  package let kind: Kind
  package let before: String
  package let after: String
  /// The channel that was asked; nil for a rollback.
  package let channel: String?
  /// The news of the version, by language.
  package let notes: [String: String]
  /// Bytes that came, or would come at most; nil where none do.
  package let size: Int?
  /// Tells whether they were the difference between the two versions.
  package let isDelta: Bool

  init(
    _ kind: Kind, before: String, after: String, _ offer: KitOffer?, fetched: KitRelease.File? = nil,
    isDelta: Bool = false
  ) {
    self.kind = kind
    self.before = before
    self.after = after
    self.isDelta = isDelta
    channel = offer?.channel
    notes = kind == .current ? [:] : offer?.release.notes ?? [:]
    size = fetched?.length ?? (kind == .available ? offer?.kit.archive.length : nil)
  }
}
