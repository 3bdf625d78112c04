/// The entries of a cache in the order of its policy.
///
/// One thread at a time has it.
struct CacheState<Value> {
  private(set) var places: [String: Int32] = [:]
  var entries: [CacheEntry<Value>?] = []
  /// The neighbors of each entry, apart from it: a use changes them alone.
  private var links: [CacheLinks] = []
  private var free: [Int32] = []
  private(set) var main = CacheRow()
  private(set) var small = CacheRow()
  var ghosts = CacheGhosts()
  let policy: CachePolicy
  /// The entries that went since it was last emptied; kept only where their values lie elsewhere, too.
  var removed: [CacheEntry<Value>] = []
  private let keepsRemoved: Bool
  private(set) var capacity: Int
  /// The entry where SIEVE looks next.
  private var hand: Int32 = -1

  init(_ policy: CachePolicy, capacity: Int, keepsRemoved: Bool = false) {
    (self.policy, self.capacity, self.keepsRemoved) = (policy, capacity, keepsRemoved)
    ghosts.capacity = mainShare
  }

  /// The share of new entries with S3-FIFO, and that of the others.
  private var smallShare: Int { max(1, capacity / 10) }
  private var mainShare: Int { max(capacity - smallShare, 0) }
  var cost: Int { main.cost + small.cost }

  subscript(_ place: Int32) -> CacheEntry<Value>? { entries[Int(place)] }

  /// Notes a use of an entry.
  mutating func use(_ place: Int32) {
    switch policy {
    case .fifo: break
    case .lru:
      moveToHead(place)
    case .sieve: entries[Int(place)]?.uses = 1
    case .s3fifo:
      if let uses = entries[Int(place)]?.uses, uses < 3 { entries[Int(place)]?.uses = uses + 1 }
    }
  }

  /// Puts in a new entry, and takes out what has no room beside it; one that is greater than the cache stays out.
  mutating func insert(_ key: String, _ value: Value, cost: Int, expiry: Int64) {
    guard cost <= capacity else { return }
    makeRoom(for: cost)
    let isKnown = policy == .s3fifo && ghosts.remove(key)
    add(
      CacheEntry(
        key: key, value: value, cost: cost, expiry: expiry, queue: policy == .s3fifo && !isKnown ? .small : .main))
  }

  /// Puts an entry in front of its queue as it is, whether there is room or not.
  mutating func add(_ entry: CacheEntry<Value>) {
    let place: Int32
    if let unused = free.popLast() {
      place = unused
      entries[Int(place)] = entry
    } else {
      place = Int32(truncatingIfNeeded: entries.count)
      entries.append(entry)
      links.append(CacheLinks())
    }
    places[entry.key] = place
    link(place)
  }

  /// Takes an entry out for good.
  mutating func remove(_ place: Int32) {
    guard let entry = entries[Int(place)] else { return }
    if hand == place { hand = links[Int(place)].newer }
    unlink(place)
    places[entry.key] = nil
    entries[Int(place)] = nil
    free.append(place)
    if keepsRemoved { removed.append(entry) }
  }

  mutating func resize(_ capacity: Int) {
    self.capacity = capacity
    ghosts.capacity = mainShare
    makeRoom(for: 0)
  }

  mutating func removeAll() { self = CacheState(policy, capacity: capacity, keepsRemoved: keepsRemoved) }

  private mutating func makeRoom(for cost: Int) {
    while !places.isEmpty, self.cost + cost > capacity { evict() }
  }

  private mutating func evict() {
    switch policy {
    case .lru, .fifo: remove(main.tail)
    case .sieve: sift()
    case .s3fifo: if small.cost >= smallShare || main.head < 0 { evictSmall() } else { evictMain() }
    }
  }

  private mutating func sift() {
    var place = hand >= 0 ? hand : main.tail
    while let uses = entries[Int(place)]?.uses, uses > 0 {
      entries[Int(place)]?.uses = 0
      let newer = links[Int(place)].newer
      place = newer >= 0 ? newer : main.tail
    }
    hand = links[Int(place)].newer
    remove(place)
  }

