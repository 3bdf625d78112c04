import MPaaSLock
import MPaaSProtocol
import MPaaSSupport
import MPaaSTime
public import MPaaSTransfer

extension FeedbackService {
  /// Sends what waits, as far as the device allows, and asks for replies, from time to time; at once the first time.
  ///
  /// - Parameters:
  ///   - interval: Seconds between two looks.
  ///   - device: The network and the battery at the moment.
  public func start(every interval: Double = 900, device: @escaping @Sendable () -> DeviceState) {
    loop.withLock { loop in
      guard loop == nil else { return }
      loop = Task { [weak self] in
        while !Task.isCancelled {
          guard await self?.look(device) != nil else { return }
          try? await Task.sleep(for: .seconds(max(interval, 1)))
        }
      }
    }
  }

  /// Sends and asks once; what cannot go now goes the next time.
  private func look(_ device: @escaping @Sendable () -> DeviceState) async {
    _ = try? await deliver(device)
    _ = try? await refresh()
  }

  /// Looks no more.
  public func stop() {
    loop.withLock { loop in
      loop?.cancel()
      loop = nil
    }
  }

  /// Sends what waits, as far as the device allows.
  ///
  /// - Returns: Whether nothing waits any more but what was refused.
  /// - Throws: `AppServiceError` where the server cannot be reached; what waits goes on waiting.
  @discardableResult
  public func deliver(_ device: @escaping @Sendable () -> DeviceState) async throws(AppServiceError) -> Bool {
    let task = delivering.withLock { running in
      if let running { return running }
      let task = Task { () -> Result<Bool, AppServiceError> in
        let result: Result<Bool, AppServiceError>
        do throws(AppServiceError) { result = .success(try await self.deliverAll(device)) } catch {
          result = .failure(error)
        }
        self.delivering.withLock { $0 = nil }
        return result
      }
      running = task
      return task
    }
    return try await task.value.get()
  }

  private func deliverAll(_ device: @escaping @Sendable () -> DeviceState) async throws(AppServiceError) -> Bool {
    guard device().network != .none else { return folder.waitingIDs.allSatisfy { folder.mark($0, .refused) != nil } }
    var (failure, givesLogs): (AppServiceError?, Bool) = (nil, false)
    for id in folder.oldestFirst where folder.mark(id, .refused) == nil {
      guard let report = folder.report(id) else {
        // A file that cannot be read will not be readable later; it would wait for ever.
        folder.discard(id)
        continue
      }
      let isNew = folder.mark(id, .posted) == nil
      do throws(AppServiceError) { try await deliver(report, device) } catch { failure = failure ?? error }
      if isNew, report.logs != nil, folder.conversation(id) != nil { givesLogs = true }
    }
    // Last, since logs may take longer than all else.
    if givesLogs { await configuration.collectLogs() }
    if let failure { throw failure }
    return folder.waitingIDs.allSatisfy { folder.mark($0, .refused) != nil }
  }

  /// Sends one piece of feedback: its words, then its pictures, and last it is among what was sent.
  private func deliver(
    _ report: FeedbackReport, _ device: @escaping @Sendable () -> DeviceState
  ) async throws(AppServiceError) {
    if folder.mark(report.id, .posted) == nil, try await !post(report) { return }
    guard try await bringPictures(of: report, device) else { return }
    folder.discard(report.id)
  }

  /// Sends the words, which the server stores once.
  ///
  /// - Returns: False where it refused them for good, or the user takes them back.
  private func post(_ report: FeedbackReport) async throws(AppServiceError) -> Bool {
    guard claim(report.id) else { return false }
    defer { release(report.id) }
    guard folder.report(report.id) != nil else { return false }
    do throws(AppServiceError) {
      let _: Receipt = try await configuration.server.ask("POST", ServerPaths.feedback, json: report)
    } catch {
      guard error.isContentRefused else { throw error }
      let reason = error.values["reason"] ?? error.identifier
      try folder.set(.refused, reason, on: report.id)
      tell(FeedbackConversation(report, .refused, reason: reason))
      return false
    }
    let sent = SentFeedback(report: report, updated: configuration.now())
    if folder.conversation(report.id) == nil { try folder.keep(sent) }
    try folder.set(.posted, "", on: report.id)
    tell(sent.conversation)
    return true
  }

  /// Brings the pictures by uploads that go on where they broke off.
  ///
  /// - Returns: Whether there is nothing left to bring.
  private func bringPictures(
    of report: FeedbackReport, _ device: @escaping @Sendable () -> DeviceState
  ) async throws(AppServiceError) -> Bool {
    guard !report.pictures.isEmpty else { return true }
    do throws(TransferError) {
      var transfers: Set<TransferID> = []
      for index in report.pictures.indices { transfers.insert(try queue.add(transfer(report, index))) }
      _ = try await queue.run(only: transfers, patience: .retries, standstill: .seconds(30), device: device)
      for id in transfers {
        guard try queue.record(id)?.state.isFinal ?? true else { return false }
      }
      return true
    } catch { throw AppServiceError(error) }
  }

  private func transfer(_ report: FeedbackReport, _ index: Int) -> Transfer {
    let picture = report.pictures[index]
    var transfer = Transfer(
      .tus, configuration.server.url + ServerPaths.uploads, file: folder.picture(report.id, picture.name),
      batch: batch(report.id, index), tag: report.id)
    transfer.network = configuration.pictureNetwork
    transfer.sha256 = picture.sha256
    transfer.metadata = [
      UploadMetadata.filename: picture.name, UploadMetadata.type: picture.type, UploadMetadata.kind: "file",
      UploadMetadata.sha256: picture.sha256, UploadMetadata.batch: FeedbackPicture.batch(report.id, index),
      UploadMetadata.device: report.device,
    ]
    transfer.metadata[UploadMetadata.user] = report.user
    return transfer
  }

  // MARK: - Replies

  /// Asks for replies to the feedback of this device; listeners are told of them, too.
  ///
  /// - Returns: The conversations that have news.
  /// - Throws: `AppServiceError` where the server cannot be asked, or what it says cannot be kept.
  @discardableResult
  public func refresh() async throws(AppServiceError) -> [FeedbackConversation] {
    var changed: [String: FeedbackConversation] = [:]
    while true {
      let last = folder.lastReply
      let replies: FeedbackReplies = try await configuration.server.ask(
        "GET", "\(ServerPaths.feedbackReplies)?after=\(last)",
        headers: [(FeedbackReplies.secretField, secret)])
      for message in replies.messages {
        if let conversation = try take(message) { changed[conversation.id] = conversation }
      }
      // Only now: what was asked for and not kept would be lost.
      if replies.next > folder.lastReply { try folder.setLastReply(replies.next) }
      // A server that gets no further would be asked the same for ever.
      guard replies.more, !replies.messages.isEmpty, replies.next > last else { break }
    }
    for conversation in changed.values { tell(conversation) }
    return changed.values.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
  }

  /// Keeps a reply; nil where it was known, or is of feedback that this device has forgotten.
  private func take(_ message: FeedbackMessage) throws(AppServiceError) -> FeedbackConversation? {
    var result: FeedbackConversation?
    let now = configuration.now()
    try change(message.feedback) { sent in
      guard !sent.messages.contains(where: { $0.number == message.number }) else { return }
      sent.messages.append(message)
      sent.updated = now
      result = sent.conversation
    }
    return result
  }
}
