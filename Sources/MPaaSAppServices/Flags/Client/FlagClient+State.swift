import MPaaSFlags
import MPaaSSupport
import MPaaSVerification

extension FlagClient {
  /// Lets the state count that the server sent last, where states wait for the app's word.
  ///
  /// - Returns: Whether there was one that waited.
  @discardableResult
  public func activate() -> Bool {
    guard let holding, holding.state != active else { return false }
    active = holding.state
    show(from: .server)
    return true
  }

  /// Takes the answer of the server to a question.
  ///
  /// - Parameter ticket: The ticket of when the question was asked; the answer is passed over where it no longer counts.
  /// - Throws: `AppServiceError`: why the state is refused; the last good one stays.
  func take(_ body: [UInt8], etag: String?, for ticket: UserTicket) throws(AppServiceError) {
    guard ticket == self.ticket else { return }
    let document = try checked(body)
    var next = try FlagHolding(reading: document?.state ?? body, place: configuration.stateAddress)
    next.etag = etag
    if let document { try remember(document) }
    keep(FlagCache.Content(origin: configuration.origin, body: body, etag: etag))
    accept(next)
  }

  /// Takes events of a stream.
  ///
  /// - Parameter isContinued: Whether the events change the state at hand; others must begin with a whole state.
  /// - Returns: Whether they were taken.
  /// - Throws: `AppServiceError`: why they are refused; the last good state stays.
  func take(_ events: ServerSentEvent, isContinued: Bool, for ticket: UserTicket) throws(AppServiceError) -> Bool {
    guard ticket == self.ticket else { return false }
    var next = (isContinued ? holding : nil) ?? FlagHolding()
    try next.apply(events.data, place: configuration.address("client/streaming"))
    guard isContinued || next.document.isWhole else { return false }
    (next.etag, next.eventID) = (nil, events.lastID)
    keep(FlagCache.Content(origin: configuration.origin, body: next.document.encoded, eventID: next.eventID))
    accept(next)
    return true
  }

  // MARK: - Signed states

  private func checked(_ body: [UInt8]) throws(AppServiceError) -> SignedFlagState? {
    do throws(TrustError) {
      guard let document = try configuration.trust.document(in: body) else { return nil }
      try document.check(app: configuration.appName, at: configuration.clock.date)
      try memory.check(document)
      return document
    } catch { throw AppServiceError(error) }
  }

  /// Notes the number of a signed state before the state itself is kept: an older one is not taken after a crash either.
  private func remember(_ document: SignedFlagState) throws(AppServiceError) {
    let next = SignedFlagMemory(document)
    guard next != memory else { return }
    do throws(FileError) {
      try PrivateFolder.create(configuration.folder)
      try next.write(to: configuration.folder + "/signed.json")
    } catch { throw AppServiceError(error) }
    memory = next
  }

  // MARK: - Steps

  private func keep(_ content: FlagCache.Content) {
    do throws(AppServiceError) { try cache.write(content, of: ticket.userID) } catch { listeners.tell(.failed(error)) }
  }

  private func accept(_ next: FlagHolding) {
    let isFirst = holding == nil && view.source == nil
    holding = next
    arrivals += 1
    // The first state is shown at once: there is none that an app works with.
    if configuration.staging == .immediate || isFirst { active = next.state }
    progress.hasAnswered = true
    show(from: .server)
    listeners.tell(.fetched)
    let held = next.state.changes(from: shown)
    if !held.isEmpty { listeners.tell(.held(held)) }
  }

  /// Evaluates what counts now, and tells what is new.
  func show(from source: FlagSource?) {
    let next = holding.map { $0.state == active ? active : active.withKillSwitches(of: $0.state) } ?? active
    let isNew = next != shown
    let changes = isNew ? next.changes(from: shown) : []
    shown = next
    view.replace(with: isNew ? next : nil, from: source, for: ticket.userID)
    if let source, told.insert(source).inserted { listeners.tell(.ready(source)) }
    if !changes.isEmpty { listeners.tell(.changed(changes)) }
  }
}
