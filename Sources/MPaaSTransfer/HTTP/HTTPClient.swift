import MPaaSLock
import MPaaSSupport

/// The address to get, and the target.
package struct HTTPDownload: Sendable {
  package var request: HTTPRequest
  /// The final path of the file; its folder must be there.
  package var target: String
  /// The path of what came when the transfer or the program ends early, for the next download to go on with.
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
  /// Gets a URL into a file: written beside and renamed, so that a part of it is never seen.
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
}

extension HTTPError {
  /// The same error, or that the time is over where that is why the transfer was ended.
  func endedByDeadline(of limits: HTTPRequest.Limits, url: String) -> HTTPError {
    guard code == .cancelled, !Task.isCancelled, limits.isPastDeadline else { return self }
    return HTTPError(.timedOut, url: url, reason: HTTPRequest.Limits.deadlineReason)
  }
}

/// Tells whether something should end, told from any thread.
final class CancellationFlag: Sendable {
  private let flag = AtomicFlag(false)

  var isSet: Bool { flag.load() }

  func set() { flag.store(true) }
}
