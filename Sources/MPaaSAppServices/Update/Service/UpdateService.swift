import MPaaSLock
import MPaaSSupport
package import MPaaSVerification

/// Asks a signed feed for a newer version of the app, and brings its package.
///
/// The feed is a target of a signed repository in any place that serves files. One that is forged, expired, or older
/// than the last one is refused; what was known stays, and `lastAnswer` tells it without a network.
///
/// ```swift
/// let request = UpdateRequest(appKey: "SHOP_IOS", version: bundleVersion)
/// let service = UpdateService(
///   UpdateConfiguration(folder: folder, root: root, mirrors: ["https://cdn.example.com/shop"], request: request))
/// let answer = try await service.checkUpdate()
/// if answer.asksUser, let offer = answer.offer { ask(offer.version, offer.notes(in: "zh-Hans"), offer.isForced) }
/// ```
public final class UpdateService: Sendable {
  let configuration: UpdateConfiguration
  /// One check or download at a time; held for as long as its network takes.
  private let turn = Lock<Void>(())

  /// Creates a service; nothing is read or fetched yet.
  public init(_ configuration: UpdateConfiguration) { self.configuration = configuration }

  /// Asks whether there is a newer version: `checkUpdate:`.
  ///
  /// - Parameter request: The question; nil for that of the configuration.
  /// - Throws: `AppServiceError` such as `metadata-expired`, `metadata-rollback`, `update-feed-malformed`, or why no
  ///   mirror answered; the answer before stays what it was.
  public func checkUpdate(_ request: UpdateRequest? = nil) async throws(AppServiceError) -> UpdateAnswer {
    let request = request ?? configuration.request
    return try await onThread { () throws(TrustError) in
      let feed = try self.refreshedFeed(app: request.appKey)
      return try self.answer(request, feed)
    }
  }

  /// The answer by the last good feed, without a network; nil where there was none yet.
  ///
  /// - Throws: `AppServiceError` `update-version-malformed`.
  public func lastAnswer(_ request: UpdateRequest? = nil) throws(AppServiceError) -> UpdateAnswer? {
    let request = request ?? configuration.request
    guard let bytes = try? Bytes.reading(feedPath(request.appKey), limit: UpdateFeed.largest),
      let feed = try? UpdateFeed(reading: bytes.buffer), feed.app == request.appKey
    else { return nil }
    do throws(TrustError) { return try answer(request, feed) } catch { throw AppServiceError(error) }
  }

  /// Remembers that the user was asked about a version, which `once` does not ask about again.
  ///
  /// - Throws: `AppServiceError` where it cannot be written.
  public func didAsk(about offer: UpdateOffer) throws(AppServiceError) {
    do throws(FileError) {
      try turn.withLock { _ throws(FileError) in
        var state = UpdateState(reading: statePath)
        guard !state.asked.contains(offer.version) else { return }
        state.asked.append(offer.version)
        try Directories.create(configuration.folder)
        try state.write(to: statePath)
      }
    } catch { throw AppServiceError(error) }
  }

  // MARK: - Steps

  private func answer(_ request: UpdateRequest, _ feed: UpdateFeed) throws(TrustError) -> UpdateAnswer {
    let offer = try feed.offer(for: request, at: configuration.now())
    let asks: Bool =
      switch offer?.prompt {
      case nil, .silent: false
      case .always, .force: true
      case .once: !UpdateState(reading: statePath).asked.contains(offer?.version ?? "")
      }
    return UpdateAnswer(offer: offer, asksUser: asks, feedVersion: feed.version)
  }

  /// The client of the repository, which trusts nothing but what the app's root leads to.
  func client() throws(TrustError) -> RepositoryClient {
    do throws(FileError) { try Directories.create(configuration.folder) } catch { throw TrustError(error) }
    let metadata = configuration.folder + "/metadata"
    let fetch = try RepositoryFetch(
      mirrors: configuration.mirrors, scratch: configuration.folder, pace: configuration.pace)
    var client = RepositoryClient(metadataFolder: metadata, fetch: fetch, now: configuration.now)
    try client.initialize(root: configuration.root)
    return client
  }

  private func refreshedFeed(app: String) throws(TrustError) -> UpdateFeed {
    var client = try client()
    try client.refresh()
    guard UpdateFeed.isName(app), let target = try client.target(UpdateFeed.path(app: app)) else {
      throw TrustError(.updateFeedMissing, ["app": app])
    }
    guard target.length <= UpdateFeed.largest else { throw TrustError(.updateFeedMalformed, ["field": "length"]) }
    let arrived = feedPath(app) + ".new"
    try client.download(target, to: arrived)
    let bytes = try Self.bytes(arrived)
    // Between the download and now the file could have been changed: its digest is what targets lists.
    guard target.file.digests.match(bytes.array) else { throw TrustError(.updateFeedMalformed, ["field": "sha256"]) }
    let feed = try UpdateFeed(reading: bytes.buffer)
    guard feed.app == app else { throw TrustError(.updateFeedMalformed, ["field": "app"]) }
    try feed.check { name throws(TrustError) in try client.target(name)?.file }
    try keep(feed, bytes)
    return feed
  }

  /// Keeps a good feed, unless it is older than the one before.
  private func keep(_ feed: UpdateFeed, _ bytes: Bytes) throws(TrustError) {
    var state = UpdateState(reading: statePath)
    guard feed.version >= state.feedVersion else {
      throw TrustError(
        .updateFeedOlder, ["version": String(feed.version), "known": String(state.feedVersion)])
    }
    state.feedVersion = feed.version
    do throws(FileError) {
      try bytes.write(to: feedPath(feed.app), mode: 0o600)
      try state.write(to: statePath)
    } catch { throw TrustError(error) }
  }

  static func bytes(_ path: String) throws(TrustError) -> Bytes {
    do throws(FileError) { return try Bytes.reading(path, limit: UpdateFeed.largest) } catch { throw TrustError(error) }
  }

  private func feedPath(_ app: String) -> String { configuration.folder + "/feed-\(app).json" }
  private var statePath: String { configuration.folder + "/state.json" }

  /// Runs a step that waits, alone, on a thread of its own: the few that tasks share are not for waiting.
  func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(TrustError) -> Value
  ) async throws(AppServiceError) -> Value {
    let result: Result<Value, TrustError> = await withCheckedContinuation { continuation in
      DetachedThread.run {
        self.turn.withLock { _ in
          do throws(TrustError) {
            continuation.resume(returning: .success(try body()))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw AppServiceError(error)
    }
  }
}

extension TrustError.Code {
  package static let updateFeedMissing = TrustError.Code("update-feed-missing", exit: .inputMissing)
}
