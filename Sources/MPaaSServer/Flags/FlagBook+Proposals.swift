import MPaaSDatabase
import MPaaSFlagTools
import MPaaSProtocol
import MPaaSSupport

/// Staged changes: proposed, approved by others than their authors, published at once or at a time.
extension FlagBook {
  /// Proposals of an environment that may be open at a time.
  private static let mostOpen = 1000

  /// Keeps a proposal; where none approves, one with a time is scheduled at once.
  ///
  /// - Throws: `flags-proposal-empty` where nothing would change, `flags-version-conflict`, `flags-version-unknown`,
  ///   `flags-proposals-too-many`, `FlagError`.
  func propose(_ request: FlagChangeRequest, in place: FlagPlace, by grant: Grant) async throws -> FlagProposal {
    try await place.turns { try await follow(place) }
    let before = place.edition
    try Self.check(request.base, before)
    let (sources, _) = try await outcome(of: request.content, in: place)
    let edits = before.sources.edits(to: sources)
    guard !edits.isEmpty else { throw ServerError(.flagsProposalEmpty, ["version": String(before.version)]) }
    var proposal = FlagProposal(
      id: Access.randomBytes(6).hexadecimal, app: place.key.app, environment: place.key.environment,
      author: grant.name, comment: request.comment, base: before.version, created: services.now(), at: request.at,
      needed: approvals)
    if case .rollback(let version) = request.content { proposal.rollback = version }
    if request.at != nil, approvals == 0 { proposal.state = .scheduled }
    proposal.changes = try await services.disk { edits.map(FlagDifference.init) }
    let events = "[\(edits.map { $0.event(before.version) }.joined(separator: ","))]"
    let stored = FlagProposalStore.Stored(proposal: proposal, token: grant.id, events: events)
    try await services.store.write { try FlagProposalStore.insert(stored, limit: Self.mostOpen, in: $0) }
    return proposal
  }

  func proposals(in place: FlagPlace, state: FlagProposal.State?, limit: Int) async throws -> [FlagProposal] {
    let (key, needed) = (place.key, approvals)
    return try await services.store.read { database in
      try FlagProposalStore.proposals(key, state: state, limit: limit, needed: needed, in: database)
    }
  }

  /// - Throws: `flags-proposal-unknown`.
  func proposal(_ id: String, in place: FlagPlace) async throws -> FlagProposal {
    try await stored(id, place.key).proposal
  }

  private func stored(_ id: String, _ key: FlagPlace.Key) async throws -> FlagProposalStore.Stored {
    let needed = approvals
    return try await services.store.read { try Self.stored(id, key, needed, in: $0) }
  }

  private static func stored(
    _ id: String, _ key: FlagPlace.Key, _ needed: Int, in database: any SQLDatabase
  ) throws -> FlagProposalStore.Stored {
    guard let stored = try FlagProposalStore.proposal(id, key, needed: needed, in: database) else {
      throw ServerError(.flagsProposalUnknown, ["proposal": id])
    }
    return stored
  }

  /// A proposal that something may still happen to.
  ///
  /// - Throws: `flags-proposal-unknown`, `flags-proposal-closed`.
  private static func open(
    _ id: String, _ key: FlagPlace.Key, _ needed: Int, in database: any SQLDatabase
  ) throws -> FlagProposalStore.Stored {
    let stored = try stored(id, key, needed, in: database)
    guard !stored.proposal.state.isFinal else {
      throw ServerError(.flagsProposalClosed, ["proposal": id, "state": stored.proposal.state.rawValue])
    }
    return stored
  }

  /// Approves a proposal in the name of a token, which is not its author's.
  ///
  /// - Throws: `flags-approval-own`, `flags-proposal-unknown`, `flags-proposal-closed`.
  func approve(_ id: String, in place: FlagPlace, by grant: Grant) async throws -> FlagProposal {
    let (key, needed, now) = (place.key, approvals, services.now())
    return try await services.store.write { database in
      let stored = try Self.open(id, key, needed, in: database)
      guard stored.token != grant.id else { throw ServerError(.flagsApprovalOwn, ["proposal": id]) }
      try FlagProposalStore.approve(id, grant, at: now, in: database)
      return try Self.stored(id, key, needed, in: database).proposal
    }
  }

