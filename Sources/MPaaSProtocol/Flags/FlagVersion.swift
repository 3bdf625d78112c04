/// A version of an environment's flags: who made it, when, why, and its difference from the one before.
package struct FlagVersion: Codable, Sendable, Equatable {
  /// The number of the version; 0 is the environment as it was made, without flags.
  package var version: Int
  /// The name of the token that made it.
  package var author: String
  /// Seconds since 1970.
  package var time: Double
  package var comment: String
  /// The version whose state it brought back.
  package var rollback: Int?
  /// The proposal that was published with it.
  package var proposal: String?
  /// The numbers of flags and segments that are new, gone, or say something else.
  package var added: Int
  package var removed: Int
  package var changed: Int
  /// The changes; lists name the first few only, without their members.
  package var changes: [FlagDifference]

  package init(
    version: Int, author: String, time: Double, comment: String, rollback: Int? = nil, proposal: String? = nil,
    changes: [FlagDifference] = []
  ) {
    self.version = version
    self.author = author
    self.time = time
    self.comment = comment
    self.rollback = rollback
    self.proposal = proposal
    added = changes.count { $0.kind == .added }
    removed = changes.count { $0.kind == .removed }
    changed = changes.count { $0.kind == .changed }
    self.changes = changes
  }

  /// The version as lists have it: at most so many changes, without their members.
  package func shortened(to count: Int) -> FlagVersion {
    var short = self
    short.changes = changes.prefix(count).map { FlagDifference(kind: $0.kind, subject: $0.subject, name: $0.name) }
    return short
  }
}

/// The difference of one flag or segment between two states.
package struct FlagDifference: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable, CaseIterable { case added, removed, changed }

  package var kind: Kind
  /// `flag` or `segment`.
  package var subject: String
  /// The name of the flag, or the number of the segment.
  package var name: String
  /// The members that differ, with both values in a line of text.
  package var members: [Member]

  package struct Member: Codable, Sendable, Equatable {
    package var member: String
    package var before: String
    package var after: String

    package init(member: String, before: String, after: String) {
      self.member = member
      self.before = before
      self.after = after
    }
  }

  package init(kind: Kind, subject: String, name: String, members: [Member] = []) {
    self.kind = kind
    self.subject = subject
    self.name = name
    self.members = members
  }
}

/// A part of the history, the newest version first; the next part is asked for with `before` and the last one's number.
package struct FlagHistoryPage: Codable, Sendable, Equatable {
  package var app: String
  package var environment: String
  package var versions: [FlagVersion]

  package init(app: String, environment: String, versions: [FlagVersion]) {
    self.app = app
    self.environment = environment
    self.versions = versions
  }
}
