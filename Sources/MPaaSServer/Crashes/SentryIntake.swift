import MPaaSProtocol
import MPaaSSupport

/// Takes the items of an envelope: the event and what came with it become a crash, the others are counted.
struct SentryIntake: Sendable {
  private let crashes: CrashIntake
  private let sessions: SessionIntake
  let services: ServerServices
  /// The largest of all attachments that an event keeps, as the newest limits of Sentry have it.
  private static let largestAttachment = 100 << 20
  /// The attachment that is the event beside a report.
  static let eventFile = "event.json"

  init(_ crashes: CrashIntake) {
    self.crashes = crashes
    services = crashes.services
    sessions = SessionIntake(services)
  }

  /// The parts of an envelope to store.
  struct Prepared: Sendable {
    var event: String?
    var crash: CrashIntake.Prepared?
    var attachments: [(filename: String, type: String, content: [UInt8])] = []
    var sessions = SessionReader.Result()
    /// The words of users, which are no crashes.
    var feedback: [SentryFeedback] = []
    /// The reason why nothing but sessions is stored.
    var refusal: Refusal?
  }

  /// Tells whether an envelope has what quotas count.
  static func isCounted(_ envelope: SentryEnvelope) -> Bool {
    envelope.items.contains { ["event", "attachment", "feedback", "user_report"].contains($0.type) }
  }

  /// The sessions of an envelope whose events are refused.
  func sessions(
    _ bytes: UnsafeRawBufferPointer, _ envelope: SentryEnvelope, app: String, refusal: Refusal
  ) -> Prepared {
    var prepared = Prepared(refusal: refusal)
    let reader = sessions.reader(app: app, sent: envelope.sentAt)
    for item in envelope.items where SessionReader.takes(item.type) {
      reader.read(item.type, UnsafeRawBufferPointer(rebasing: bytes[item.payload]), into: &prepared.sessions)
    }
    return prepared
  }

  /// Reads and packs.
  ///
  /// - Throws: `ServerError` where the envelope, its event or its report cannot be read; then nothing of it is stored.
  func prepare(_ bytes: UnsafeRawBufferPointer, _ envelope: SentryEnvelope, app: String) throws(ServerError) -> Prepared
  {
    var prepared = Prepared(event: envelope.eventID)
    var event: UnsafeRawBufferPointer?
    var report: UnsafeRawBufferPointer?
    let reader = sessions.reader(app: app, sent: envelope.sentAt)
    for item in envelope.items {
      let payload = UnsafeRawBufferPointer(rebasing: bytes[item.payload])
      switch (item.type, item.attachmentType) {
      case ("event", _) where event == nil: event = payload
      case ("attachment", "event.minidump"?) where report == nil,
        ("attachment", "event.applecrashreport"?) where report == nil:
        report = payload
      case ("attachment", _):
        prepared.attachments.append(
          (item.filename ?? "attachment", item.contentType ?? "application/octet-stream", Array(payload)))
      case (let type, _) where SessionReader.takes(type): reader.read(type, payload, into: &prepared.sessions)
      case ("feedback", _), ("user_report", _):
        guard let feedback = feedback(payload, app: app) else {
          services.counts.add("left-out.\(Self.word(item.type))")
          continue
        }
        prepared.feedback.append(feedback)
      default: services.counts.add("left-out.\(Self.word(item.type))")
      }
    }
    if let report {
      let event = event.map { services.scrubbing.scrubber(of: app).document($0) ?? Array($0) }
      prepared.crash = try crash(report, beside: event, named: envelope.eventID, app: app)
      if let event { prepared.attachments.insert((Self.eventFile, "application/json", event), at: 0) }
    } else if let event {
      prepared.crash = try crashes.prepare(event, app: app, isEvent: true, event: envelope.eventID)
    } else if !prepared.attachments.isEmpty {
      services.counts.add("left-out.attachment", Int64(prepared.attachments.count))
      prepared.attachments = []
    }
    prepared.event = prepared.crash?.crash.summary.event ?? prepared.event
    return prepared
  }

  /// The words of a user as they were written, and what else the item tells without what is scrubbed.
  private func feedback(_ payload: UnsafeRawBufferPointer, app: String) -> SentryFeedback? {
    guard var feedback = SentryFeedback(payload, app: app) else { return nil }
    let clean = services.scrubbing.scrubber(of: app).document(payload)
    let scrubbed = clean?.withUnsafeBytes { SentryFeedback($0, app: app) } ?? nil
    if let scrubbed { feedback.report.facts = scrubbed.report.facts }
    return feedback
  }

  private func crash(
    _ report: UnsafeRawBufferPointer, beside event: [UInt8]?, named name: String?, app: String
  ) throws(ServerError) -> CrashIntake.Prepared {
    guard let event else { return try crashes.prepare(report, app: app, event: name) }
    return try event.reading { event throws(ServerError) in
      try crashes.prepare(report, app: app, event: name, beside: event)
    }
  }

  /// Packs a minidump and what came with it.
  ///
  /// - Throws: `ServerError` where the dump cannot be read.
  func prepare(_ form: MinidumpForm, app: String) throws -> Prepared {
    let told = JSONValue.object(form.event).line
    let event = form.event.isEmpty ? nil : Array(services.scrubbing.scrubber(of: app).text(told).utf8)
    let crash = try form.dump.withUnsafeBytes { dump throws(ServerError) in
      try self.crash(dump, beside: event, named: event == nil ? nil : form.eventID, app: app)
    }
    var prepared = Prepared(event: crash.crash.summary.event, crash: crash)
    if let event { prepared.attachments.append((Self.eventFile, "application/json", event)) }
    prepared.attachments += form.attachments
    return prepared
  }

  /// Stores what was prepared; returns when it is on the disk.
  ///
  /// Sessions count also where their event is refused.
  func store(_ prepared: Prepared) async throws -> StoredCrash? {
    for feedback in prepared.feedback {
      let now = services.now()
      let isNew = try await services.store.write { try feedback.insert(at: now, in: $0) }
      if isNew { services.counts.accepted("feedback", bytes: 0) } else { services.counts.duplicate("feedback") }
    }
    if prepared.sessions.isEmpty { return try await storeCrash(prepared) }
    if prepared.crash == nil {
      try await sessions.store(prepared.sessions)
      return nil
    }
    async let counted: Void = sessions.store(prepared.sessions)
    do {
      let crash = try await storeCrash(prepared)
      try await counted
      return crash
    } catch {
      // Ended, not cancelled.
      try? await counted
      throw error
    }
  }

  private func storeCrash(_ prepared: Prepared) async throws -> StoredCrash? {
    guard var crash = prepared.crash else { return nil }
    var held: [BlobHold] = []
    do {
      for attachment in prepared.attachments {
        let hold = try await services.keep(attachment.content)
        held.append(hold)
        crash.crash.attachments.append(
          IncomingCrash.Attachment(
            filename: attachment.filename, type: attachment.type, blob: hold.name,
            size: Int64(attachment.content.count)))
      }
      let stored = try await crashes.store(crash)
      await services.release(held, isNamed: !stored.isDuplicate)
      return stored
    } catch {
      await services.release(held, isNamed: false)
      throw error
    }
  }

  /// Types that the protocol knows; of others there could be any number.
  private static func word(_ type: String) -> String {
    let known = [
      "event", "transaction", "session", "sessions", "client_report", "user_report", "feedback", "check_in", "profile",
      "profile_chunk", "replay_event", "replay_recording", "replay_video", "statsd", "metric_buckets", "log", "span",
      "trace_metric", "raw_security",
    ]
    return known.contains(type) ? type : "other"
  }
}
