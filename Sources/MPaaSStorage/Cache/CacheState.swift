/// The entries of a cache in the order of its policy.
///
/// One thread at a time has it.
struct CacheState<Value> {
  let places: CachePlaces
  private(set) var items: [CacheItem<Value>] = []
  /// The uses of the entries, which several threads count at once.
  let uses: CacheUses
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
    self.init(policy, capacity, keepsRemoved, CachePlaces(), CacheUses())
  }

  private init(
    _ policy: CachePolicy, _ capacity: Int, _ keepsRemoved: Bool, _ places: CachePlaces, _ uses: CacheUses
  ) {
    (self.policy, self.capacity, self.keepsRemoved) = (policy, capacity, keepsRemoved)
    (self.places, self.uses) = (places, uses)
    ghosts.capacity = mainShare
  }

  /// The share of new entries with S3-FIFO, and that of the others.
  private var smallShare: Int { max(1, capacity / 10) }
  private var mainShare: Int { max(capacity - smallShare, 0) }
  var cost: Int { main.cost + small.cost }

  /// An entry with its uses as they are now.
  subscript(_ place: Int32) -> CacheEntry<Value>? {
    let item = items[Int(place)]
    guard let value = item.value else { return nil }
    var entry = CacheEntry(key: item.key, value: value, cost: item.cost, expiry: item.expiry, queue: item.queue)
    entry.uses = uses[place]
    return entry
  }

  /// Has another value in the place of an entry's, at the same cost.
  mutating func replace(_ place: Int32, _ value: Value, expiry: Int64) {
    (items[Int(place)].value, items[Int(place)].expiry) = (value, expiry)
  }

  /// Notes a use of an entry.
  @inline(__always)
  mutating func use(_ place: Int32) {
    if policy == .lru { moveToHead(place) } else { uses.count(place, upTo: policy.mostUses) }
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
      items[Int(place)] = CacheItem(entry)
    } else {
      place = Int32(truncatingIfNeeded: items.count)
      items.append(CacheItem(entry))
      links.append(CacheLinks())
    }
    places[entry.key] = place
    uses.reserve(place)
    uses[place] = entry.uses
    link(place)
  }

  /// Takes an entry out for good.
  mutating func remove(_ place: Int32) {
    guard let entry = self[place] else { return }
    if hand == place { hand = links[Int(place)].newer }
    unlink(place)
    places[entry.key] = nil
    items[Int(place)].empty()
    free.append(place)
    if keepsRemoved { removed.append(entry) }
  }

  mutating func resize(_ capacity: Int) {
    self.capacity = capacity
    ghosts.capacity = mainShare
    makeRoom(for: 0)
  }

  mutating func removeAll() {
    places.removeAll()
    self = CacheState(policy, capacity, keepsRemoved, places, uses)
  }

  private mutating func makeRoom(for cost: Int) {
    while !places.isEmpty, self.cost > capacity - cost { evict() }
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
    while uses[place] > 0 {
      uses[place] = 0
      let newer = links[Int(place)].newer
      place = newer >= 0 ? newer : main.tail
    }
    hand = links[Int(place)].newer
    remove(place)
  }

  /// Takes the oldest of the new entries out; those that were used twice go over to the others first.
  private mutating func evictSmall() {
    while small.tail >= 0, let entry = self[small.tail] {
      let place = small.tail
      guard entry.uses > 1 else {
        ghosts.add(entry.key, cost: entry.cost)
        return remove(place)
      }
      unlink(place)
      items[Int(place)].queue = .main
      uses[place] = 0
      link(place)
      if main.cost > mainShare { evictMain() }
    }
  }

  private mutating func evictMain() {
    while main.tail >= 0 {
      let place = main.tail, count = uses[place]
      guard count > 0 else { return remove(place) }
      unlink(place)
      uses[place] = count - 1
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
    let (queue, cost) = (items[Int(place)].queue, items[Int(place)].cost)
    var row = row(queue)
    let (newer, older) = (links[Int(place)].newer, links[Int(place)].older)
    if newer >= 0 { links[Int(newer)].older = older } else { row.head = older }
    if older >= 0 { links[Int(older)].newer = newer } else { row.tail = newer }
    row.cost -= cost
    setRow(queue, row)
  }

  /// Puts an entry in front of those of its queue.
  private mutating func link(_ place: Int32) {
    let (queue, cost) = (items[Int(place)].queue, items[Int(place)].cost)
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
      while place >= 0, let entry = self[place] {
        found.append(entry)
        place = fromNewest ? links[Int(place)].older : links[Int(place)].newer
      }
    }
    return found
  }
}
