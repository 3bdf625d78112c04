import MPaaSSupport
package import MPaaSTrust

/// The files of a signed repository.
///
/// `metadata/` and `targets/` are what the world reads, named as consistent snapshots are (TUF section 6.2.1):
/// `metadata/3.targets.json`, `metadata/timestamp.json`, `targets/patches/SHA256.cart.mpatch`. What is not yet signed
/// by enough keys waits in `staged/`, which no web server has to know: `staged/targets.json`, and new files by their
/// digest in `staged/files/`.
package struct RepositoryFolder: Sendable, Equatable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var metadata: String { path + "/metadata" }
  package var targets: String { path + "/targets" }
  package var staged: String { path + "/staged" }
  package var stagedFiles: String { staged + "/files" }
  package var settings: String { path + "/registry.json" }
  package var timestamp: String { metadata + "/timestamp.json" }
  var lock: String { path + "/.lock" }

  /// The path of a version of a role's metadata; what no file name may hold is escaped.
  package func metadata(_ role: String, _ version: Int) -> String {
    "\(metadata)/\(version).\(PercentEncoding.encode(role)).json"
  }
  package func staged(_ role: String) -> String { "\(staged)/\(PercentEncoding.encode(role)).json" }

  /// The path of the file of a target: its digest stands before the last part of its name.
  package func target(_ name: String, sha256: String) -> String {
    targets + "/" + Self.published(name, sha256: sha256)
  }

  static func published(_ name: String, sha256: String) -> String {
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "\(sha256).\(name)" }
    let base = name.utf8.index(after: slash)
    return "\(name[..<base])\(sha256).\(name[base...])"
  }

  /// The largest metadata file that is read.
  static let largestMetadata = 256 << 20

  /// Reads a metadata file; nil where there is none.
  func read<Body: MetadataBody>(_ path: String) throws(TrustError) -> SignedMetadata<Body>? {
    guard let bytes = try bytes(path) else { return nil }
    return try SignedMetadata(reading: bytes.buffer)
  }

  /// The bytes of a metadata file; nil where there is none.
  func bytes(_ path: String) throws(TrustError) -> Bytes? {
    guard let status = FileStatus(path) else { return nil }
    guard status.size <= Self.largestMetadata else {
      throw TrustError(.repositoryFileTooLarge, ["path": path, "size": ByteCount(status.size).description])
    }
    do { return try Bytes.mapping(path) } catch { throw TrustError(error) }
  }

  /// The newest root file's version; nil where there is none.
  package var newestRoot: Int? {
    let names = (try? FileSystem.names(in: metadata)) ?? []
    return names.compactMap { Self.version(of: $0, role: "root") }.max()
  }

  /// Tells whether a repository is there, published or waiting for signatures.
  ///
  /// An editor that was killed before it had written a root leaves empty folders, which are none.
  package var isBegun: Bool { newestRoot != nil || FileStatus(staged("root")) != nil }

  /// The version in a name such as `3.root.json`; nil for a file of another role.
  static func version(of name: String, role: String) -> Int? {
    guard let dot = name.firstIndex(of: "."), name[dot...] == ".\(role).json", let version = Int(name[..<dot]),
      version > 0, String(version) == name[..<dot]
    else { return nil }
    return version
  }

  /// Runs `body` while no other editor of this folder does.
  func locked<Value>(_ body: () throws(TrustError) -> Value) throws(TrustError) -> Value {
    var outcome: Result<Value, TrustError>?
    do {
      try FileSystem.withLock(lock) { () throws(FileError) in
        do throws(TrustError) { outcome = .success(try body()) } catch { outcome = .failure(error) }
      }
    } catch {
      throw TrustError(error)
    }
    guard let outcome else { throw TrustError(.repositoryMissing, ["path": path]) }
    return try outcome.get()
  }

  /// Gives the file at `source` a second name, or copies it where the file system knows no such thing.
  static func link(_ source: String, to target: String) throws(TrustError) {
    do {
      try Directories.create(FileSystem.folder(of: target))
      if FileStatus(target) != nil { return }
      // Another target of the same content may have come first.
      let isDone = (try? FileSystem.addName(target, to: source)) != nil
      if !isDone { try Bytes.mapping(source).write(to: target) }
    } catch {
      throw TrustError(error)
    }
  }
}

extension TrustError.Code {
  package static let repositoryMissing = TrustError.Code("repository-missing", exit: .inputMissing)
  package static let repositoryFileTooLarge = malformed("repository-file-too-large")
}
