import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension RepositoryClient {
  /// The time when the last refresh that ended well began; nil where there was none.
  package var lastRefresh: Date? { folder.lastTime }

  /// Tells whether a root is trusted, whatever else is there.
  package var hasRoot: Bool { (try? folder.read("root")) != nil }

  /// The first expiry of all files that are trusted now, and of which role it is; nil where nothing is trusted.
  package var firstExpiry: (role: String, expires: Date)? {
    guard let trusted else { return nil }
    var all = [("root", trusted.root.body.header.expires)]
    if let file = trusted.timestamp { all.append(("timestamp", file.body.header.expires)) }
    if let file = trusted.snapshot { all.append(("snapshot", file.body.header.expires)) }
    for (role, file) in trusted.listed.sorted(by: { $0.key < $1.key }) { all.append((role, file.body.header.expires)) }
    return all.min { $0.1 < $1.1 }.map { (role: $0.0, expires: $0.1) }
  }

  /// All files whose names begin with `prefix`, a folder with its `/`, each as `target` would find it, sorted by name;
  /// the repository is refreshed first, or opened again, where that was not done yet.
  ///
  /// - Throws: `TrustError` where a role that may vouch for such names is not to be trusted, or there are more of them
  ///   than `limits.listedRoles`.
  package mutating func targets(under prefix: String) throws(TrustError) -> [TrustedTarget] {
    if trusted == nil { if isOffline { try open() } else { try refresh() } }
    guard var metadata = trusted else { return [] }
    let lock = isOffline ? nil : try folder.lock()
    defer {
      trusted = metadata
      withExtendedLifetime(lock) {}
    }
    var listing = TargetListing(under: prefix, from: TargetsRole(of: metadata.root.body), limits: limits)
    while let role = try listing.next() { listing.take(try loadTargets(role, into: &metadata), of: role) }
    var targets: [TrustedTarget] = []
    for name in listing.names.sorted() {
      if let target = try listing.find(
        name.text, load: { role throws(TrustError) in try loadTargets(role, into: &metadata) })
      {
        targets.append(target)
      }
    }
    return targets
  }
}

extension RepositoryClient {
  /// The metadata files that are trusted now, byte for byte and by the names that they have in the repository.
  ///
  /// - Throws: `TrustError` where one cannot be read, or is another meanwhile.
  package func trustedFiles() throws(TrustError) -> [(name: String, bytes: [UInt8])] {
    guard let trusted else { return [] }
    func bytes<Body>(_ role: String, _ known: SignedMetadata<Body>) throws(TrustError) -> [UInt8] {
      guard let bytes = try folder.read(role),
        try TrustedMetadata.read(bytes, as: Body.self).canonical == known.canonical
      else { throw TrustError(.metadataMissing, ["name": role]) }
      return bytes
    }
    var files = [("\(trusted.root.version).root.json", try bytes("root", trusted.root))]
    if let timestamp = trusted.timestamp { files.append(("timestamp.json", try bytes("timestamp", timestamp))) }
    if let snapshot = trusted.snapshot {
      files.append((trusted.fileName("snapshot", version: snapshot.version), try bytes("snapshot", snapshot)))
    }
    for (role, file) in trusted.listed {
      files.append((trusted.fileName(role, version: file.version), try bytes(role, file)))
    }
    return files.map { (name: $0.0, bytes: $0.1) }
  }
}

/// The way through all roles that may vouch for names under a prefix.
private struct TargetListing {
  private let prefix: String
  private let top: TargetsRole
  private let limits: RepositoryLimits
  private var waiting: [TargetsRole]
  /// The files that were read, by role, and by whose word it was verified.
  private var files: ExactMap<[(role: TargetsRole, file: TargetsMetadata)]> = [:]
  private var count = 0
  private(set) var names: Set<ExactName> = []

  init(under prefix: String, from top: TargetsRole, limits: RepositoryLimits) {
    self.prefix = prefix
    self.top = top
    self.limits = limits
    waiting = [top]
  }

  mutating func next() throws(TrustError) -> TargetsRole? {
    while let role = waiting.popLast() {
      if known(role) != nil { continue }
      count += 1
      guard count <= limits.listedRoles else {
        throw TrustError(.metadataTooManyRoles, ["limit": String(limits.listedRoles)])
      }
      return role
    }
    return nil
  }

  mutating func take(_ file: TargetsMetadata, of role: TargetsRole) {
    files[role.name, default: []].append((role, file))
    for name in file.targets.keys where name.utf8.starts(with: prefix.utf8) { names.insert(ExactName(name)) }
    guard let delegations = file.delegations else { return }
    for next in delegations.roles(under: prefix, atMost: limits.listedRoles) {
      waiting.append(TargetsRole(name: next.name, role: next.keys, keys: delegations.keys.known))
    }
  }

  /// Looks a name up by the rules of delegation, over the files that were read.
  ///
  /// A file is verified once for each role that hands names to it, not once a name: there may be thousands.
  mutating func find(
    _ name: String, load: (TargetsRole) throws(TrustError) -> TargetsMetadata
  ) throws(TrustError) -> TrustedTarget? {
    var search = TargetSearch(for: name, from: top, visits: limits.delegationVisits)
    while let role = try search.next() {
      let file: TargetsMetadata
      if let known = known(role) {
        file = known
      } else {
        file = try load(role)
        files[role.name, default: []].append((role, file))
      }
      if let target = search.target(in: file, of: role) { return target }
    }
    return nil
  }

  private func known(_ role: TargetsRole) -> TargetsMetadata? {
    files[role.name]?.first { $0.role.role == role.role && $0.role.keys == role.keys }?.file
  }
}

extension Delegations {
  /// The roles that may vouch for some name under `prefix`; of bins no more than `limit` and one.
  fileprivate func roles(under prefix: String, atMost limit: Int) -> [(name: String, keys: RoleKeys)] {
    switch roles {
    case .listed(let list): return list.filter { $0.scope.reaches(under: prefix) }.map { ($0.name, $0.keys) }
    case .succinct(let bins):
      let all = bins.bitLength >= 32 ? UInt64(1) << 32 : UInt64(1) << UInt64(max(bins.bitLength, 0))
      return (0..<UInt32(min(all, UInt64(limit) + 1))).map { (bins.bin(at: $0), bins.keys) }
    }
  }
}

extension DelegatedRole.Scope {
  /// Tells whether the role may vouch for some name that begins with `prefix`.
  fileprivate func reaches(under prefix: String) -> Bool {
    guard case .paths(let patterns) = self else { return true }
    let folders = prefix.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      .dropLast()
    return patterns.contains { pattern in
      let parts = pattern.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      return parts.count > folders.count
        && PathPattern.matches(
          parts.prefix(folders.count).joined(separator: "/"), folders.joined(separator: "/"))
    }
  }
}

extension TrustError.Code {
  package static let metadataTooManyRoles = refused("metadata-too-many-roles")
}

extension RepositoryFetch {
  /// A metadata file of the first mirror that has it, not trusted yet; nil where none has.
  package func metadataFile(_ name: String, limit: Int) throws(TrustError) -> [UInt8]? {
    try metadata(name, limit: limit, absenceWins: true) { _ in }
  }
}
