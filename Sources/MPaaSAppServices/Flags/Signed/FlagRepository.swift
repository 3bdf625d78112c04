import MPaaSLock
import MPaaSSupport
import MPaaSVerification

/// The signed repository that the state of an app comes from.
final class FlagRepository: Sendable {
  private let app: String
  private let root: [UInt8]
  private let mirrors: [String]
  private let folder: String
  private let clock: FlagClock
  /// One refresh at a time; held for as long as its network takes, on a thread of its own.
  private let turn = Lock<Void>(())

  init(app: String, root: [UInt8], mirrors: [String], folder: String, _ clock: FlagClock) {
    self.app = app
    self.root = root
    self.mirrors = mirrors
    self.folder = folder
    self.clock = clock
  }

  /// Follows the repository, and brings the bytes of the state that it lists now.
  ///
  /// - Throws: `TrustError`: why the repository is not to be trusted, `flags-signed-missing`, or why no mirror answered.
  func fetch() async throws(TrustError) -> [UInt8] {
    let result: Result<[UInt8], TrustError> = await withCheckedContinuation { continuation in
      DetachedThread.run {
        let result: Result<[UInt8], TrustError> = self.turn.withLock { _ in
          do throws(TrustError) { return .success(try self.fetchNow()) } catch { return .failure(error) }
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private func fetchNow() throws(TrustError) -> [UInt8] {
    do throws(FileError) { try Directories.create(folder) } catch { throw TrustError(error) }
    let fetch = try RepositoryFetch(mirrors: mirrors, scratch: folder)
    var client = RepositoryClient(
      metadataFolder: folder + "/metadata", fetch: fetch, now: { [clock] in clock.date })
    try client.initialize(root: root)
    try client.refresh()
    guard let target = try client.target(SignedFlagState.path(app: app)) else {
      throw TrustError(.flagsSignedMissing, ["app": app])
    }
    guard target.length <= SignedFlagState.largest else {
      throw TrustError(.flagsSignedMalformed, ["field": "length"])
    }
    let path = folder + "/state.json"
    try client.download(target, to: path)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Bytes.reading(path, limit: SignedFlagState.largest).array
    } catch { throw TrustError(error) }
    // Between the download and now the file could have been changed: its digest is what the repository lists.
    guard target.file.digests.match(bytes) else { throw TrustError(.flagsSignedMalformed, ["field": "sha256"]) }
    return bytes
  }
}

extension FlagRepository {
  /// The repository that the settings name; nil where the state comes from elsewhere.
  convenience init?(_ configuration: FlagConfiguration) {
    guard case .repository(let root, let mirrors) = configuration.trust.kind else { return nil }
    self.init(
      app: configuration.appName, root: root, mirrors: mirrors, folder: configuration.folder + "/repository",
      configuration.clock)
  }
}
