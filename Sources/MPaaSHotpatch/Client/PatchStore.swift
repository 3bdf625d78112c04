import MPaaSDigests
package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The folder of a client: `state.json`, and bundles by their digest in `bundles/`.
///
/// A bundle is there before the state names it, and goes only after the state has forgotten it; the state is renamed
/// into place. So a process that is killed at any moment leaves a state whose bundles are all there.
///
/// Nothing hangs on one file: `state.copy.json` is the state as it was when a bundle last came, went or turned out bad,
/// `known-bad/` has a file for each known-bad bundle, and `put-aside/` one for each that rests; the names alone say all
/// that matters.
package struct PatchStore: Sendable {
  package let folder: String

  package init(_ folder: String) {
    self.folder = folder
  }

  package var stateFile: String { folder + "/state.json" }
  package var stateCopy: String { folder + "/state.copy.json" }
  package var bundles: String { folder + "/bundles" }
  package var badMarks: String { folder + "/known-bad" }
  package var asideMarks: String { folder + "/put-aside" }
  package var metadata: String { folder + "/metadata" }
  package func bundle(_ digest: String) -> String { "\(bundles)/\(digest).mpatch" }

  /// Makes the folders.
  package func prepare() throws(TrustError) {
    try Self.told { () throws(FileError) in
      try Directories.create(bundles)
      try Directories.create(metadata)
      try Directories.create(badMarks)
      try Directories.create(asideMarks)
    }
  }

  /// The state that was saved last; an empty one where there is none.
  ///
  /// - Parameter told: Gets why the state itself could not be read, where its copy could.
  /// - Throws: `TrustError` `client-state-malformed` where neither can be read; `rescued` is what is left then.
  package func load(told: (TrustError) -> Void = { _ in }) throws(TrustError) -> ClientState {
    let isThere = FileStatus(stateFile) != nil
    if !isThere, FileStatus(stateCopy) == nil { return withMarks(ClientState()) }
    do throws(TrustError) {
      guard isThere else { throw TrustError(.clientStateMalformed, ["field": "JSON"]) }
      return withMarks(try read(stateFile))
    } catch {
      guard error.code == .clientStateMalformed, var copy = try? read(stateCopy) else { throw error }
      // The first save of all may have ended between the copy and the state.
      if isThere { told(error) }
      // It is older: of the last start it knows nothing.
      copy.pendingBoot = nil
      return withMarks(copy)
    }
  }

  private func read(_ file: String) throws(TrustError) -> ClientState {
    let bytes = try Self.told { () throws(FileError) in try Bytes.reading(file, limit: 1 << 20) }
    return try ClientState(reading: bytes.buffer)
  }

  /// The state that can be made of what lies here, where both files are lost.
  ///
  /// Known-bad bundles and those that were put aside are known by their marks, and of each patch the newest bundle that
  /// is whole and verified is taken, with the one before it to fall back to.
  ///
  /// - Parameter open: Verifies the bytes of a bundle.
  package func rescued(_ open: (Bytes) throws(TrustError) -> PatchManifest) -> ClientState {
    var state = withMarks(ClientState())
    let asides = names(in: asideMarks).compactMap(AsideMark.init)
    var found: [ClientState.Installed] = []
    for name in (try? FileSystem.names(in: bundles)) ?? [] where name.hasSuffix(".mpatch") {
      let digest = String(name.dropLast(7))
      guard !state.knownBad.contains(where: { $0.sha256 == digest }),
        let bytes = try? Bytes.reading(bundles + "/" + name), bytes.sha256.hexadecimal == digest,
        let manifest = try? open(bytes)
      else { continue }
      var installed = ClientState.Installed(
        patch: manifest.patch, version: manifest.version, channel: manifest.channel, sha256: digest,
        length: bytes.count)
      if let mark = asides.first(where: { $0.sha256 == digest }) {
        installed.aside = .init(until: mark.until)
        installed.timesAside = mark.times
      }
      found.append(installed)
    }
    for installed in found.sorted(by: { $0.version < $1.version }) {
      let before = state.slots[installed.patch]?.current
      state.slots[installed.patch] = ClientState.Slot(
        current: installed, lastGood: before, newestVersion: installed.version, newestDigest: installed.sha256)
    }
    return state
  }

  /// - Parameter isLasting: Whether it is to survive a loss of power, and the loss of the state's file; that takes as
  ///   long again.
  package func save(_ state: ClientState, isLasting: Bool = false) throws(TrustError) {
    let bytes = Bytes(state.encoded)
    if isLasting {
      FileSystem.settle(bundles)
      try mark(state)
      try Self.told { () throws(FileError) in try bytes.write(to: stateCopy, mode: 0o600) }
    }
    try Self.told { () throws(FileError) in try bytes.write(to: stateFile, mode: 0o600) }
    if isLasting { FileSystem.settle(folder) }
  }

  /// The bytes of an installed bundle, which are those that were installed.
  ///
  /// - Throws: `TrustError` `installed-patch-changed`.
  package func read(_ installed: ClientState.Installed) throws(TrustError) -> Bytes {
    let path = bundle(installed.sha256)
    // A copy: what is checked is what is used, whatever becomes of the file meanwhile.
    guard FileStatus(path)?.size == UInt64(installed.length), let bytes = try? Bytes.reading(path),
      bytes.count == installed.length, bytes.sha256.hexadecimal == installed.sha256
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
    // Files that are left of a state which was being written when the process was killed.
    for name in (try? FileSystem.names(in: folder)) ?? []
    where name.hasPrefix("state.json.") || name.hasPrefix("state.copy.json.") {
      try? FileSystem.remove(folder + "/" + name)
    }
  }

  private static func told<Value>(_ body: () throws(FileError) -> Value) throws(TrustError) -> Value {
    do throws(FileError) { return try body() } catch { throw TrustError(error) }
  }
}