  /// Ends a proposal without publishing it.
  ///
  /// - Throws: `flags-proposal-unknown`, `flags-proposal-closed`.
  func withdraw(_ id: String, in place: FlagPlace) async throws -> FlagProposal {
    let (key, needed, now) = (place.key, approvals, services.now())
    return try await services.store.write { database in
      var proposal = try Self.open(id, key, needed, in: database).proposal
      proposal.state = .withdrawn
      proposal.updated = now
      try FlagProposalStore.keep(proposal, in: database)
      return proposal
    }
  }

  /// Publishes a proposal that has its approvals, or schedules it where its time is to come.
  ///
  /// - Parameter time: The time; nil for the one that it was proposed with, or for now where it is scheduled already.
  /// - Throws: `flags-approvals-missing`, `flags-proposal-stale`, `flags-proposal-unknown`, `flags-proposal-closed`,
  ///   `FlagError`.
  func publish(_ id: String, in place: FlagPlace, at time: Double?) async throws -> FlagProposal {
    let (key, needed, now) = (place.key, approvals, services.now())
    return try await place.turns {
      try await follow(place)
      let stored = try await services.store.read { try Self.open(id, key, needed, in: $0) }
      var proposal = stored.proposal
      guard proposal.approvals.count >= needed else {
        throw ServerError(
          .flagsApprovalsMissing,
          ["proposal": id, "approvals": String(proposal.approvals.count), "needed": String(needed)])
      }
      proposal.updated = now
      if let at = time ?? (proposal.state == .open ? proposal.at : nil), at > now {
        (proposal.state, proposal.at) = (.scheduled, at)
        let scheduled = proposal
        try await services.store.write { try FlagProposalStore.keep(scheduled, in: $0) }
        return proposal
      }
      return try await publish(stored, as: proposal, in: place)
    }
  }

  private func publish(
    _ stored: FlagProposalStore.Stored, as proposal: FlagProposal, in place: FlagPlace
  ) async throws -> FlagProposal {
    let (sources, state) = try await outcome(of: .events(stored.events), in: place)
    try await checkFreshness(proposal, in: place)
    var published = proposal
    published.state = .published
    let done = published
    let origin = Origin(
      author: proposal.author, comment: proposal.comment, rollback: proposal.rollback, proposal: proposal.id)
    let version = try await publish(sources, state, in: place, origin) { database, version in
      var proposal = done
      proposal.version = version
      try FlagProposalStore.keep(proposal, in: database)
    }
    published.version = version?.version ?? place.edition.version
    if version == nil {
      let unchanged = published
      try await services.store.write { try FlagProposalStore.keep(unchanged, in: $0) }
    }
    return published
  }

  /// Refuses a proposal of something that has been changed since it was made.
  private func checkFreshness(_ proposal: FlagProposal, in place: FlagPlace) async throws {
    let (key, base) = (place.key, proposal.base)
    let changed = try await services.store.read { try FlagStore.items(key, after: base, in: $0) }
    let stale = proposal.changes.first { difference in
      FlagItem(kind: difference.subject, name: difference.name).map(changed.contains) ?? false
    }
    guard let stale else { return }
    throw ServerError(.flagsProposalStale, ["proposal": proposal.id, "subject": stale.name])
  }

  /// Publishes what is due; a proposal that cannot be is marked as failed, with the reason.
  func publishDue() async {
    let now = services.now()
    guard let due = try? await services.store.read({ try FlagProposalStore.due(at: now, in: $0) }) else { return }
    for (id, key) in due {
      guard let place = try? place(app: key.app, environment: key.environment) else { continue }
      do {
        _ = try await publish(id, in: place, at: nil)
      } catch {
        await fail(id, in: place, error)
      }
    }
  }

  /// Marks a proposal as failed, unless the reason is one that passes.
  private func fail(_ id: String, in place: FlagPlace, _ error: any Error) async {
    guard let refusal = Refusal(any: error), ![.full, .busy, .fault].contains(refusal.error.code) else { return }
    let (key, needed, now) = (place.key, approvals, services.now())
    _ = try? await services.store.write { database in
      var proposal = try Self.open(id, key, needed, in: database).proposal
      proposal.state = .failed
      proposal.reason = refusal.error.code.id.name
      proposal.updated = now
      try FlagProposalStore.keep(proposal, in: database)
    }
  }
}
