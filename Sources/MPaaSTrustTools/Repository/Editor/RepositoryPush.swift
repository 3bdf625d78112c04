import MPaaSDigests
package import MPaaSObjectStore
package import MPaaSSupport
import MPaaSTransfer
import MPaaSTransferTools
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The place where a copy of a repository is put that the world reads: a bucket, or another folder.
package struct RepositoryCopy: Sendable {
  /// The SHA-256 of a file of the copy; nil where there is none.
  package var digest: @Sendable (_ name: String) throws(TrustError) -> String?
  package var put: @Sendable (_ name: String, _ content: Bytes, _ sha256: String) throws(TrustError) -> Void

  package init(
    digest: @escaping @Sendable (_ name: String) throws(TrustError) -> String?,
    put: @escaping @Sendable (_ name: String, _ content: Bytes, _ sha256: String) throws(TrustError) -> Void
  ) {
    self.digest = digest
    self.put = put
  }

  /// A folder of this machine, or one that is mounted.
  package static func folder(_ path: String) -> RepositoryCopy {
    RepositoryCopy { name throws(TrustError) in
      let file = path + "/" + name
      guard FileStatus(file)?.kind == .file else { return nil }
      do throws(FileError) { return try Bytes.mapping(file).sha256.hexadecimal } catch { throw TrustError(error) }
    } put: { name, content, _ throws(TrustError) in
      do throws(FileError) {
        try Directories.create(FileSystem.folder(of: path + "/" + name))
        try content.write(to: path + "/" + name)
      } catch {
        throw TrustError(error)
      }
    }
  }

  /// A place in a bucket of an S3 store.
  ///
  /// - Parameter destination: Its address, for errors.
  package static func bucket(_ store: S3Store, _ destination: String) -> RepositoryCopy {
    RepositoryCopy { name throws(TrustError) in
      do throws(S3Error) { return try store.digest(of: name) } catch { throw TrustError(error, destination) }
    } put: { name, content, digest throws(TrustError) in
      do throws(S3Error) {
        try store.publish(
          name, .bytes(content), sha256: digest, type: StaticFiles.type(of: name),
          cacheControl: StaticFiles.cacheControl(RepositoryFolder.cacheTime(name)))
      } catch {
        throw TrustError(error, destination)
      }
    }
  }
}

