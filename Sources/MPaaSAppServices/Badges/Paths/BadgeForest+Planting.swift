extension BadgeForest {
  /// Takes all badges in at once: neighbors mostly share their parents, whose sums are made in one go.
  mutating func plant() {
    var planting = Planting(badges)
    planting.run(in: &self)
    parents = planting.parents
    pathHashes = planting.paths
    widgetHashes = planting.widgets
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
      guard let slot = ownSlot(of: index), parents[slot] == branches[index].parent else { continue }
      let badge = badges[slot]
      if parents[slot] >= 0 { branches[Int(parents[slot])].totals.add(badge.style, -badge.number) }
      branches[index].totals.add(badge.style, badge.number)
      parents[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// The place of the badge that has the path of a branch.
  func ownSlot(of index: Int) -> Int? {
    let (hash, path) = (UInt32(truncatingIfNeeded: branches[index].hash), branches[index].path)
    return slotByPath.first(hash) { badges[$0].badgeID == path }
  }

  /// The branch of a path, made with those above it where it is missing.
  mutating func branch(_ path: String) -> Int32 {
    if let known = branchByPath[path] { return known }
    var parent: Int32 = -1
    var widget = path
    if let comma = path.utf8.lastIndex(of: UInt8(ascii: ",")) {
      parent = branch(String(path[..<comma]))
      widget = String(path[path.utf8.index(after: comma)...])
    }
    let prefix = parent < 0 ? PathHash.seed : branches[Int(parent)].hash
    let new = Int32(truncatingIfNeeded: branches.count)
    branches.append(
      BadgeBranch(
        path: path, widgetID: widget, parent: parent, hash: PathHash.path(prefix, PathHash.widget(widget)),
        isRepeated: isOnPath(widget, parent)))
    branchByPath[path] = new
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
  var paths: [UInt32]
  var widgets: [UInt32]
  var table: SlotTable
  /// The sum of the badges since the branch is another one.
  private var sum = BadgeTotals()
  private var branch: Int32 = -1

  init(_ badges: [BadgeInfo]) {
    self.badges = badges
    parents = [Int32](repeating: BadgeForest.dead, count: badges.count)
    paths = [UInt32](repeating: 0, count: badges.count)
    widgets = [UInt32](repeating: 0, count: badges.count)
    table = SlotTable(capacity: badges.count)
  }

  mutating func run(in forest: inout BadgeForest) {
    var cursor = PathCursor()
    badges.withUnsafeBufferPointer { badges in
      for slot in badges.indices {
        guard let place = cursor.step(to: badges[slot].badgeID, in: &forest) else { continue }
        if place.branch != branch { settle(in: &forest, next: place.branch) }
        add(slot, badges, place, &forest)
      }
    }
    settle(in: &forest, next: -1)
  }

  @inline(__always)
  private mutating func add(
    _ slot: Int, _ badges: UnsafeBufferPointer<BadgeInfo>, _ place: PathCursor.Place, _ forest: inout BadgeForest
  ) {
    let hash = UInt32(truncatingIfNeeded: place.path)
    paths[slot] = hash
    widgets[slot] = UInt32(truncatingIfNeeded: place.widget)
    parents[slot] = place.branch
    sum.add(badges[slot].style, badges[slot].number)
    let former = table.put(slot, hash) { badges[$0].badgeID == badges[slot].badgeID }
    if let former { forget(former, badges[former], &forest) }
  }

  private mutating func settle(in forest: inout BadgeForest, next: Int32) {
    if branch >= 0 { forest.branches[Int(branch)].totals += sum }
    (sum, branch) = (BadgeTotals(), next)
  }

  /// Takes a badge out of the sums of its branch, which has the same path as a later one.
  private mutating func forget(_ slot: Int, _ badge: BadgeInfo, _ forest: inout BadgeForest) {
    if parents[slot] == branch {
      sum.add(badge.style, -badge.number)
    } else if parents[slot] >= 0 {
      forest.branches[Int(parents[slot])].totals.add(badge.style, -badge.number)
    }
    parents[slot] = BadgeForest.dead
  }
}

/// The branch of the badge before, which the next one mostly shares.
struct PathCursor {
  /// The bytes of the branch's path with the comma behind it; empty for no branch.
  private var prefix: [UInt8] = []
  private var branch: Int32 = -1
  private var hash = PathHash.seed
  private let seed = PathHash.seed

  struct Place {
    let branch: Int32
    let path: UInt64
    let widget: UInt64
  }

  /// The place of a path; nil for the empty path.
  @inline(__always)
  mutating func step(to path: String, in forest: inout BadgeForest) -> Place? {
    if let place = path.utf8.withContiguousStorageIfAvailable({ bytes in
      self.step(to: path, UnsafeRawBufferPointer(bytes), &forest)
    }) {
      return place
    }
    var native = path
    return native.withUTF8 { bytes in self.step(to: path, UnsafeRawBufferPointer(bytes), &forest) }
  }

  @inline(__always)
  private mutating func step(
    to path: String, _ bytes: UnsafeRawBufferPointer, _ forest: inout BadgeForest
  ) -> Place? {
    guard !bytes.isEmpty else { return nil }
    if begins(bytes) {
      let (widget, hasComma) = PathHash.widget(bytes, from: prefix.count, seed: seed)
      if !hasComma { return Place(branch: branch, path: PathHash.path(hash, widget), widget: widget) }
    }
    move(to: path, bytes, &forest)
    let widget = PathHash.widget(bytes, from: prefix.count, seed: seed).hash
    return Place(branch: branch, path: PathHash.path(hash, widget), widget: widget)
  }

  /// Goes over to the branch of a path.
  private mutating func move(to path: String, _ bytes: UnsafeRawBufferPointer, _ forest: inout BadgeForest) {
    guard let comma = bytes.lastIndex(of: UInt8(ascii: ",")) else {
      (prefix, branch, hash) = ([], -1, seed)
      return
    }
    prefix = Array(bytes[...comma])
    branch = forest.branch(String(decoding: bytes[..<comma], as: UTF8.self))
    hash = forest.branches[Int(branch)].hash
  }

  /// True where the bytes begin with the prefix and go on behind it.
  @inline(__always)
  private func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = prefix.count
    guard bytes.count > count, let base = bytes.baseAddress else { return false }
    return prefix.withUnsafeBytes { prefix in
      guard let other = prefix.baseAddress else { return true }
      var place = 0
      while count - place >= 8 {
        guard
          base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        else { return false }
        place += 8
      }
      while place < count {
        guard bytes[place] == prefix[place] else { return false }
        place += 1
      }
      return true
    }
  }
}
