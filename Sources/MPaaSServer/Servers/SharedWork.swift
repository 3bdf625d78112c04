/// A work in the background that one server of a console does at a time.
enum SharedWork: String, Sendable, CaseIterable {
  /// Freeing what is older than it is kept, and waking issues.
  case upkeep
  /// Looking at the rules of alerts; each of their messages is claimed by whichever server sends it.
  case alerts
  /// Grouping crashes anew, and taking away reports that others are packed against.
  case regrouping
  /// Looking for symbols that have come late.
  case symbols
  /// Keeping within the budget of the disk, and for days.
  case budget
  /// Removing blobs.
  case removals
  /// Sending campaigns.
  case campaigns
  /// Publishing changes of flags whose time has come.
  case proposals
}
