extension BadgeTree: UserObserver {
  /// Goes over to a user: what is kept of the user is shown, and taps that wait are reported: `refreshAfterLogin:`.
  ///
  /// - Parameter userID: The user; nil for none, which clears all.
  public func refreshAfterLogin(_ userID: String?) async {
    let userID = userID?.isEmpty == true ? nil : userID
    await follow(UserSession.isSame(self.userID, userID) ? ticket : UserTicket(userID: userID))
  }

  /// Follows a `UserState`; its tickets are the tree's then.
  public func userChanged(to session: UserSession) async { await follow(session.ticket) }

  private func follow(_ ticket: UserTicket) async {
    if ticket == self.ticket {
      // A renewed session: the server may be reached again.
      deliver()
      return
    }
    self.ticket = ticket
    (pending, sending) = ([], [])
    clearAll()
    guard let user = ticket.userID, let content = await content(of: user), ticket == self.ticket else { return }
    // What came meanwhile is newer.
    for badge in content.badges where forest.badge(badge.badgeID) == nil { forest.insert(badge) }
    pending = content.pending + pending.filter { !content.pending.contains($0) }
    setNeedsRefresh()
    deliver()
  }

  // MARK: - The cache

  /// Waits until reports of taps are answered, all that was to be kept is on the disk, and the widgets know what is new.
  public func settle() async {
    while !sending.isEmpty, let reporting { await reporting.value }
    await disk?.value
    refresh()
  }

  private func content(of user: String) async -> BadgeCache.Content? {
    guard let cache else { return nil }
    let read = Task.detached { [configuration, disk] () -> BadgeCache.Content? in
      await disk?.value
      do throws(AppServiceError) { return try cache.read(user, configuration) } catch {
        configuration.report(error)
        return nil
      }
    }
    return await read.value
  }

  /// Keeps the remote badges and the taps that wait, after what is being written.
  func save() {
    guard let cache, let user = userID else { return }
    let waiting = sending + pending.filter { !sending.contains($0) }
    write { [forest, localPaths] configuration throws(AppServiceError) in
      // Here and not before: it takes longer than the change itself.
      let badges = forest.liveBadges
      let remote = localPaths.isEmpty ? badges : badges.filter { !localPaths.contains($0.badgeID) }
      try cache.write(BadgeCache.Content(badges: remote, pending: waiting), of: user, configuration)
    }
  }

  private func write(
    _ body: @escaping @Sendable (BadgeServiceConfiguration) throws(AppServiceError) -> Void
  ) {
    disk = Task.detached { [configuration, disk] in
      await disk?.value
      do throws(AppServiceError) { try body(configuration) } catch { configuration.report(error) }
    }
  }

  // MARK: - Reports of taps

  /// Reports the taps that wait, those of one call at a time.
  ///
  /// Taps that the server was not told of wait for the next tap, log-in, or call of this.
  public func deliver() {
    guard sending.isEmpty, !pending.isEmpty else { return }
    (sending, pending) = (pending, [])
    reporting = Task { [weak self, sending, ticket, acknowledge = configuration.acknowledge] in
      let isKnown = await acknowledge(sending)
      self?.finish(sending, ticket, isKnown)
    }
  }

  private func finish(_ sent: [String], _ ticket: UserTicket, _ isKnown: Bool) {
    guard ticket == self.ticket else {
      if isKnown { forget(sent, ofFormer: ticket.userID) }
      return
    }
    sending = []
    guard isKnown else {
      pending = sent + pending.filter { !sent.contains($0) }
      return
    }
    save()
    deliver()
  }

  /// Takes reported taps out of the file of a user who has signed out meanwhile.
  private func forget(_ sent: [String], ofFormer user: String?) {
    guard let cache, let user else { return }
    write { configuration throws(AppServiceError) in
      var content = try cache.read(user, configuration)
      content.pending.removeAll { sent.contains($0) }
      try cache.write(content, of: user, configuration)
    }
  }
}
