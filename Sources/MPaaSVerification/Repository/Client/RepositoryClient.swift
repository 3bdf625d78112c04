import MPaaSSupport
import MPaaSTime

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The trust of an app in a repository, kept in a folder and brought up to date from mirrors.
///
/// `initialize` puts the root in that came with the app, `refresh` follows the repository, `target` finds a file and
/// `download` brings it. It waits for the network where it is called.
///
/// ```swift
/// var client = RepositoryClient(metadataFolder: folder, fetch: try RepositoryFetch(mirrors: [url], scratch: folder))
/// try client.initialize(root: rootOfTheApp)
/// try client.refresh()
/// if let patch = try client.target("patches/cart/3.mpatch") { try client.download(patch, to: path) }
/// ```
public struct RepositoryClient: Sendable {
  let folder: MetadataFolder
  package private(set) var fetch: RepositoryFetch
  let now: @Sendable () -> Date
  package let limits: RepositoryLimits
  /// The metadata that is trusted since the last `refresh` or `open`; nil before.
  package internal(set) var trusted: TrustedMetadata?
  /// Tells whether nothing may be fetched: what is trusted was opened, not refreshed.
  var isOffline = false

  /// - Parameters:
  ///   - metadataFolder: Where trusted metadata is kept; made when it is needed.
  ///   - now: The clock, which tells what has expired.
  public init(
    metadataFolder: String, fetch: RepositoryFetch, now: @escaping @Sendable () -> Date = { Date() },
    limits: RepositoryLimits = RepositoryLimits()
  ) {
    folder = MetadataFolder(path: metadataFolder, limit: limits.metadata)
    self.fetch = fetch
    self.now = now
    self.limits = limits
  }

  // MARK: - The root of trust

  /// Begins to trust `root`, which came with the app; where a root of the same or a later version is trusted already,
  /// that one stays.
  ///
  /// - Parameter anew: Whether everything that was trusted before is forgotten, unless `root` is what is trusted.
  /// - Throws: `TrustError` where it is no root or not signed by its own keys; nothing is changed then.
  public mutating func initialize(root: [UInt8], anew: Bool = false) throws(TrustError) {
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    let offered = try TrustedMetadata(root: root, start: .distantPast)
    let present = try folder.read("root")
    if anew {
      guard present != root else { return }
      try folder.clear()
    } else if let present, let known = try? TrustedMetadata(root: present, start: .distantPast),
      known.root.version >= offered.root.version
    {
      return
    } else {
      // Signed by keys that may be gone: they are fetched again, and meanwhile nothing is trusted by them.
      for role in [TopRole.timestamp, .snapshot] { try folder.remove(role.rawValue) }
    }
    try folder.write(root, "root")
    trusted = nil
  }

  /// Trusts what was trusted when the last refresh ended, expired or not, and fetches nothing.
  ///
  /// - Throws: `TrustError` `repository-root-missing`, `metadata-missing`, or why what is there is not to be trusted.
  public mutating func open() throws(TrustError) {
    trusted = nil
    isOffline = true
    // Nothing has expired before the beginning of time.
    var metadata = try localRoot(at: .distantPast)
    guard let timestamp = try folder.read("timestamp") else {
      throw TrustError(.metadataMissing, ["name": "timestamp"])
    }
    try metadata.keep(timestamp: timestamp)
    guard let snapshot = try folder.read("snapshot") else { throw TrustError(.metadataMissing, ["name": "snapshot"]) }
    guard try metadata.keep(snapshot: snapshot) else { throw TrustError(.metadataMissing, ["name": "snapshot"]) }
    try loadTargets(TargetsRole(of: metadata.root.body), into: &metadata)
    trusted = metadata
  }

  // MARK: - Following the repository

  /// Brings root, timestamp, snapshot and targets up to date (TUF sections 5.1 to 5.6).
  ///
  /// Metadata that was verified is kept even where a later step fails; `trusted` is nil then.
  ///
  /// - Throws: `TrustError`: why the first file that is not to be trusted is not, or why none came.
  public mutating func refresh() throws(TrustError) {
    trusted = nil
    isOffline = false
    let lock = try folder.lock()
    let patient = fetch
    if let time = limits.refreshTime { fetch = fetch.ending(at: .now + time) }
    defer {
      fetch = patient
      withExtendedLifetime(lock) {}
    }
    let start = now()
    try checkClock(start)
    var metadata = try localRoot(at: start)
    try refreshRoot(&metadata)
    try refreshTimestamp(&metadata)
    try refreshSnapshot(&metadata)
    try loadTargets(TargetsRole(of: metadata.root.body), into: &metadata)
    if limits.refusesClockSetBack { try folder.write(lastTime: max(start, folder.lastTime ?? start)) }
    trusted = metadata
  }

  private func checkClock(_ start: Date) throws(TrustError) {
    guard limits.refusesClockSetBack, let last = folder.lastTime else { return }
    guard start >= last - limits.clockTolerance else {
      throw TrustError(.clockSetBack, ["now": MetadataTime.text(start), "last": MetadataTime.text(last)])
    }
  }

  private func localRoot(at start: Date) throws(TrustError) -> TrustedMetadata {
    guard let bytes = try folder.read("root") else {
      throw TrustError(.repositoryRootMissing, ["path": folder.path])
    }
    return try TrustedMetadata(root: bytes, start: start)
  }

