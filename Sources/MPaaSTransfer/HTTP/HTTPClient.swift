import MPaaSSupport
import Synchronization

/// What to get, and where to.
package struct HTTPDownload: Sendable {
  package var request: HTTPRequest
  /// Where the file will be; its folder must be there.
  package var target: String
  /// Where what came is kept when the transfer or the program ends early, for the next download to go on with.
  ///
  /// nil keeps nothing. Only for files that `accept` knows by their content: nothing else tells that the parts belong
  /// together.
  package var partial: String?
  /// Asked about the whole file before it gets its name; false leaves nothing of it.
  package var accept: @Sendable (_ path: String) -> Bool
  package var progress: @Sendable (HTTPProgress) -> Void

  package init(
    _ request: HTTPRequest, to target: String, accept: @escaping @Sendable (_ path: String) -> Bool = { _ in true },
    progress: @escaping @Sendable (HTTPProgress) -> Void = { _ in }
  ) {
    self.request = request
    self.target = target
    self.accept = accept
    self.progress = progress
  }
}

/// Gets files over HTTP; tests put another value in its place.
package struct HTTPClient: Sendable {
  /// Gets a URL into a file: written beside and renamed, so that nobody sees a part of it.
  ///
  /// It waits for the end. A cancelled task ends the transfer.
  package var download: @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse

  /// Does a request with any method and waits for the answer, whatever its status.
  ///
  /// A cancelled task ends it.
  package var exchange: @Sendable (HTTPCall) throws(HTTPError) -> HTTPReply

  package init(
    download: @escaping @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse,
    exchange: @escaping @Sendable (HTTPCall) throws(HTTPError) -> HTTPReply = { call throws(HTTPError) in
      throw HTTPError(.noLibrary, url: call.url)
    }
  ) {
    self.download = download
    self.exchange = exchange
  }

  /// Only calls: what tests put in a server's place.
  package init(exchange: @escaping @Sendable (HTTPCall) throws(HTTPError) -> HTTPReply) {
    self.init(
      download: { download throws(HTTPError) in throw HTTPError(.noLibrary, url: download.request.url) },
      exchange: exchange)
  }

  /// Does a call on a thread of its own; the end of the task ends it.
  package func answer(to call: HTTPCall) async throws(HTTPError) -> HTTPReply {
    let flag = CancellationFlag()
    var mine = call
    let isCancelled = call.isCancelled
    mine.isCancelled = { flag.isSet || isCancelled() }
    let plan = mine
    let exchange = exchange
    let result: Result<HTTPReply, HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DetachedThread.run {
          do throws(HTTPError) {
            continuation.resume(returning: .success(try exchange(plan)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }

  /// libcurl, which is loaded at the first transfer.
  ///
  /// - Parameters:
  ///   - userAgent: How the client names itself to servers.
  ///   - certificates: A file of certificates to trust instead of the system's.
  package static func live(userAgent: String, certificates: String? = nil) -> HTTPClient {
    live(userAgent: userAgent, settings: HTTPSettings(certificates: certificates))
  }

  /// The same with more to say about the way to servers.
  package static func live(userAgent: String, settings: HTTPSettings) -> HTTPClient {
    // One pool of connections for all transfers; what differs between them is said anew.
    let pool = CurlMultiPool()
    let sessions = CurlSessions()
    let download: @Sendable (HTTPDownload) throws(HTTPError) -> HTTPResponse = { download throws(HTTPError) in
      let downloads = ParallelDownloads(
        policy: DownloadPolicy(for: download.request), userAgent: userAgent, settings: settings, pool: pool)
      let limits = download.request.limits
      do throws(HTTPError) {
        return try downloads.wait(for: DownloadJob(download), isCancelled: { limits.isPastDeadline }) { event in
          if case .received(_, let progress) = event { download.progress(progress) }
        }
      } catch {
        throw error.endedByDeadline(of: limits, url: download.request.url)
      }
    }
    return HTTPClient(download: download) { call throws(HTTPError) in
      if let missing = sessions.missing { throw HTTPError(.noLibrary, url: call.url, reason: missing) }
      return try sessions.with { session throws(HTTPError) in
        guard let session else { throw HTTPError(.noLibrary, url: call.url, reason: "curl_easy_init") }
        return try CurlCall(call).run(session, userAgent: userAgent, settings)
      }
    }
  }
}

extension HTTPError {
  /// The same error, or that the time is over where that is why the transfer was ended.
  func endedByDeadline(of limits: HTTPRequest.Limits, url: String) -> HTTPError {
    guard code == .cancelled, !Task.isCancelled, limits.isPastDeadline else { return self }
    return HTTPError(.timedOut, url: url, reason: HTTPRequest.Limits.deadlineReason)
  }
}

extension DownloadPolicy {
  /// One server, which is asked again only for the rest of an answer that broke off, and at once.
  fileprivate init(for request: HTTPRequest) {
    self.init()
    parallel = 1
    attempts = request.limits.resumptions + 1
    resumesOnly = true
    firstPause = .zero
    limits = request.limits
  }
}

extension DownloadJob {
  fileprivate init(_ download: HTTPDownload) {
    self.init([download.request.url], to: download.target, partial: download.partial, accept: download.accept)
    headers = download.request.headers
    acceptsCompression = download.request.acceptsCompression
  }
}

/// Whether something should end, told from any thread.
final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
