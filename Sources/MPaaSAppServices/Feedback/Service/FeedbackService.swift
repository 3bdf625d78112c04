import MPaaSDigests
import MPaaSLock
import MPaaSProtocol
import MPaaSSupport
package import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Feedback of an app's users to its operators, and the replies.
///
/// It stands for `MPFeedbackKit` without its pages, which an app draws by `FeedbackFormModel`.
///
/// Feedback is on the disk when `submit` returns. It goes out when the server can be reached, words first and
/// pictures by uploads that go on where they broke off; the server stores it once, however often it is sent.
///
/// ```swift
/// let server = AppServer("https://console.example.com", appKey: key)
/// let feedback = try FeedbackService(FeedbackConfiguration(server: server, folder: folder, device: device))
/// feedback.start { DeviceState(network: …) }
/// let id = try feedback.submit(form)
/// for await conversation in feedback.changes { show(conversation.replies) }
/// ```
public final class FeedbackService: Sendable {
  let configuration: FeedbackConfiguration
  let folder: FeedbackFolder
  let queue: TransferQueue
  let secret: String
  /// One delivery at a time; who comes meanwhile waits for it.
  let delivering = Lock<Task<Result<Bool, AppServiceError>, Never>?>(nil)
  let loop = Lock<Task<Void, Never>?>(nil)
  /// Feedback that is being posted, or taken back: one of the two.
  private let claimed = Lock<Set<String>>([])
  /// Held while files of conversations change.
  private let turn = Lock<Void>(())
  private let listeners = Lock(Listeners())

  private struct Listeners {
    var next = 0
    var all: [Int: AsyncStream<FeedbackConversation>.Continuation] = [:]
  }

  /// Opens what waits in the folder, which is made where it is missing.
  ///
  /// - Throws: `AppServiceError` where the folder cannot be made or the secret is none.
  public convenience init(_ configuration: FeedbackConfiguration) throws(AppServiceError) {
    try self.init(configuration, times: .live)
  }

  package init(_ configuration: FeedbackConfiguration, times: TransferTimes) throws(AppServiceError) {
    self.configuration = configuration
    folder = try FeedbackFolder(configuration.folder)
    if let given = configuration.secret { secret = given } else { secret = try folder.secret() }
    guard (32...200).contains(secret.utf8.count),
      secret.utf8.allSatisfy({ PercentEncoding.isAlphanumeric($0) || $0 == 0x2d })
    else { throw AppServiceError(.feedbackForm, ["problem": "secret"]) }
    do throws(TransferError) {
      queue = try TransferQueue(
        folder.queue, options: configuration.server.options(TransferOptions()), client: configuration.server.client,
        times: times, wall: configuration.now)
    } catch { throw AppServiceError(error) }
    forgetOld()
  }

  deinit {
    loop.withLock { $0?.cancel() }
    listeners.withLock { listeners in for listener in listeners.all.values { listener.finish() } }
  }

  // MARK: - Giving feedback

  /// Takes feedback over: it is on the disk when this returns, and goes out with the next delivery.
  ///
  /// - Returns: The ID of the conversation.
  /// - Throws: `AppServiceError` `feedback-form` where the form has a problem, or why it could not be written.
  @discardableResult
  public func submit(_ form: FeedbackForm) throws(AppServiceError) -> String {
    if let problem = configuration.model.problems(of: form).first {
      throw AppServiceError(.feedbackForm, ["problem": problem.rawValue])
    }
    let report = report(form)
    try folder.keep(report, form.pictures)
    tell(FeedbackConversation(report, .waiting))
    return report.id
  }

  private func report(_ form: FeedbackForm) -> FeedbackReport {
    let now = configuration.now()
    let pictures = form.pictures.enumerated().map { index, picture in
      FeedbackPicture(
        name: "picture-\(index + 1).\(picture.kind.suffix)", type: picture.kind.type, size: Int64(picture.bytes.count),
        sha256: picture.bytes.sha256.hexadecimal)
    }
    var report = FeedbackReport(
      id: UUID().uuidString.lowercased(), secret: secret, category: form.category, text: form.text,
      device: configuration.device, version: configuration.version, facts: configuration.facts(), pictures: pictures,
      created: now)
    report.contact = form.contact.isEmpty ? nil : form.contact
    (report.user, report.mobile, report.locale) = (form.userID, form.mobileNumber, configuration.locale)
    if form.givesLogs { report.logs = FeedbackLogs(from: now - Double(form.logHours) * 3600, to: now) }
    return report
  }

