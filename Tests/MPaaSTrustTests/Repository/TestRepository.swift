import Foundation
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools
import Synchronization
import Testing

/// Files of a repository in memory, and what clients asked for.
final class ServedFiles: Sendable {
  private let files = Mutex<[String: [UInt8]]>([:])
  private let asked = Mutex<[String]>([])

  subscript(_ name: String) -> [UInt8]? {
    get { files.withLock { $0[name] } }
    set { files.withLock { $0[name] = newValue } }
  }

  var all: [String: [UInt8]] { files.withLock { $0 } }
  var requests: [String] {
    get { asked.withLock { $0 } }
    set { asked.withLock { $0 = newValue } }
  }

  var source: RepositorySource {
    RepositorySource(
      metadata: { name, _ throws(TrustError) in
        self.asked.withLock { $0.append(name) }
        return self["metadata/" + name]
      },
      target: { name, wanted throws(TrustError) in
        self.asked.withLock { $0.append(name) }
        guard let bytes = self["targets/" + (PercentEncoding.decode(name) ?? name)] else { return false }
        do throws(FileError) { try Bytes(bytes).write(to: wanted.partial) } catch { throw TrustError(error) }
        guard wanted.accept(wanted.partial) else {
          unlink(wanted.partial)
          throw TrustError(.targetDigestMismatch, ["name": name])
        }
        rename(wanted.partial, wanted.path)
        return true
      })
  }

  /// Writes all files into a folder, as a web server would have them.
  func write(to folder: URL) throws {
    for (name, bytes) in all {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
  }
}

/// A repository whose metadata a test changes as it likes, rightly or wrongly signed.
struct TestRepository {
  static let start = Date(timeIntervalSince1970: 1_800_000_000)

  let served = ServedFiles()
  var root: RootMetadata
  var timestamp: TimestampMetadata
  var snapshot: SnapshotMetadata
  var targets: [String: TargetsMetadata]
  var signers: [String: [SigningKey]] = [:]
  /// Tells whether timestamp and snapshot say lengths and digests of the files below.
  var namesDigests = false
  private var published: Set<String> = []

  static func header(_ version: Int = 1, days: Double = 30) -> MetadataHeader {
    MetadataHeader(version: version, expires: start + days * 86_400)
  }

  init(threshold: Int = 1, consistentSnapshot: Bool = true) throws {
    root = RootMetadata(
      header: Self.header(), keys: MetadataKeys(), roles: [:], consistentSnapshot: consistentSnapshot)
    timestamp = TimestampMetadata(header: Self.header(), snapshot: MetaFile(version: 1))
    snapshot = SnapshotMetadata(header: Self.header(), meta: [:])
    targets = ["targets": TargetsMetadata(header: Self.header())]
    for role in TopRole.allCases { try rotate(role, threshold: threshold) }
    try publish("targets", "snapshot", "timestamp", "root")
  }

  /// Gives a top role new keys, `threshold` of them.
  mutating func rotate(_ role: TopRole, threshold: Int = 1) throws {
    for old in signers[role.rawValue] ?? [] { root.keys.remove(old.verificationKey.keyID) }
    let keys = try (0..<threshold).map { _ in try SigningKey.generate() }
    for key in keys { root.keys.insert(key.verificationKey) }
    root.roles[role] = RoleKeys(keyIDs: keys.map(\.verificationKey.keyID), threshold: threshold)
    signers[role.rawValue] = keys
  }

  /// Rotates the root's keys; the next root is signed by the old ones too.
  mutating func rotateRoot(threshold: Int = 1) throws {
    let old = signers["root"] ?? []
    try rotate(.root, threshold: threshold)
    signers["root"]?.append(contentsOf: old)
  }

  mutating func add(_ content: String, as name: String, to role: String = "targets") {
    let file = TargetFile(length: content.utf8.count, digests: .sha256(of: Data(content.utf8)))
    targets[role]?.targets[name] = file
    var parts = name.split(separator: "/").map(String.init)
    let last = parts.removeLast()
    let digest = root.consistentSnapshot ? (file.digests.preferred ?? "") + "." : ""
    served["targets/" + (parts + [digest + last]).joined(separator: "/")] = Array(content.utf8)
  }

