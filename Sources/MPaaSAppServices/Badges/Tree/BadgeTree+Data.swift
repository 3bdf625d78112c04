import MPaaSProtocol

extension BadgeTree {
  /// Takes the server's badges in the place of all that it sent before, and keeps them: `updateRemoteBadgeInfo:`.
  ///
  /// Badges of this device alone stay.
  ///
  /// - Parameters:
  ///   - badges: The badges.
  ///   - ticket: The tree's ticket when the fetch began; nil where the badges are of the present user for sure.
  /// - Returns: Whether they were taken; they are not where another user signed in meanwhile.
  @discardableResult
  public func updateRemote(_ badges: [BadgeInfo], for ticket: UserTicket? = nil) -> Bool {
    guard counts(ticket) else { return false }
    remoteVersion = nil
    replaceRemote(badges)
    return true
  }

  private func replaceRemote(_ badges: [BadgeInfo]) {
    let local = localBadges
    // A badge of the server takes the place of a local one with the same path.
    forest = BadgeForest(badges)
    localPaths = []
    for badge in local where forest.badge(badge.badgeID) == nil {
      if forest.insert(badge) != nil { localPaths.insert(badge.badgeID) }
    }
    save()
    setNeedsRefresh()
  }

  /// Takes what the kit's own server told: all badges, or those that changed since the version that the tree has.
  ///
  /// Badges that were tapped and are not reported yet stay cleared.
  func take(_ update: BadgeUpdate, for ticket: UserTicket) -> Bool {
    guard counts(ticket) else { return false }
    let tapped = Set(pending + sending)
    let badges = update.badges.map { item in
      BadgeInfo(
        item.badgeID, style: BadgeStyle(item.style), temporary: tapped.contains(item.widget) ? 0 : item.temporary,
        persistent: item.persistent, businessID: item.business)
    }
    remoteVersion = update.version
    if update.full {
      replaceRemote(badges)
    } else {
      insertRemote(badges + update.removed.map { BadgeInfo($0) }, for: ticket)
    }
    return true
  }

  /// Adds badges of the server to those before, in the place of those with the same path, and keeps them:
  /// `insertRemoteBadgeInfo:`.
  ///
  /// - Parameters:
  ///   - badges: The badges.
  ///   - ticket: The tree's ticket when the fetch began; nil where the badges are of the present user for sure.
  /// - Returns: Whether they were taken; they are not where another user signed in meanwhile.
  @discardableResult
  public func insertRemote(_ badges: [BadgeInfo], for ticket: UserTicket? = nil) -> Bool {
    guard counts(ticket) else { return false }
    for badge in badges where forest.insert(badge) != nil { localPaths.remove(badge.badgeID) }
    save()
    setNeedsRefresh()
    return true
  }

  /// Adds badges that the app made itself; they are neither kept nor reported when tapped: `insertLocalBadgeInfo:`.
  public func insertLocal(_ badges: [BadgeInfo]) {
    for badge in badges where forest.insert(badge) != nil { localPaths.insert(badge.badgeID) }
    setNeedsRefresh()
  }

  /// Forgets all badges, and clears all widgets; what is kept on the device stays: `clearAllBadges`.
  public func clearAll() {
    (forest, localPaths, remoteVersion) = (BadgeForest(), [], nil)
    setNeedsRefresh()
  }

  private func counts(_ ticket: UserTicket?) -> Bool { ticket.map { $0 == self.ticket } ?? true }

  private var localBadges: [BadgeInfo] {
    localPaths.isEmpty ? [] : forest.liveBadges.filter { localPaths.contains($0.badgeID) }
  }
}
