import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new repository, its keys by the words that a user named them with.
package struct RepositoryCreation: Sendable {
  /// A role with a word: the name of a key, or a number of days.
  package struct Assignment: Sendable, Equatable {
    package let role: String
    package let value: String

    package init(role: String, value: String) {
      self.role = role
      self.value = value
    }
  }

  package let folder: String
  /// The keys of root and targets; where none is named, the only one that this machine has for both.
  package var offline: [String] = []
  /// The keys of snapshot, timestamp and director; where none is named, one is made.
  package var online: [String] = []
  /// Keys of single roles, which take the place of those.
  package var keys: [Assignment] = []
  /// Days until what a role says expires.
  package var days: [Assignment] = []
  /// The signatures that root and targets need; nil for more than half.
  package var threshold: Int?
  /// The names that the director vouches for: nil for the usual ones, empty for no director.
  package var directorPaths: [String]?

  package init(_ folder: String) {
    self.folder = folder
  }

  /// Makes the repository.
  ///
  /// - Returns: What became of it, and the name of the key that was made for it.
  /// - Throws: `TrustError` `repository-exists`, `role-unknown`, `registry-bad-days`, `registry-keys-needed`, of keys that
  ///   are not good for their roles; what opening throws. A key that was made is removed where no repository has it.
  package func run(
    with keyring: RepositoryKeyring
  ) throws -> (outcome: RepositoryEditor.Outcome, madeKey: String?) {
    let offline = try offlineWords(keyring.store).map { try keyring.key($0) }
    let assigned = try Dictionary(grouping: keys, by: \.role).mapValues { list in
      try list.map { try keyring.key($0.value) }
    }
    for role in assigned.keys where TopRole(rawValue: role) == nil { throw TrustError(.roleUnknown, ["role": role]) }
    var settings = try self.settings
    guard !isTaken else { throw TrustError(.repositoryExists, ["path": folder]) }
    let time = keyring.store.now()
    try Self.check(offline, for: ["root", "targets"].filter { assigned[$0] == nil }, at: time)
    for (role, keys) in assigned { try Self.check(keys, for: [role], at: time) }
    let named = try online.map { try keyring.key($0) }
    var all: [RepositoryKey] = []
    for key in offline + assigned.values.joined() + named where !all.contains(where: { $0.word == key.word }) {
      all.append(key)
    }
    var signers = try keyring.open(all)
    // A key is made only when the passphrases of the others were right.
    let made = online.isEmpty ? try makeOnlineKey(keyring.store) : nil
    do {
      let online = try made.map { [try keyring.key($0)] } ?? named
      try Self.check(online, for: ["snapshot", "timestamp"].filter { assigned[$0] == nil }, at: time)
      if made != nil { signers += try keyring.open(online) }
      settings.onlineKeys = made.map { [$0] } ?? self.online
      let plan = plan(settings, offline: offline, online: online, assigned: assigned)
      return (try RepositoryEditor(folder, now: keyring.store.now).create(plan, keys: signers), made)
    } catch {
      if let made, FileStatus(folder + "/registry.json") == nil { try? keyring.store.remove(made) }
      throw error
    }
  }

  /// The days for which what each role signs is valid, the shortest first.
  ///
  /// - Throws: `TrustError` `registry-bad-days`.
  package var validity: [RoleValidity] {
    get throws(TrustError) {
      let settings = try settings
      let director = directorPaths?.isEmpty == true ? [] : [RepositoryEditor.director]
      return (["timestamp", "snapshot"] + director + ["targets", "root"]).map { role in
        RoleValidity(role: role, days: settings.days(of: role), isOnline: !["targets", "root"].contains(role))
      }
    }
  }

  private var settings: RepositorySettings {
    get throws(TrustError) {
      var settings = RepositorySettings()
      for entry in days {
        guard let days = Int(entry.value), (1...36_500).contains(days) else {
          throw TrustError(.badDays, ["role": entry.role, "value": entry.value])
        }
        settings.days[entry.role] = days
      }
      return settings
    }
  }

  /// True if a repository is there, or other files stand in the place of its metadata.
  private var isTaken: Bool {
    let place = RepositoryFolder(folder)
    return place.isBegun || (try? FileSystem.names(in: place.metadata))?.isEmpty == false
  }

  private func plan(
    _ settings: RepositorySettings, offline: [RepositoryKey], online: [RepositoryKey],
    assigned: [String: [RepositoryKey]]
  ) -> RepositoryEditor.Plan {
    var plan = RepositoryEditor.Plan(offline: offline.map(\.publicKey), online: online.map(\.publicKey))
    plan.settings = settings
    if let keys = assigned["root"] { plan.root = keys.map(\.publicKey) }
    if let keys = assigned["targets"] { plan.targets = keys.map(\.publicKey) }
    plan.threshold = threshold ?? (plan.root.count / 2 + 1)
    plan.targetsThreshold = min(threshold ?? (plan.targets.count / 2 + 1), plan.targets.count)
    plan.snapshot = assigned["snapshot"]?.map(\.publicKey)
    plan.timestamp = assigned["timestamp"]?.map(\.publicKey)
    if let directorPaths { plan.directorPaths = directorPaths }
    return plan
  }

  private static func check(_ keys: [RepositoryKey], for roles: [String], at time: Date) throws(TrustError) {
    for key in keys { for role in roles { try key.check(for: role, at: time) } }
  }

  private func offlineWords(_ store: KeyStore) throws(TrustError) -> [String] {
    if !offline.isEmpty || Set(keys.map(\.role)).isSuperset(of: ["root", "targets"]) { return offline }
    let able = try store.names().filter { name in
      guard let record = try? store.record(name), (try? record.publicKey.verificationKey()) != nil else {
        return false
      }
      return [KeyRole.root, .targets].allSatisfy { (try? record.check(for: $0, at: store.now())) != nil }
    }
    guard able.count == 1 else { throw TrustError(.registryKeysNeeded, ["count": String(able.count)]) }
    return able
  }

  /// Makes a key of the online roles, without a passphrase, that is called as the folder is.
  private func makeOnlineKey(_ store: KeyStore) throws(TrustError) -> String {
    let resolved = FileSystem.resolved(folder) ?? folder
    let allowed = FileSystem.name(of: resolved).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    let base = (allowed.first == "-" || allowed.isEmpty ? "repository" : String(allowed.prefix(40))) + "-online"
    let taken = Set(try store.names())
    let name = taken.contains(base) ? (2...999).map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base : base
    _ = try store.generate(name, roles: [.snapshot, .timestamp, .director], passphrase: nil)
    return name
  }
}

extension TrustError.Code {
  package static let badDays = TrustError.Code("registry-bad-days", exit: .usage)
  static let registryKeysNeeded = TrustError.Code("registry-keys-needed", exit: .usage)
}