  /// Takes feedback back that the server does not have yet.
  ///
  /// Feedback whose post broke off may be at the server all the same, where the answer was lost.
  ///
  /// - Returns: Whether it was still here; false while it is being posted, too, since the server may have it then.
  @discardableResult
  public func discard(_ id: String) -> Bool {
    guard claim(id) else { return false }
    defer { release(id) }
    guard let report = folder.report(id), folder.mark(id, .posted) == nil else { return false }
    for picture in report.pictures.indices {
      if let transfer = try? queue.identifier(batch: batch(id, picture)) { try? queue.cancel(transfer) }
    }
    folder.discard(id)
    return true
  }

  /// Takes feedback for a post, or for taking it back; false where the other one has it.
  func claim(_ id: String) -> Bool { claimed.withLock { $0.insert(id).inserted } }

  func release(_ id: String) { _ = claimed.withLock { $0.remove(id) } }

  /// Sends feedback again that the server refused: with the next delivery.
  ///
  /// - Throws: `AppServiceError` where its mark cannot be removed.
  public func retry(_ id: String) throws(AppServiceError) { try folder.unset(.refused, on: id) }

  // MARK: - Conversations

  /// The feedback of a user of this device, the newest first, with the replies that have come.
  public func conversations(of userID: String?) -> [FeedbackConversation] {
    let waiting = folder.waitingIDs.compactMap { waitingConversation($0) }
    let known = Set(waiting.map(\.id))
    let sent = folder.sentIDs.filter { !known.contains($0) }.compactMap { folder.conversation($0)?.conversation }
    return (waiting + sent).filter { UserSession.isSame($0.userID, userID) }.sorted {
      ($0.created, $0.id) > ($1.created, $1.id)
    }
  }

  /// The number of replies that a user has not seen; a badge may show it.
  public func unread(of userID: String?) -> Int { conversations(of: userID).reduce(0) { $0 + $1.unread } }

  private func waitingConversation(_ id: String) -> FeedbackConversation? {
    guard let report = folder.report(id) else { return nil }
    if folder.mark(id, .posted) != nil, let sent = folder.conversation(id) { return sent.conversation }
    let reason = folder.mark(id, .refused)
    return FeedbackConversation(report, reason == nil ? .waiting : .refused, reason: reason)
  }

  /// Notes that the user has seen all replies of a conversation.
  ///
  /// - Throws: `AppServiceError` where it cannot be written.
  public func markRead(_ id: String) throws(AppServiceError) {
    try change(id) { sent in sent.readUpTo = sent.messages.map(\.number).max() ?? sent.readUpTo }
  }

  /// The conversations that change from now on: sent, refused, answered, closed.
  public var changes: AsyncStream<FeedbackConversation> {
    let (stream, continuation) = AsyncStream.makeStream(of: FeedbackConversation.self)
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.all[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in self?.listeners.withLock { $0.all[number] = nil } }
    return stream
  }

  func tell(_ conversation: FeedbackConversation) {
    listeners.withLock { listeners in for listener in listeners.all.values { listener.yield(conversation) } }
  }

  /// Changes the file of a conversation that the server has; nothing where there is none.
  func change(_ id: String, _ body: (inout SentFeedback) -> Void) throws(AppServiceError) {
    try turn.withLock { _ throws(AppServiceError) in
      guard var sent = folder.conversation(id) else { return }
      body(&sent)
      try folder.keep(sent)
    }
  }

  private func forgetOld() {
    let oldest = configuration.now() - configuration.keptDays * 86_400
    for id in folder.sentIDs where folder.conversation(id).map({ $0.updated < oldest }) ?? true { folder.forget(id) }
  }

  /// The word by which the queue knows the upload of a picture.
  func batch(_ id: String, _ picture: Int) -> String {
    "\(configuration.server.url) \(FeedbackPicture.batch(id, picture))"
  }
}

extension AppServiceError.Code {
  /// The form has a problem, or the configuration.
  package static var feedbackForm: Self { AppServiceError.Code("feedback-form", exit: .malformedInput) }
}