/// Brings a copy of a repository to its newest state, so that readers of the copy see a valid one at any moment.
package struct RepositoryPush {
  package struct Sent: Sendable, Equatable, Encodable {
    package let name: String
    package let size: Int
  }

  let folder: RepositoryFolder
  let copy: RepositoryCopy
  package private(set) var sent: [Sent] = []
  /// Files that were there already.
  package private(set) var unchanged = 0

  package init(_ folder: RepositoryFolder, to copy: RepositoryCopy) {
    self.folder = folder
    self.copy = copy
  }

  /// Checks the repository as a client would, content aside, and sends what the copy lacks.
  ///
  /// - Throws: `TrustError` `registry-not-valid` with the first problem, and as `run(_:)`.
  package mutating func run(checkingAt time: Date, _ note: (Sent) -> Void = { _ in }) throws(TrustError) {
    var check = RepositoryCheck(folder, now: time)
    try check.run(content: false)
    if let problem = check.findings.first(where: { $0.severity == .problem }) {
      throw TrustError(.registryNotValid, ["path": folder.path, "subject": problem.subject])
    }
    try run(note)
  }

  /// Sends what the copy lacks: content, the metadata that vouches for it, the snapshot, last the timestamp.
  ///
  /// New roots go after the timestamp where that is valid under the copy's last root too, else just before it.
  /// - Parameter note: Told each file after it was sent.
  /// - Throws: `TrustError` `repository-missing`, `repository-unfinished`, and those of the transfer.
  package mutating func run(_ note: (Sent) -> Void = { _ in }) throws(TrustError) {
    var draft = try RepositoryDraft(reading: folder, now: Date())
    guard let root = draft.root, let snapshot = draft.snapshot, let timestamp = try folder.bytes(folder.timestamp)
    else {
      throw TrustError(.repositoryUnfinished, ["path": folder.path])
    }
    let targets = try draft.publishedRole("targets")
    for name in try draft.publishedContent() { try send(name, note) }
    for (file, meta) in snapshot.body.meta.sorted(by: { $0.key < $1.key }) {
      try send("metadata/\(meta.version).\(PercentEncoding.encode(file))", note)
    }
    try send("metadata/\(snapshot.body.header.version).snapshot.json", note)
    let roots = (1...root.body.header.version).map { "metadata/\($0).root.json" }
    var missing: [String] = []
    for name in roots where try copy.digest(name) == nil && FileStatus(folder.path + "/" + name) != nil {
      missing.append(name)
    }
    let isLast = try isValidUnderRoot(before: missing.first, draft, targets)
    if !isLast { for name in missing { try send(name, note) } }
    try send("metadata/timestamp.json", timestamp, note)
    if isLast { for name in missing { try send(name, note) } }
  }

  private mutating func send(_ name: String, _ note: (Sent) -> Void) throws(TrustError) {
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.mapping(folder.path + "/" + name) } catch { throw TrustError(error) }
    try send(name, bytes, note)
  }

  private mutating func send(_ name: String, _ bytes: Bytes, _ note: (Sent) -> Void) throws(TrustError) {
    let digest = bytes.sha256.hexadecimal
    if try copy.digest(name) == digest {
      unchanged += 1
      return
    }
    try copy.put(name, bytes, digest)
    let file = Sent(name: name, size: bytes.count)
    sent.append(file)
    note(file)
  }

  /// Tells whether readers that know only the root before `first` accept what is published now.
  private func isValidUnderRoot(
    before first: String?, _ draft: RepositoryDraft, _ targets: RepositoryDraft.Role?
  ) throws(TrustError) -> Bool {
    guard let first, let version = RepositoryFolder.version(of: FileSystem.name(of: first), role: "root"), version > 1,
      let root: SignedMetadata<RootMetadata> = try folder.read(folder.metadata("root", version - 1))
    else { return false }
    func accepts<Body>(_ file: SignedMetadata<Body>?, _ role: TopRole) -> Bool {
      file.map { RepositoryDraft.holder(role, root.body).accepts($0) } ?? false
    }
    return accepts(draft.timestamp, .timestamp) && accepts(draft.snapshot, .snapshot) && accepts(targets, .targets)
  }
}

extension RepositoryDraft {
  /// The files of `targets/` that the published metadata vouches for.
  mutating func publishedContent() throws(TrustError) -> [String] {
    var names: Set<String> = []
    var waiting = ["targets"]
    var seen: Set<String> = []
    while let role = waiting.popLast() {
      guard seen.insert(role).inserted, let body = try publishedRole(role)?.body else { continue }
      for (name, file) in body.targets {
        if let digest = file.digests.hexadecimal["sha256"] {
          names.insert("targets/" + RepositoryFolder.published(name, sha256: digest))
        }
      }
      waiting += Self.children(of: body, parent: role).map(\.name)
    }
    return names.sorted()
  }
}

extension TrustError {
  fileprivate init(_ error: S3Error, _ destination: String) {
    let code: Code =
      switch error.code {
      case .away: .registryStoreAway
      case .denied: .registryStoreDenied
      case .noBucket: .registryNoBucket
      case .taken, .malformed, .unusable, .file: .registryStoreUnusable
      }
    self.init(code, ["destination": destination, "reason": error.reason])
  }
}

extension TrustError.Code {
  package static let repositoryUnfinished = TrustError.Code("repository-unfinished", exit: .negative)
}

extension TrustError.Code {
  static let registryNotValid = TrustError.Code("registry-not-valid", exit: .negative)
  static let registryStoreAway = TrustError.Code("registry-store-away", exit: .unreachable)
  static let registryStoreDenied = TrustError.Code("registry-store-denied", exit: .unreachable)
  static let registryNoBucket = TrustError.Code("registry-no-bucket", exit: .unreachable)
  static let registryStoreUnusable = TrustError.Code("registry-store-unusable", exit: .unreachable)
}