  /// Takes the oldest of the new entries out; those that were used twice go over to the others first.
  private mutating func evictSmall() {
    while small.tail >= 0, let entry = entries[Int(small.tail)] {
      let place = small.tail
      guard entry.uses > 1 else {
        ghosts.add(entry.key, cost: entry.cost)
        return remove(place)
      }
      unlink(place)
      entries[Int(place)]?.queue = .main
      entries[Int(place)]?.uses = 0
      link(place)
      if main.cost > mainShare { evictMain() }
    }
  }

  private mutating func evictMain() {
    while main.tail >= 0, let entry = entries[Int(main.tail)] {
      let place = main.tail
      guard entry.uses > 0 else { return remove(place) }
      unlink(place)
      entries[Int(place)]?.uses = entry.uses - 1
      link(place)
    }
  }
}

extension CacheState {
  private func row(_ queue: CacheQueue) -> CacheRow { queue == .main ? main : small }

  private mutating func setRow(_ queue: CacheQueue, _ row: CacheRow) {
    if queue == .main { main = row } else { small = row }
  }

  private mutating func unlink(_ place: Int32) {
    guard let queue = entries[Int(place)]?.queue, let cost = entries[Int(place)]?.cost else { return }
    var row = row(queue)
    let (newer, older) = (links[Int(place)].newer, links[Int(place)].older)
    if newer >= 0 { links[Int(newer)].older = older } else { row.head = older }
    if older >= 0 { links[Int(older)].newer = newer } else { row.tail = newer }
    row.cost -= cost
    setRow(queue, row)
  }

  /// Puts an entry in front of those of its queue.
  private mutating func link(_ place: Int32) {
    guard let queue = entries[Int(place)]?.queue, let cost = entries[Int(place)]?.cost else { return }
    var row = row(queue)
    links[Int(place)] = CacheLinks(newer: -1, older: row.head)
    if row.head >= 0 { links[Int(row.head)].newer = place } else { row.tail = place }
    row.head = place
    row.cost += cost
    setRow(queue, row)
  }

  /// Puts an entry of the main queue in front of the others; their costs stay as they are.
  @inline(__always)
  private mutating func moveToHead(_ place: Int32) {
    guard main.head != place else { return }
    let (newer, older) = (links[Int(place)].newer, links[Int(place)].older)
    links[Int(newer)].older = older
    if older >= 0 { links[Int(older)].newer = newer } else { main.tail = newer }
    links[Int(main.head)].newer = place
    links[Int(place)] = CacheLinks(newer: -1, older: main.head)
    main.head = place
  }

  /// The entries from the newest or the oldest of their queues on; with S3-FIFO the new ones come first.
  func ordered(fromNewest: Bool) -> [CacheEntry<Value>] {
    var found: [CacheEntry<Value>] = []
    for row in fromNewest ? [small, main] : [main, small] {
      var place = fromNewest ? row.head : row.tail
      while place >= 0, let entry = entries[Int(place)] {
        found.append(entry)
        place = fromNewest ? links[Int(place)].older : links[Int(place)].newer
      }
    }
    return found
  }
}

/// Keys of entries that went soon after they came: such a key is no stranger when it comes again.
///
/// There is room for as much as the main queue holds: keys of few large entries where it holds such, not as many keys as its
/// capacity has units.
struct CacheGhosts: Sendable {
  private struct Ghost {
    let key: String
    let cost: Int
  }

  private var numbers: [String: Int] = [:]
  private var row: [Ghost?] = []
  private var start = 0
  private var cost = 0
  var capacity = 0 { didSet { makeRoom() } }

  mutating func add(_ key: String, cost: Int) {
    guard capacity > 0 else { return }
    _ = remove(key)
    // What costs nothing has a key all the same.
    let ghost = Ghost(key: key, cost: max(cost, 1))
    numbers[key] = row.count
    row.append(ghost)
    self.cost += ghost.cost
    makeRoom()
    if start > 64, start > row.count / 2 { pack() }
  }

  mutating func remove(_ key: String) -> Bool {
    guard let number = numbers.removeValue(forKey: key) else { return false }
    cost -= row[number]?.cost ?? 0
    row[number] = nil
    return true
  }

  private mutating func makeRoom() {
    while cost > capacity, start < row.count {
      if let ghost = row[start] { _ = remove(ghost.key) }
      start += 1
    }
  }

  private mutating func pack() {
    row = row[start...].filter { $0 != nil }
    start = 0
    for (number, ghost) in row.enumerated() { if let ghost { numbers[ghost.key] = number } }
  }
}
