import Crypto
package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of a client: `state.json`, and bundles by their digest in `bundles/`.
///
/// A bundle is there before the state names it, and goes only after the state has forgotten it; the state is renamed
/// into place. So a process that is killed at any moment leaves a state whose bundles are all there.
package struct PatchStore: Sendable {
  package let folder: String

  package init(_ folder: String) {
    self.folder = folder
  }

  package var stateFile: String { folder + "/state.json" }
  package var bundles: String { folder + "/bundles" }
  package var metadata: String { folder + "/metadata" }
  package func bundle(_ digest: String) -> String { "\(bundles)/\(digest).mpatch" }

  /// Makes the folders.
  package func prepare() throws(TrustError) {
    try Self.told { () throws(FileError) in
      try Directories.create(bundles)
      try Directories.create(metadata)
    }
  }

  /// The state that was saved last; an empty one where there is none.
  ///
  /// - Throws: `TrustError` `client-state-malformed`.
  package func load() throws(TrustError) -> ClientState {
    guard FileStatus(stateFile) != nil else { return ClientState() }
    let bytes = try Self.told { () throws(FileError) in try Bytes.reading(stateFile, limit: 1 << 20) }
    return try ClientState(reading: bytes.buffer)
  }

  /// - Parameter isLasting: Whether it is to survive a loss of power, not only the end of the process; that takes as
  ///   long again.
  package func save(_ state: ClientState, isLasting: Bool = false) throws(TrustError) {
    if isLasting { FileSystem.settle(bundles) }
    try Self.told { () throws(FileError) in try Bytes(state.encoded).write(to: stateFile, mode: 0o600) }
    if isLasting { FileSystem.settle(folder) }
  }

  /// The bytes of an installed bundle, which are those that were installed.
  ///
  /// - Throws: `TrustError` `installed-patch-changed`.
  package func read(_ installed: ClientState.Installed) throws(TrustError) -> Bytes {
    let path = bundle(installed.sha256)
    // A copy: what is checked is what is used, whatever becomes of the file meanwhile.
    guard FileStatus(path)?.size == UInt64(installed.length), let bytes = try? Bytes.reading(path),
      bytes.count == installed.length, bytes.sha256 == installed.sha256
    else {
      throw TrustError(
        .installedPatchChanged, ["patch": installed.patch, "version": installed.version.text], at: .file(path))
    }
    return bytes
  }

  /// Removes bundles that the state does not name.
  ///
  /// - Parameter wanted: The digests of downloads that may go on later; nil for all.
  package func sweep(keeping digests: Set<String>, wanted: Set<String>? = nil) {
    let kept = Set(digests.map { "\($0).mpatch" })
    for name in (try? FileSystem.names(in: bundles)) ?? [] where !kept.contains(name) {
      let isWanted = wanted.map { $0.contains(String(name.prefix(64))) } ?? true
      if name.hasSuffix(".partial"), isWanted { continue }
      try? FileSystem.remove(bundles + "/" + name)
    }
    // What a state that was being written when the process was killed left.
    for name in (try? FileSystem.names(in: folder)) ?? [] where name.hasPrefix("state.json.") {
      try? FileSystem.remove(folder + "/" + name)
    }
  }

  private static func told<Value>(_ body: () throws(FileError) -> Value) throws(TrustError) -> Value {
    do throws(FileError) { return try body() } catch { throw TrustError(error) }
  }
}
