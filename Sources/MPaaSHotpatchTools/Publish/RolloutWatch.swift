package import MPaaSHotpatch
package import MPaaSProtocol
import MPaaSSupport
package import MPaaSTrust
import MPaaSTrustTools

/// Looks at what a console counts of patches, and stops those whose devices crash more often; makes the changes that
/// operators asked for on the console, where it may; tells the console how the rollouts stand.
///
/// The console holds no keys, and what it says can stop a patch alone; changes that it asks for are made only where
/// `requests` is given. Ended at any moment, the next look goes on from what the repository says.
package struct RolloutWatch: Sendable {
  /// The console as it is asked.
  package struct Console: Sendable {
    /// The versions of patches of an app's identifier, with their devices.
    package var patches: @Sendable (_ identity: String) async throws -> [PatchEntry]
    package var tell: @Sendable (_ note: RolloutNote, _ identity: String) async throws -> Void
    /// The changes that wait; nil where they are not made.
    package var requests: (@Sendable () async throws -> [RolloutRequest])?
    package var end: @Sendable (RolloutRequest, RolloutOutcome) async throws -> Void

    package init(
      patches: @escaping @Sendable (_ identity: String) async throws -> [PatchEntry],
      tell: @escaping @Sendable (_ note: RolloutNote, _ identity: String) async throws -> Void,
      requests: (@Sendable () async throws -> [RolloutRequest])?,
      end: @escaping @Sendable (RolloutRequest, RolloutOutcome) async throws -> Void
    ) {
      (self.patches, self.tell, self.requests, self.end) = (patches, tell, requests, end)
    }
  }

  package enum Event: Sendable {
    /// A version was stopped: for new devices alone where its state is `paused`, else everywhere.
    case stopped(RolloutChange, PatchEntry)
    case requested(RolloutRequest, RolloutOutcome)
  }

  private let publisher: RolloutPublisher
  private let app: String?
  private let keys: [SigningKey]
  private let console: Console
  /// The words of an error that refuses a change.
  private let words: @Sendable (any Error) -> String
  /// The notes that the console has, by the apps' identifiers.
  private var told: [String: RolloutNote] = [:]

  /// - Parameters:
  ///   - app: The identifier of the one app that is looked after; nil for all of the repository.
  ///   - keys: Sign changes.
  package init(
    _ publisher: RolloutPublisher, app: String?, keys: [SigningKey], _ console: Console,
    words: @escaping @Sendable (any Error) -> String
  ) {
    (self.publisher, self.app, self.keys, self.console, self.words) = (publisher, app, keys, console, words)
  }

  /// Looks once.
  ///
  /// - Throws: What the console's functions throw; `TrustError`, `FileError` of the repository.
  package mutating func look(_ event: (Event) throws -> Void) async throws {
    for document in try publisher.documents(app: app) {
      for entry in try await console.patches(document.app) { try stop(entry, of: document, event) }
    }
    if let requests = try await console.requests?() {
      let apps = Set(try publisher.documents(app: app).map(\.app))
      for request in requests.reversed() where request.state == .waiting && apps.contains(request.identity) {
        guard let outcome = try outcome(of: request) else { continue }
        try await console.end(request, outcome)
        try event(.requested(request, outcome))
      }
    }
    for document in try publisher.documents(app: app) {
      let note = RolloutNote(document)
      guard told[document.app] != note else { continue }
      try await console.tell(note, document.app)
      told[document.app] = note
    }
  }

  // MARK: - Counts

  /// Stops the rollouts of a version where the test says so.
  private func stop(_ entry: PatchEntry, of document: RolloutDocument, _ event: (Event) throws -> Void) throws {
    let now = publisher.editor.now()
    for rollout in document.rollouts
    where rollout.patch == entry.patch && rollout.version == DottedVersion(entry.version)
      && [.running, .paused].contains(rollout.state)
    {
      guard let totals = CrashTotals(entry, channel: rollout.channel, counted: now) else { continue }
      // Counts alone are not worth a new document; the state of the test is told by the console.
      var trial = document
      guard try !trial.record(totals, reason: CrashTotals.reason, at: now).isEmpty else { continue }
      let choice = RolloutChoice(
        app: document.app, patch: rollout.patch, version: rollout.version.text, channel: rollout.channel)
      let change = try publisher.change(choice, RolloutChanges(reason: ""), totals: totals) { keys }
      guard !change.affected.isEmpty else { continue }
      try event(.stopped(change, entry))
    }
  }

  // MARK: - Requests

  /// Makes a change that was asked for; nil where it has to wait, since another one changes the repository.
  private func outcome(of request: RolloutRequest) throws -> RolloutOutcome? {
    let choice = RolloutChoice(
      app: request.identity, patch: request.patch, version: request.version, channel: request.channel)
    do {
      guard let document = try publisher.document(app: request.identity) else {
        throw RolloutPublisher.unknown(app: request.identity)
      }
      // It was made before, and the console could not be told.
      if request.isMade(in: document.rollouts[try choice.index(in: document)]) { return RolloutOutcome(state: .done) }
      let reason = request.reason.isEmpty ? request.author : "\(request.author): \(request.reason)"
      let change =
        switch request.action {
        case .pause: try publisher.halt(choice, .installs, reason: reason) { keys }
        case .halt: try publisher.halt(choice, .everywhere, reason: reason) { keys }
        case .resume: try publisher.change(choice, RolloutChanges(reason: reason), .resume) { keys }
        case .percentage:
          try publisher.change(choice, RolloutChanges(reason: reason, basisPoints: request.basisPoints)) { keys }
        }
      return RolloutOutcome(state: .done, outcome: change.outcome.isComplete ? "" : "signatures-missing")
    } catch {
      if let failure = error as? any DiagnosticConvertible, failure.diagnostic.exit == .tryAgain { return nil }
      return RolloutOutcome(state: .refused, outcome: words(error))
    }
  }
}

extension RolloutRequest {
  /// Tells whether a rollout is as the request wants it.
  fileprivate func isMade(in rollout: Rollout) -> Bool {
    switch action {
    case .pause: rollout.state == .paused
    case .halt: rollout.state == .halted
    case .resume: rollout.state == .running
    case .percentage: rollout.basisPoints == basisPoints
    }
  }
}

extension RolloutChanges {
  fileprivate init(reason: String, basisPoints: Int?) {
    self.init(reason: reason)
    self.basisPoints = basisPoints
  }
}

extension RolloutNote {
  /// The rollouts of a document, the newest first.
  package init(_ document: RolloutDocument) {
    self.init(
      version: document.version,
      rollouts: document.rollouts.reversed().map { rollout in
        Rollout(
          patch: rollout.patch, version: rollout.version.text, channel: rollout.channel, state: rollout.state.rawValue,
          stage: rollout.stage.rawValue, basisPoints: rollout.effectiveBasisPoints,
          reason: rollout.history.last?.reason ?? "")
      })
  }
}
