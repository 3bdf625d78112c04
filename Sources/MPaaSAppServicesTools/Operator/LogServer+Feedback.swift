package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

/// A question for feedback; what is nil leaves none out.
package struct FeedbackQuery: Sendable, Equatable {
  package var state: FeedbackState?
  package var category: String?
  package var user: String?
  /// A part of the text.
  package var text: String?
  /// The number of feedback: only what came before it.
  package var before: Int64?
  package var limit: Int?

  package init(
    state: FeedbackState? = nil, category: String? = nil, user: String? = nil, text: String? = nil,
    before: Int64? = nil, limit: Int? = nil
  ) {
    (self.state, self.category, self.user, self.text) = (state, category, user, text)
    (self.before, self.limit) = (before, limit)
  }

  /// The question as addresses have it.
  func words(_ more: [(String, String?)] = []) -> String {
    AddressWords.text(
      [
        ("state", state?.rawValue), ("category", category), ("user", user), ("text", text),
        ("before", before.map { String($0) }), ("limit", limit.map { String($0) }),
      ] + more)
  }
}

extension LogServer {
  /// Feedback, the newest first.
  package func feedback(_ query: FeedbackQuery) async throws(LogError) -> [FeedbackEntry] {
    let page: FeedbackPage = try await ask("GET", ServerPaths.feedback + query.words())
    return page.feedback
  }

  /// A piece of feedback with all that was answered.
  package func feedback(_ number: Int64) async throws(LogError) -> FeedbackEntry {
    try await ask("GET", "\(ServerPaths.feedback)/\(number)")
  }

  /// Answers feedback, or changes its state; the same answer a second time changes nothing.
  package func answer(_ number: Int64, _ answer: FeedbackAnswer) async throws(LogError) -> FeedbackEntry {
    try await ask("POST", "\(ServerPaths.feedback)/\(number)/messages", json: answer)
  }

  /// All feedback that a question lets pass, as a file of the server.
  ///
  /// - Parameters:
  ///   - format: `csv` or `jsonl`.
  ///   - take: Gets the bytes in order.
  package func exportFeedback(
    _ query: FeedbackQuery, format: String, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) async throws(LogError) {
    let address = url + ServerPaths.feedbackExport + query.words([("format", format)])
    var call = HTTPCall("GET", address, headers: headers)
    call.receive = { _, _, bytes in
      take(bytes)
      return true
    }
    let reply: HTTPReply
    do throws(HTTPError) { reply = try await client.answer(to: call) } catch { throw LogError(error) }
    guard reply.isSuccess else { throw LogError(refusal: reply, address) }
  }
}

extension LogServer {
  /// Writes the same into a file, which gets its name when all of it is there.
  ///
  /// - Returns: The number of its bytes.
  package func exportFeedback(_ query: FeedbackQuery, format: String, to file: String) async throws(LogError) -> UInt64
  {
    let address = url + ServerPaths.feedbackExport + query.words([("format", format)])
    let download = HTTPDownload(HTTPRequest(address, headers: headers), to: file)
    let client = client
    let result: Result<HTTPResponse, HTTPError> = await withCheckedContinuation { continuation in
      DetachedThread.run {
        do throws(HTTPError) { continuation.resume(returning: .success(try client.download(download))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    switch result {
    case .success(let response): return response.size
    case .failure(let error): throw LogError(error)
    }
  }
}

/// The words behind the question mark of an address.
enum AddressWords {
  static func text(_ words: [(String, String?)]) -> String {
    let given = words.compactMap { name, value in value.map { name + "=" + PercentEncoding.encode($0) } }
    return given.isEmpty ? "" : "?" + given.joined(separator: "&")
  }
}