  mutating func delegate(
    _ name: String, from parent: String = "targets", isTerminating: Bool = false,
    _ scope: DelegatedRole.Scope = .paths(["*"])
  ) throws {
    let key = try SigningKey.generate()
    var delegations = targets[parent]?.delegations ?? Delegations()
    delegations.keys.insert(key.verificationKey)
    let role = DelegatedRole(
      name: name, keys: RoleKeys(keyIDs: [key.verificationKey.keyID], threshold: 1), isTerminating: isTerminating,
      scope: scope)
    guard case .listed(let list) = delegations.roles else { return }
    delegations.roles = .listed(list + [role])
    targets[parent]?.delegations = delegations
    if targets[name] == nil { targets[name] = TargetsMetadata(header: Self.header()) }
    signers[name, default: []].append(key)
  }

  // MARK: - Publishing

  /// Signs roles, each with a version higher by one than the last published, and serves them.
  mutating func publish(_ names: String...) throws { try publish(names) }

  mutating func publish(_ names: [String]) throws {
    for name in names {
      let isFirst = published.insert(name).inserted
      switch name {
      case "root":
        if !isFirst { root.header.version += 1 }
        serve(try sign(root, name), name, version: root.header.version)
      case "timestamp":
        if !isFirst { timestamp.header.version += 1 }
        served["metadata/timestamp.json"] = try sign(timestamp, name)
      case "snapshot":
        if !isFirst { snapshot.header.version += 1 }
        let bytes = try sign(snapshot, name)
        serve(bytes, name, version: snapshot.header.version)
        timestamp.snapshot = meta(bytes, snapshot.header.version)
      default:
        if !isFirst { targets[name]?.header.version += 1 }
        guard let body = targets[name] else { continue }
        let bytes = try sign(body, name)
        serve(bytes, name, version: body.header.version)
        snapshot.meta[name + ".json"] = meta(bytes, body.header.version)
      }
    }
  }

  func sign(_ body: some MetadataBody, _ role: String) throws -> [UInt8] {
    var file = try SignedMetadata(body)
    for key in signers[role] ?? [] { try file.sign(with: key) }
    return file.encoded
  }

  func serve(_ bytes: [UInt8], _ role: String, version: Int) {
    let isVersioned = role == "root" || root.consistentSnapshot
    served["metadata/" + (isVersioned ? "\(version)." : "") + PercentEncoding.encode(role) + ".json"] = bytes
  }

  private func meta(_ bytes: [UInt8], _ version: Int) -> MetaFile {
    namesDigests
      ? MetaFile(version: version, length: bytes.count, digests: .sha256(of: Data(bytes))) : MetaFile(version: version)
  }

  // MARK: - Clients

  /// A client with a folder of its own that trusts the first root.
  func client(
    _ folder: TemporaryMetadata, at now: Date = TestRepository.start, limits: RepositoryLimits = RepositoryLimits(),
    sources: [RepositorySource]? = nil
  ) throws -> RepositoryClient {
    let sources = sources ?? [served.source]
    var client = RepositoryClient(
      metadataFolder: folder.path, fetch: RepositoryFetch(metadata: sources, targets: sources), now: { now },
      limits: limits)
    if folder.versions.isEmpty { try client.initialize(root: #require(served["metadata/1.root.json"])) }
    return client
  }
}

/// A folder of trusted metadata that goes away with its owner.
final class TemporaryMetadata: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appending(path: "mpaas-tuf-\(UUID().uuidString)").path
  }

  /// The versions that are trusted, by role.
  var versions: [String: Int] {
    var versions: [String: Int] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where name.hasSuffix(".json") {
      let bytes = (try? Data(contentsOf: URL(filePath: path + "/" + name))) ?? Data()
      let value = bytes.withUnsafeBytes { try? JSONValue(reading: $0) }
      versions[String(name.dropLast(5))] = value?.object?["signed"]?.object?["version"]?.integer() ?? -1
    }
    return versions
  }

  /// All files but the lock, for comparisons.
  var content: [String: Data] {
    var content: [String: Data] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where name != ".lock" {
      content[name] = try? Data(contentsOf: URL(filePath: path + "/" + name))
    }
    return content
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