  private func refreshRoot(_ metadata: inout TrustedMetadata) throws(TrustError) {
    for _ in 0..<limits.rootRotations {
      var next = metadata
      var forgets = false
      let name = "\(metadata.root.version + 1).root.json"
      // A mirror that has no newer root is right for all: a wrong root from another one is not to stop the client.
      let bytes = try fetch.metadata(name, limit: limits.root, absenceWins: true) { bytes throws(TrustError) in
        next = metadata
        forgets = try next.update(root: bytes)
      }
      guard let bytes else { break }
      // First those that the new root takes the keys from: ended in between, the old root is still there.
      if forgets { for role in [TopRole.timestamp, .snapshot] { try folder.remove(role.rawValue) } }
      try folder.write(bytes, "root")
      metadata = next
    }
    try metadata.checkRoot()
  }

  private func refreshTimestamp(_ metadata: inout TrustedMetadata) throws(TrustError) {
    // The stored one may be signed by keys that no longer count, or be damaged; then it is as if it were not there.
    if let bytes = try? folder.read("timestamp") { try? metadata.keep(timestamp: bytes) }
    var next = metadata
    var isNew = false
    let bytes = try fetch.metadata("timestamp.json", limit: limits.timestamp) { bytes throws(TrustError) in
      next = metadata
      isNew = try next.update(timestamp: bytes)
    }
    guard let bytes else { throw TrustError(.metadataMissing, ["name": "timestamp.json"]) }
    if isNew { try folder.write(bytes, "timestamp") }
    metadata = next
  }

  private func refreshSnapshot(_ metadata: inout TrustedMetadata) throws(TrustError) {
    if let bytes = try? folder.read("snapshot"), (try? metadata.keep(snapshot: bytes)) == true { return }
    guard let named = metadata.timestamp?.body.snapshot else { return }
    let name = metadata.fileName("snapshot", version: named.version)
    var next = metadata
    let limit = min(named.length ?? limits.snapshot, limits.metadata)
    let bytes = try fetch.metadata(name, limit: limit) { bytes throws(TrustError) in
      next = metadata
      try next.update(snapshot: bytes)
    }
    guard let bytes else { throw TrustError(.metadataMissing, ["name": name]) }
    try folder.write(bytes, "snapshot")
    metadata = next
  }

  /// The file of a role: the one that is known, else the one in the folder, else the repository's.
  @discardableResult
  func loadTargets(_ role: TargetsRole, into metadata: inout TrustedMetadata) throws(TrustError) -> TargetsMetadata {
    if let known = try metadata.known(role) { return known }
    let named = try metadata.file(of: role)
    if let bytes = try? folder.read(role.name), let found = try? metadata.update(targets: bytes, of: role) {
      return found
    }
    let name = metadata.fileName(role.name, version: named.version)
    guard !isOffline else { throw TrustError(.metadataMissing, ["name": name]) }
    var next = metadata
    var found: TargetsMetadata?
    let limit = min(named.length ?? limits.targets, limits.metadata)
    let bytes = try fetch.metadata(name, limit: limit) { bytes throws(TrustError) in
      next = metadata
      found = try next.update(targets: bytes, of: role)
    }
    guard let bytes, let found else { throw TrustError(.metadataMissing, ["name": name]) }
    try folder.write(bytes, role.name)
    metadata = next
    return found
  }
}

extension TrustedMetadata {
  /// The name of a role's file in the repository; with consistent snapshots it has the version in front (section 6).
  func fileName(_ role: String, version: Int) -> String {
    (root.body.consistentSnapshot ? "\(version)." : "") + PercentEncoding.encode(role) + ".json"
  }
}

extension RepositoryFetch {
  /// Gets a metadata file from the first mirror that has one which `verify` lets pass.
  ///
  /// - Parameter absenceWins: Whether there is no such file as soon as one mirror says so and none has a right one.
  /// - Returns: nil where no mirror has such a file.
  /// - Throws: `TrustError` of `verify` where files came and none passed, else why no mirror could be asked.
  func metadata(
    _ name: String, limit: Int, absenceWins: Bool = false, verify: ([UInt8]) throws(TrustError) -> Void
  ) throws(TrustError) -> [UInt8]? {
    var failures = MirrorFailures()
    for source in metadata {
      do throws(TrustError) {
        guard let bytes = try source.metadata(name, limit) else {
          failures.isMissing = true
          continue
        }
        guard bytes.count <= limit else { throw .tooLarge(name, limit) }
        try verify(bytes)
        return bytes
      } catch {
        failures.note(error)
      }
    }
    if absenceWins, failures.isMissing { return nil }
    try failures.raise()
    return nil
  }
}

/// The reasons why no mirror gave what was wanted.
struct MirrorFailures {
  /// Tells whether a mirror said that it has no such file.
  var isMissing = false
  private var verdict: TrustError?
  private var failure: TrustError?

  /// The first refusal tells more than that another mirror could not be reached.
  mutating func note(_ error: TrustError) {
    if error.isUnreachable { failure = failure ?? error } else { verdict = verdict ?? error }
  }

  func raise() throws(TrustError) {
    if let verdict { throw verdict }
    if let failure, !isMissing { throw failure }
  }
}
