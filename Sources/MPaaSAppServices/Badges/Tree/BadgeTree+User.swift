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
    guard let user = ticket.userID, let cache else { return }
    let read = reading(user, from: cache)
    // Later changes are written when this is done, without waiting for what becomes of it.
    let own = Task { _ = await read.value }
    disk = own
    guard let content = await read.value, ticket == self.ticket else { return }
    let isSaved = disk != own
    // Badges that came meanwhile are newer; where they were all of the server's badges, those that are missing are gone.
    if remoteVersion == nil {
      for badge in content.badges where forest.badge(badge.badgeID) == nil { forest.insert(badge) }
      remoteVersion = content.version
    }
    pending = content.pending + pending.filter { !content.pending.contains($0) }
    if isSaved { save() }
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

  /// Reads what is kept of a user, after what is being written.
  private func reading(_ user: String, from cache: BadgeCache) -> Task<BadgeCache.Content?, Never> {
    Task.detached { [configuration, disk] in
      await disk?.value
      do throws(AppServiceError) { return try cache.read(user, configuration) } catch {
        configuration.report(error)
        return nil
      }
    }
  }

  /// Keeps the remote badges and the taps that wait, after what is being written.
  func save() {
    guard let cache, let user = userID else { return }
    let waiting = sending + pending.filter { !sending.contains($0) }
    write { [forest, localPaths, remoteVersion] configuration throws(AppServiceError) in
      // Here and not before: it takes longer than the change itself.
      let badges = forest.liveBadges
      let remote = localPaths.isEmpty ? badges : badges.filter { !localPaths.contains($0.badgeID) }
      let content = BadgeCache.Content(badges: remote, pending: waiting, version: remoteVersion)
      try cache.write(content, of: user, configuration)
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
    let taps = BadgeTaps(userID: ticket.userID, widgetIDs: sending, version: remoteVersion)
    reporting = Task { [weak self, sending, ticket, configuration] in
      let isKnown: Bool
      if let acknowledge = configuration.acknowledgeTaps {
        isKnown = await acknowledge(taps)
      } else {
        isKnown = await configuration.acknowledge(sending)
      }
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
