extension BadgeForest {
  /// Takes all badges in at once: a column is gone through at a time, and sums are made by branches.
  mutating func plant() {
    let planting = Planting(badges, in: &self)
    (parents, widgetHashes, businessSlots) = (planting.parents, planting.widgetHashes, planting.businessSlots)
    for index in branches.indices { branches[index].totals += planting.direct[index] }
    slotByPath = planting.table(of: badges) { former, _ in
      // The same path is the same branch.
      if parents[former] >= 0 { branches[Int(parents[former])].totals.add(badges[former].kind, -badges[former].number) }
      parents[former] = Self.dead
    }
    moveOwnBadges()
    mixedWidgets = widgetsOfBoth()
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

  /// The hashes of widgets that are both branches and a badge's own.
  private func widgetsOfBoth() -> Set<UInt32> {
    let mask: UInt32 = 1 << 16 - 1
    var isBranch = [Bool](repeating: false, count: 1 << 16)
    for branch in branches { isBranch[Int(branch.widgetHash & mask)] = true }
    return isBranch.withUnsafeBufferPointer { isBranch in
      var found: Set<UInt32> = []
      for hash in widgetHashes where isBranch[Int(hash & mask)] { found.insert(hash) }
      return found
    }
  }

  /// The place of the badge whose path has a digest.
  func slot(_ digest: UInt64) -> Int? {
    slotByPath.first(PathDigest.hash(of: digest)) { badges[$0].path.full == digest }
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
        widgetHash: above.path.widgetHash, isRepeated: isOnPath(widget, parent)))
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
  var parents: [Int32]
  var widgetHashes: [UInt32]
  var businessSlots: [Int32] = []
  /// The sums of the badges right below each branch.
  var direct: [BadgeTotals] = []
  private var hashes: [UInt32]

  /// A branch by the digest of its path.
  private typealias KnownBranch = (prefix: UInt64, branch: Int32)

  /// Creates columns of badges, and the branches above them in a forest.
  init(_ badges: [BadgeInfo], in forest: inout BadgeForest) {
    parents = [Int32](repeating: BadgeForest.dead, count: badges.count)
    widgetHashes = [UInt32](repeating: 0, count: badges.count)
    hashes = widgetHashes
    // Branches by the lower bits of their digests: what badges ask for again and again.
    var recent = [KnownBranch](repeating: (PathDigest.empty, -1), count: 1 << 11)
    // Through pointers: an element of an array that belongs to something costs a look whether it is shared.
    badges.withUnsafeBufferPointer { badges in
      parents.withUnsafeMutableBufferPointer { parents in
        hashes.withUnsafeMutableBufferPointer { hashes in
          widgetHashes.withUnsafeMutableBufferPointer { widgetHashes in
            recent.withUnsafeMutableBufferPointer { recent in
              for slot in badges.indices {
                let path = badges[slot].path
                // An empty path has the digest of an empty widget; it is told by its text, which is looked at where it
                // may be.
                if path.prefix == PathDigest.empty, badges[slot].badgeID.isEmpty { continue }
                let place = Int(truncatingIfNeeded: path.prefix) & (recent.count - 1)
                if recent[place].prefix != path.prefix {
                  recent[place] = (path.prefix, forest.branchByPath[path.prefix] ?? forest.branch(above: badges[slot]))
                  while direct.count < forest.branches.count { direct.append(BadgeTotals()) }
                }
                let branch = recent[place].branch
                (parents[slot], hashes[slot], widgetHashes[slot]) = (branch, path.hash, path.widgetHash)
                if badges[slot].namesBusiness { businessSlots.append(Int32(truncatingIfNeeded: slot)) }
                guard branch >= 0 else { continue }
                // Field by field: a computed property would have all of the badge copied for it.
                direct[Int(branch)].add(badges[slot].kind, Int(badges[slot].temporary) + Int(badges[slot].persistent))
              }
            }
          }
        }
      }
    }
  }

  /// The places by paths.
  ///
  /// - Parameter replaced: Gets the places of badges whose paths come again later, and where they do.
  func table(of badges: [BadgeInfo], replaced: (Int, Int) -> Void) -> SlotTable {
    badges.withUnsafeBufferPointer { badges in
      SlotTable(hashes, isSame: { badges[$0].path.full == badges[$1].path.full }, replaced: replaced)
    }
  }
}
