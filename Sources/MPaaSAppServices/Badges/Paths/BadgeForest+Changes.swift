extension BadgeForest {
  /// Adds a badge, or puts it in the place of the one with its path.
  ///
  /// - Returns: Its place; nil where it has no path, or there is no room.
  @discardableResult
  package mutating func insert(_ badge: BadgeInfo) -> Int? {
    if let slot = slot(of: badge.badgeID) {
      count(slot, -1)
      badges[slot] = badge
      count(slot, 1)
      businesses = nil
      return slot
    }
    guard badges.count < Self.capacity, !badge.badgeID.isEmpty else { return nil }
    let parent = parent(of: badge.badgeID)
    let (path, widget) = PathHash.path(of: badge.badgeID)
    let (hash, widgetHash) = (UInt32(truncatingIfNeeded: path), UInt32(truncatingIfNeeded: widget))
    let slot = badges.count
    badges.append(badge)
    parents.append(branchByPath[badge.badgeID] ?? parent)
    pathHashes.append(hash)
    widgetHashes.append(widgetHash)
    if slotByPath.isFull { growPaths() }
    slotByPath.put(slot, hash)
    if slotsByWidget?.append(widgetHash) == false { slotsByWidget = nil }
    count(slot, 1)
    businesses = nil
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
  private func addition(_ slot: Int, _ sign: Int) -> BadgeTotals {
    var totals = BadgeTotals()
    totals.add(badges[slot].style, sign * badges[slot].number)
    return totals
  }

  private mutating func count(_ slot: Int, _ sign: Int) {
    let totals = addition(slot, sign)
    var branch = parents[slot]
    while branch >= 0 {
      branches[Int(branch)].totals += totals
      branch = branches[Int(branch)].parent
    }
  }

  /// The branch above a path. New branches take over the badges that have their own paths.
  private mutating func parent(of path: String) -> Int32 {
    guard let comma = path.utf8.lastIndex(of: UInt8(ascii: ",")) else { return -1 }
    let known = branches.count
    let parent = branch(String(path[..<comma]))
    for index in known..<branches.count {
      guard let slot = ownSlot(of: index) else { continue }
      count(slot, -1)
      parents[slot] = Int32(truncatingIfNeeded: index)
      count(slot, 1)
    }
    return parent
  }

  private mutating func growPaths() {
    slotByPath = SlotTable(capacity: badges.count * 2)
    for slot in badges.indices.dropLast() where isLive(slot) { slotByPath.put(slot, pathHashes[slot]) }
  }
}
