/// A change that is proposed, approved by others, and published, at once or at a time.
package struct FlagProposal: Codable, Sendable, Equatable, Identifiable {
  package enum State: String, Codable, Sendable, CaseIterable {
    /// It may be approved, published and withdrawn.
    case open
    /// It has its approvals, and is published at the time `at`.
    case scheduled
    case published
    case withdrawn
    /// It could not be published at its time; `reason` says why.
    case failed

    /// Tells whether nothing more happens to it.
    package var isFinal: Bool { [.published, .withdrawn, .failed].contains(self) }
  }

  package var id: String
  package var app: String
  package var environment: String
  package var state: State
  /// The name of the token that made it.
  package var author: String
  package var comment: String
  /// The version that it was made from.
  package var base: Int
  /// The version whose state it brings back.
  package var rollback: Int?
  package var created: Double
  package var updated: Double
  /// The time at which it is to be published, in seconds since 1970.
  package var at: Double?
  /// The version that it became.
  package var version: Int?
  /// The stable word for why it failed.
  package var reason: String?
  package var approvals: [FlagApproval]
  /// The number of approvals that it needs.
  package var needed: Int
  package var changes: [FlagDifference]

  package init(
    id: String, app: String, environment: String, state: State = .open, author: String, comment: String, base: Int,
    rollback: Int? = nil, created: Double, at: Double? = nil, needed: Int
  ) {
    self.id = id
    self.app = app
    self.environment = environment
    self.state = state
    self.author = author
    self.comment = comment
    self.base = base
    self.rollback = rollback
    self.created = created
    updated = created
    self.at = at
    approvals = []
    self.needed = needed
    changes = []
  }
}

/// The approval of a proposal.
package struct FlagApproval: Codable, Sendable, Equatable {
  /// The name of the token.
  package var author: String
  package var time: Double

  package init(author: String, time: Double) {
    self.author = author
    self.time = time
  }
}

/// A list of proposals, the newest first.
package struct FlagProposalPage: Codable, Sendable, Equatable {
  package var proposals: [FlagProposal]

  package init(proposals: [FlagProposal]) { self.proposals = proposals }
}

/// The time at which a proposal is to be published; absent for at once.
package struct FlagPublication: Codable, Sendable, Equatable {
  package var at: Double?

  package init(at: Double? = nil) { self.at = at }
}
