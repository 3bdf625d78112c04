import MPaaSDigests
import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The fault of a published repository, present or near.
package struct RepositoryFinding: Sendable, Equatable, Encodable {
  package enum Severity: String, Sendable, Encodable {
    /// Readers refuse the repository, or a part of it.
    case problem
    /// Readers still accept it.
    case warning
    /// Could be safer.
    case advice
  }

  package enum Kind: String, Sendable, Encodable, CaseIterable {
    case unreadable, missing
    case belowThreshold = "below-threshold"
    case wrongVersion = "wrong-version"
    case wrongDigest = "wrong-digest"
    case expired
    case expiresSoon = "expires-soon"
    case targetMissing = "target-missing"
    case targetChanged = "target-changed"
    case targetNotCovered = "target-not-covered"
    case orphan
    case weakThreshold = "weak-threshold"
    case sharedKey = "shared-key"
    case pending
  }

  package let severity: Severity
  package let kind: Kind
  /// The subject: a role, or a file.
  package let subject: String
  /// The values that the sentence about it names.
  package let values: [String: String]
}

/// Verifies a published repository from its first root on, as a client does that begins with nothing (TUF section 5),
/// all delegated roles and all files included.
package struct RepositoryCheck {
  package let folder: RepositoryFolder
  package let now: Date
  package private(set) var findings: [RepositoryFinding] = []
  /// The number of metadata files and targets that were looked at.
  package private(set) var metadataCount = 0
  package private(set) var targetCount = 0
  private var seenFiles: Set<String> = []
  private var roles: [(name: String, body: TargetsMetadata)] = []
  private var settings = RepositorySettings()

  package init(_ folder: RepositoryFolder, now: Date) {
    self.folder = folder
    self.now = now
  }

  /// - Parameter content: Whether the files themselves are read, too; else only their sizes are looked at.
  package mutating func run(content: Bool = true) throws(TrustError) {
    if let bytes = try folder.bytes(folder.settings) {
      settings = try RepositorySettings(reading: bytes, path: folder.settings)
    }
    guard FileStatus(folder.metadata) != nil else { throw TrustError(.repositoryMissing, ["path": folder.path]) }
    guard let root = checkRoots() else { return }
    checkKeys(of: root.body)
    let first: SignedMetadata<TimestampMetadata>? = open(
      "timestamp.json", as: RepositoryDraft.holder(.timestamp, root.body), meta: nil)
    guard let timestamp = first else { return }
    let second: SignedMetadata<SnapshotMetadata>? = open(
      "\(timestamp.body.snapshot.version).snapshot.json", as: RepositoryDraft.holder(.snapshot, root.body),
      meta: timestamp.body.snapshot)
    guard let snapshot = second else { return }
    checkRoles(from: RepositoryDraft.holder(.targets, root.body), snapshot.body)
    checkTargets(content: content)
    checkOrphans()
    checkPending()
  }

  private mutating func note(
    _ severity: RepositoryFinding.Severity, _ kind: RepositoryFinding.Kind, _ subject: String,
    _ values: [String: String] = [:]
  ) {
    findings.append(RepositoryFinding(severity: severity, kind: kind, subject: subject, values: values))
  }

  // MARK: Metadata

  private mutating func checkRoots() -> SignedMetadata<RootMetadata>? {
    guard let newest = folder.newestRoot else {
      note(.problem, .missing, "1.root.json")
      return nil
    }
    var last: SignedMetadata<RootMetadata>?
    let names = Set((try? FileSystem.names(in: folder.metadata)) ?? [])
    // Clients hold some root, which need not be the first.
    var version = (1...newest).first { names.contains("\($0).root.json") } ?? newest
    while version <= newest {
      let name = "\(version).root.json"
      guard let file: SignedMetadata<RootMetadata> = read(name) else { return nil }
      if file.body.header.version != version {
        note(.problem, .wrongVersion, name, ["found": String(file.body.header.version), "expected": String(version)])
      }
      for body in [last?.body, file.body] {
        if let body { checkSignatures(file, RepositoryDraft.holder(.root, body), name) }
      }
      last = file
      version += 1
    }
    if let last { checkExpiry(last.body.header, "root", "\(newest).root.json") }
    return last
  }

  private mutating func read<Body: MetadataBody>(_ name: String) -> SignedMetadata<Body>? {
    metadataCount += 1
    do throws(TrustError) {
      if let file: SignedMetadata<Body> = try folder.read(folder.metadata + "/" + name) { return file }
      note(.problem, .missing, name)
    } catch {
      note(.problem, .unreadable, name, ["reason": error.identifier])
    }
    return nil
  }

  /// Reads a file and holds it against what vouches for it.
  private mutating func open<Body: MetadataBody>(
    _ name: String, as holder: RepositoryDraft.Delegation, meta: MetaFile?
  ) -> SignedMetadata<Body>? {
    guard let file: SignedMetadata<Body> = read(name) else { return nil }
    checkSignatures(file, holder, name)
    checkExpiry(file.body.header, holder.name, name)
    guard let meta else { return file }
    if file.body.header.version != meta.version {
      note(
        .problem, .wrongVersion, name,
        ["found": String(file.body.header.version), "expected": String(meta.version)])
    }
    let bytes = try? folder.bytes(folder.metadata + "/" + name)
    let isLong = meta.length.map { $0 != bytes?.count } ?? false
    let isOther = !meta.digests.isEmpty && !(bytes.map { meta.digests.match($0.array) } ?? false)
    if isLong || isOther { note(.problem, .wrongDigest, name) }
    return file
  }

  private mutating func checkSignatures<Body>(
    _ file: SignedMetadata<Body>, _ holder: RepositoryDraft.Delegation, _ name: String
  ) {
    let quorum = holder.quorum(of: file)
    if quorum.missing > 0 || holder.keys.threshold < 1 {
      note(
        .problem, .belowThreshold, name,
        ["valid": String(quorum.signed.count), "threshold": String(quorum.threshold)])
    }
  }

  private mutating func checkExpiry(_ header: MetadataHeader, _ role: String, _ name: String) {
    let left = header.expires.timeIntervalSince(now)
    let values = ["expires": MetadataTime.text(header.expires)]
    if left <= 0 {
      note(.problem, .expired, name, values)
    } else if left < Double(settings.days(of: role)) * 86_400 * (role == "timestamp" ? 0.25 : 0.2) {
      note(.warning, .expiresSoon, name, values)
    }
  }

  private mutating func checkRoles(from top: RepositoryDraft.Delegation, _ snapshot: SnapshotMetadata) {
    var waiting = [top]
    var seen: Set<String> = ["targets"]
    while let role = waiting.popLast() {
      guard let meta = snapshot.meta[role.name + ".json"] else {
        note(.problem, .missing, role.name + ".json")
        continue
      }
      let file: SignedMetadata<TargetsMetadata>? = open(
        "\(meta.version).\(PercentEncoding.encode(role.name)).json", as: role, meta: meta)
      guard let file else { continue }
      roles.append((role.name, file.body))
      let children = RepositoryDraft.children(of: file.body, parent: role.name)
      waiting += children.filter { seen.insert($0.name).inserted }.reversed()
    }
  }

  private mutating func checkKeys(of root: RootMetadata) {
    for role in [TopRole.root, .targets] {
      let keys = root.keys(of: role)
      if keys.threshold == 1 {
        note(
          keys.keyIDs.count > 1 ? .warning : .advice, .weakThreshold, role.rawValue,
          ["threshold": "1", "keys": String(keys.keyIDs.count)])
      }
      let online = Set(root.keys(of: .timestamp).keyIDs + root.keys(of: .snapshot).keyIDs)
      for identifier in keys.keyIDs where online.contains(identifier) {
        note(.warning, .sharedKey, role.rawValue, ["key": String(identifier.prefix(16))])
      }
    }
  }

  // MARK: Files

  private mutating func checkTargets(content: Bool) {
    let bodies = Dictionary(roles.map { ($0.name, $0.body) }) { first, _ in first }
    for (role, body) in roles {
      for (name, file) in body.targets.sorted(by: { $0.key < $1.key }) {
        targetCount += 1
        guard (try? TargetName.validate(name)) != nil, let digest = file.digests.hexadecimal["sha256"],
          digest.utf8.count == 64, Data(hexadecimal: digest) != nil
        else {
          note(.problem, .targetChanged, name)
          continue
        }
        let path = folder.target(name, sha256: digest)
        seenFiles.insert(RepositoryFolder.published(name, sha256: digest))
        check(file, name, at: path, content: content)
        if !Self.isReached(name, role, bodies) { note(.warning, .targetNotCovered, name, ["role": role]) }
      }
    }
  }

  private mutating func check(_ file: TargetFile, _ name: String, at path: String, content: Bool) {
    guard let status = FileStatus(path), status.kind == .file else {
      return note(.problem, .targetMissing, name, ["path": path])
    }
    guard status.size == UInt64(clamping: file.length) else {
      return note(.problem, .targetChanged, name, ["path": path])
    }
    guard content else { return }
    if (try? Bytes.mapping(path).sha256.hexadecimal) != file.digests.hexadecimal["sha256"] {
      note(.problem, .targetChanged, name, ["path": path])
    }
  }

  /// Tells whether clients ask `role` for `name`.
  private static func isReached(_ name: String, _ role: String, _ bodies: [String: TargetsMetadata]) -> Bool {
    var waiting = ["targets"]
    var seen: Set<String> = []
    while let next = waiting.popLast() {
      if next == role { return true }
      guard seen.insert(next).inserted else { continue }
      waiting += RepositoryDraft.children(of: bodies[next], covering: name).names
    }
    return false
  }

  private mutating func checkOrphans() {
    for path in RepositoryFolder.files(below: folder.targets) where !seenFiles.contains(path) {
      note(.advice, .orphan, "targets/" + path)
    }
  }

  private mutating func checkPending() {
    guard var draft = try? RepositoryDraft(reading: folder, now: now), let pending = try? draft.pending() else {
      return
    }
    for role in pending {
      note(
        .advice, .pending, role.role,
        ["version": String(role.version), "missing": String(role.quorums.map(\.missing).max() ?? 0)])
    }
  }
}

extension RepositoryFolder {
  /// The paths of all files below a folder, relative to it, sorted.
  package static func files(below folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let next = waiting.popLast() {
      for entry in (try? FileSystem.entries(in: folder + "/" + next)) ?? [] {
        let path = next.isEmpty ? entry.name : next + "/" + entry.name
        // A link could lead in a circle.
        if entry.kind == .folder, FileStatus(ofLink: folder + "/" + path)?.kind == .folder {
          waiting.append(path)
        } else if entry.kind == .file {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }
}
