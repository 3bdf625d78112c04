extension BadgeForest {
  /// Adds a badge, or puts it in the place of the one with its path.
  ///
  /// - Returns: Its place; nil where it has no path, or there is no room.
  @discardableResult
  package mutating func insert(_ badge: BadgeInfo) -> Int? {
    guard !badge.badgeID.isEmpty else { return nil }
    businesses = nil
    if let slot = slot(badge.path.full) {
      count(slot, -1)
      if badge.namesBusiness, !badges[slot].namesBusiness { noteBusiness(slot) }
      badges[slot] = badge
      count(slot, 1)
      return slot
    }
    guard badges.count < Self.capacity else { return nil }
    let parent = parent(of: badge)
    let slot = badges.count
    badges.append(badge)
    parents.append(branchByPath[badge.path.full] ?? parent)
    widgetHashes.append(badge.path.widgetHash)
    if isBranch(badge.ownWidgetID) { mixedWidgets.insert(badge.path.widgetHash) }
    if badge.namesBusiness { noteBusiness(slot) }
    if slotByPath.isFull { growPaths() }
    slotByPath.put(slot, badge.path.hash)
    if slotsByWidget?.append(badge.path.widgetHash) == false { slotsByWidget = nil }
    count(slot, 1)
    return slot
  }

  /// Sets the number that taps clear to 0.
  ///
  /// - Returns: Whether there was anything to clear.
  mutating func clearTemporary(_ slot: Int) -> Bool {
    guard badges[slot].temporaryNumber > 0 else { return false }
    count(slot, -1)
    badges[slot].temporaryNumber = 0
    count(slot, 1)
    businesses = nil
    return true
  }

  /// Adds a badge to the sums above it, or takes it away with the sign -1.
  private mutating func count(_ slot: Int, _ sign: Int) {
    var totals = BadgeTotals()
    totals.add(badges[slot].kind, sign * badges[slot].number)
    var branch = parents[slot]
    while branch >= 0 {
      branches[Int(branch)].totals += totals
      branch = branches[Int(branch)].parent
    }
  }

  /// The branch above a badge.
  ///
  /// New branches take over the badges that have their own paths.
  private mutating func parent(of badge: BadgeInfo) -> Int32 {
    let known = branches.count
    let parent = branch(above: badge)
    for index in known..<branches.count {
      // Its own badges are not looked for.
      mixedWidgets.insert(branches[index].widgetHash)
      guard let slot = slot(branches[index].hash) else { continue }
      count(slot, -1)
      parents[slot] = Int32(truncatingIfNeeded: index)
      count(slot, 1)
    }
    return parent
  }

  private mutating func growPaths() {
    slotByPath = SlotTable(capacity: badges.count * 2)
    for slot in badges.indices.dropLast() where isLive(slot) {
      slotByPath.put(slot, badges[slot].path.hash)
    }
  }

  /// Notes a badge that names a business; it may stand there from a time before.
  private mutating func noteBusiness(_ slot: Int) {
    let slot = Int32(truncatingIfNeeded: slot)
    if businessSlots.last.map({ $0 < slot }) ?? true || !businessSlots.contains(slot) { businessSlots.append(slot) }
  }
}
