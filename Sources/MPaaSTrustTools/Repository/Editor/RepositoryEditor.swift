import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Makes and changes a signed repository in a folder, so that what is published is valid at any moment.
///
/// A change is staged first, signed by those keys that are at hand, and published once all signatures are there: new
/// content, the metadata that vouches for it, the snapshot, and last the timestamp, which is what readers begin with.
/// Killed in between, the next editor takes it up where it stopped.
package struct RepositoryEditor: Sendable {
  package let folder: RepositoryFolder
  package var now: @Sendable () -> Date

  package init(_ path: String, now: @escaping @Sendable () -> Date = { Date() }) {
    folder = RepositoryFolder(path)
    self.now = now
  }

  /// The outcome of a change.
  package struct Outcome: Sendable, Equatable, Encodable {
    package struct Published: Sendable, Equatable, Encodable {
      package let role: String
      package let version: Int
      package let expires: String
    }

    /// The roles whose new metadata readers see now.
    package internal(set) var published: [Published] = []
    /// The staged roles that wait for signatures.
    package internal(set) var pending: [PendingRole] = []
    /// Online roles whose keys are needed before anything staged can go out.
    package internal(set) var blocked: [PendingRole] = []

    /// Tells whether everything that was staged is published.
    package var isComplete: Bool { pending.isEmpty && blocked.isEmpty }
  }

  /// The keys of a new repository.
  package struct Plan: Sendable {
    package var root: [VerificationKey]
    package var targets: [VerificationKey]
    /// The threshold of root and targets.
    package var threshold: Int
    package var targetsThreshold: Int?
    /// The keys of snapshot and timestamp, and of the director where there is one; one of them signs.
    package var online: [VerificationKey]
    package var snapshot: [VerificationKey]?
    package var timestamp: [VerificationKey]?
    /// The names that the director vouches for; empty where there is none.
    package var directorPaths: [String] = [RepositoryEditor.directorPaths]
    package var settings = RepositorySettings()

    /// - Parameter offline: The keys of root and targets.
    package init(offline: [VerificationKey], threshold: Int = 1, online: [VerificationKey]) {
      root = offline
      targets = offline
      self.threshold = threshold
      self.online = online
    }
  }

  /// The online role that signs what narrows, pauses or ends a rollout.
  package static let director = "director"
  package static let directorPaths = "rollout/*"

  /// Makes a new repository, and publishes it where `keys` are enough.
  ///
  /// - Throws: `TrustError` `repository-exists`, `role-threshold`.
  package func create(_ plan: Plan, keys: [SigningKey]) throws(TrustError) -> Outcome {
    do throws(FileError) { try Directories.create(folder.path) } catch { throw TrustError(error) }
    return try folder.locked { () throws(TrustError) in
      guard !folder.isBegun else { throw TrustError(.repositoryExists, ["path": folder.path]) }
      var draft = RepositoryDraft(empty: folder, now: now())
      draft.settings = plan.settings
      try draft.begin(plan)
      return try finish(&draft, keys: keys)
    }
  }

  /// Changes the repository: `change` edits the draft, which is then signed with `keys` and published as far as it is
  /// complete.
  package func edit(
    keys: [SigningKey], roles: Set<String>? = nil, renewing renewal: Renewal = .nothing,
    _ change: (inout RepositoryDraft) throws(TrustError) -> Void
  ) throws(TrustError) -> Outcome {
    guard FileStatus(folder.path)?.kind == .folder else {
      throw TrustError(.repositoryMissing, ["path": folder.path])
    }
    // The lock file is not made in folders that are none of ours.
    guard folder.isBegun else { throw TrustError(.repositoryMissing, ["path": folder.path]) }
    return try folder.locked { () throws(TrustError) in
      var draft = try RepositoryDraft(reading: folder, now: now())
      try change(&draft)
      return try finish(&draft, keys: keys, roles: roles, renewing: renewal)
    }
  }

  /// Signs what is staged with `keys` and publishes what is complete.
  package func sign(with keys: [SigningKey], roles: Set<String>? = nil) throws(TrustError) -> Outcome {
    try edit(keys: keys, roles: roles) { _ in }
  }

  /// Renews timestamp, and snapshot and the online roles in the second half of their time; all of them with `all`.
  package func refresh(with keys: [SigningKey], all: Bool = false) throws(TrustError) -> Outcome {
    try edit(keys: keys, renewing: all ? .all : .due) { draft throws(TrustError) in
      for role in draft.settings.onlineRoles {
        guard let file = try draft.publishedRole(role), draft.staged[role] == nil else { continue }
        if all || draft.isHalfway(file.body.header, role) { try draft.renew(role) }
      }
    }
  }

  /// The repository as it is, for looking at; nothing is locked or written.
  package func read() throws(TrustError) -> RepositoryDraft {
    try RepositoryDraft(reading: folder, now: now())
  }

  private func finish(
    _ draft: inout RepositoryDraft, keys: [SigningKey], roles: Set<String>? = nil, renewing renewal: Renewal = .nothing
  ) throws(TrustError) -> Outcome {
    try draft.signAnewWhereKeysChange()
    try draft.sign(with: keys, roles: roles)
    try draft.save()
    let (publication, blocked) = try draft.publication(with: keys, renewing: renewal)
    var outcome = Outcome(blocked: blocked)
    if let publication {
      outcome.published = try draft.publish(publication)
      // Metadata that just went out with the old keys has to be signed by those to come as well.
      try draft.signAnewWhereKeysChange()
      try draft.sign(with: keys, roles: roles)
      try draft.save()
    }
    outcome.pending = try draft.pending()
    return outcome
  }
}

extension RepositoryDraft {
  /// The first metadata of a new repository.
  mutating func begin(_ plan: RepositoryEditor.Plan) throws(TrustError) {
    let targetsThreshold = plan.targetsThreshold ?? plan.threshold
    try Self.checkThreshold(plan.threshold, of: plan.root, role: "root")
    try Self.checkThreshold(targetsThreshold, of: plan.targets, role: "targets")
    var keys = MetadataKeys()
    func role(_ holders: [VerificationKey], _ threshold: Int = 1) -> RoleKeys {
      for key in holders { keys.insert(key) }
      return RoleKeys(keyIDs: holders.map(\.keyID), threshold: threshold)
    }
    let roles: [TopRole: RoleKeys] = [
      .root: role(plan.root, plan.threshold), .targets: role(plan.targets, targetsThreshold),
      .snapshot: role(plan.snapshot ?? plan.online), .timestamp: role(plan.timestamp ?? plan.online),
    ]
    for (name, keys) in roles where keys.keyIDs.isEmpty {
      throw TrustError(.roleThreshold, ["role": name.rawValue, "threshold": "1", "keys": "0"])
    }
    let header = MetadataHeader(version: 1, expires: settings.expiry(of: "root", from: now))
    stagedRoot = try SignedMetadata(RootMetadata(header: header, keys: keys, roles: roles))
    try stage(TargetsMetadata(header: header), as: "targets")
    if !plan.directorPaths.isEmpty, !plan.online.isEmpty {
      let director = NewRole(
        RepositoryEditor.director, paths: plan.directorPaths, keys: plan.online, isTerminating: true, isOnline: true)
      try delegate(director)
    }
  }
}

extension TrustError.Code {
  package static let repositoryExists = TrustError.Code("repository-exists", exit: .cannotCreate)
}
