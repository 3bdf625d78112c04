extension BadgeForest {
  /// Takes all badges in at once: neighbors mostly share their parents, whose sums are made in one go.
  mutating func plant() {
    var planting = Planting(badges)
    planting.run(in: &self)
    parents = planting.parents
    slotByPath = planting.table
    moveOwnBadges()
    // Parents stand before their children.
    for index in branches.indices.reversed() where branches[index].parent >= 0 {
      let totals = branches[index].totals
      branches[Int(branches[index].parent)].totals += totals
    }
  }

  /// Lets badges of widgets that have others below them count on their own widgets, too.
  private mutating func moveOwnBadges() {
    for index in branches.indices {
      guard let slot = slot(branches[index].hash), parents[slot] == branches[index].parent else { continue }
      let (kind, number) = (badges[slot].kind, badges[slot].number)
      if parents[slot] >= 0 { branches[Int(parents[slot])].totals.add(kind, -number) }
      branches[index].totals.add(kind, number)
      parents[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// The place of the badge whose path has a digest.
  func slot(_ digest: UInt64) -> Int? {
    slotByPath.first(UInt32(truncatingIfNeeded: digest)) { badges[$0].path.full == digest }
  }

  /// The branch of a path without its last widget, made with those above it where it is missing; -1 for none.
  mutating func branch(above badge: BadgeInfo) -> Int32 {
    guard badge.path.prefix != PathDigest.empty else { return -1 }
    if let known = branchByPath[badge.path.prefix] { return known }
    guard let comma = badge.badgeID.utf8.lastIndex(of: UInt8(ascii: ",")) else { return -1 }
    let above = BadgeInfo(String(badge.badgeID[..<comma]))
    let parent = branch(above: above)
    let new = Int32(truncatingIfNeeded: branches.count)
    let widget = above.ownWidgetID
    branches.append(
      BadgeBranch(
        path: above.badgeID, widgetID: widget, parent: parent, hash: above.path.full,
        isRepeated: isOnPath(widget, parent)))
    branchByPath[above.path.full] = new
    branchesByWidget[widget, default: []].append(new)
    return new
  }

  /// True where a widget is a branch or stands above it.
  func isOnPath(_ widget: String, _ branch: Int32) -> Bool {
    var branch = branch
    while branch >= 0 {
      if branches[Int(branch)].widgetID == widget { return true }
      branch = branches[Int(branch)].parent
    }
    return false
  }
}

/// The columns of a forest while all its badges are taken in.
private struct Planting {
  let badges: [BadgeInfo]
  var parents: [Int32]
  var table: SlotTable
  /// The sum of the badges since the branch is another one.
  private var sum = BadgeTotals()
  private var branch: Int32 = -1
  private var prefix = PathDigest.empty

  init(_ badges: [BadgeInfo]) {
    self.badges = badges
    parents = [Int32](repeating: BadgeForest.dead, count: badges.count)
    table = SlotTable(capacity: badges.count)
  }

  mutating func run(in forest: inout BadgeForest) {
    let all = badges
    all.withUnsafeBufferPointer { badges in
      for slot in badges.indices {
        let path = badges[slot].path
        // An empty path has the digest of an empty widget; it is told by its text, which is looked at where it may be.
        if path.prefix == PathDigest.empty, badges[slot].badgeID.isEmpty { continue }
        if path.prefix != prefix { turn(to: badges[slot], in: &forest) }
        parents[slot] = branch
        // Field by field: a computed property would have all of the badge copied for it.
        sum.add(badges[slot].kind, Int(badges[slot].temporary) + Int(badges[slot].persistent))
        let former = table.put(slot, UInt32(truncatingIfNeeded: path.full)) { badges[$0].path.full == path.full }
        if let former { forget(former, &forest) }
      }
    }
    settle(in: &forest)
  }

  /// Goes over to the branch of another badge.
  private mutating func turn(to badge: BadgeInfo, in forest: inout BadgeForest) {
    settle(in: &forest)
    branch = forest.branch(above: badge)
    prefix = badge.path.prefix
  }

  private mutating func settle(in forest: inout BadgeForest) {
    if branch >= 0 { forest.branches[Int(branch)].totals += sum }
    sum = BadgeTotals()
  }

  /// Takes a badge out of the sums of its branch, which has the same path as a later one.
  private mutating func forget(_ slot: Int, _ forest: inout BadgeForest) {
    // Of the same path, so of the same branch, whether that one's sum is settled or not.
    if parents[slot] >= 0 { forest.branches[Int(parents[slot])].totals.add(badges[slot].kind, -badges[slot].number) }
    parents[slot] = BadgeForest.dead
  }
}
