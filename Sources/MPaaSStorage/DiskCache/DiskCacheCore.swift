import MPaaSSupport

/// The entries of a disk cache with their index; one thread at a time has it.
struct DiskCacheCore {
  var state: CacheState<DiskEntry>
  private let index: KeyValueStore
  private let files: DiskFiles
  private var order: UInt64 = 0

  init(_ index: KeyValueStore, _ files: DiskFiles, _ policy: CachePolicy, capacity: Int) throws(StorageError) {
    (self.index, self.files) = (index, files)
    state = CacheState(policy, capacity: capacity, keepsRemoved: true)
    try load()
    boundGhosts()
  }

  /// Takes over what the index has, and forgets what has no file or has expired.
  private mutating func load() throws(StorageError) {
    let present = Set((try? FileSystem.names(in: files.folder)) ?? [])
    var found: [(key: String, entry: DiskEntry)] = []
    var batch = KeyValueBatch()
    for item in try index.items() {
      guard case .data(let bytes) = item.value, let entry = DiskEntry(bytes), present.contains(entry.name),
        !isExpired(entry)
      else {
        batch.remove(forKey: item.key)
        continue
      }
      found.append((item.key, entry))
    }
    found.sort { $0.entry.order < $1.entry.order }
    for (key, entry) in found where state.places[key] == nil { add(key, entry) }
    order = found.last?.entry.order ?? 0
    files.removeStrays(except: found.map(\.entry))
    if !batch.isEmpty { try index.write(batch) }
    try resize(to: state.capacity)
  }

  private mutating func add(_ key: String, _ entry: DiskEntry) {
    var known = CacheEntry(
      key: key, value: entry, cost: Int(entry.size), expiry: entry.expiry,
      queue: state.policy == .s3fifo ? entry.queue : .main)
    known.uses = entry.uses
    state.add(known)
  }

  /// The entry of a key; nil where it has none or it has expired.
  func entry(_ key: String) -> DiskEntry? {
    guard let place = state.places[key], let entry = state[place]?.value, !isExpired(entry) else { return nil }
    return entry
  }

  func isExpired(_ entry: DiskEntry) -> Bool { entry.expiry != 0 && entry.expiry <= KeyValueOptions().now() }

  /// Has a value in place of the one that the key had.
  mutating func set(_ key: String, _ entry: DiskEntry) throws(StorageError) {
    if let place = state.places[key] { state.remove(place) }
    var entry = entry
    order += 1
    entry.order = order
    state.insert(key, entry, cost: Int(entry.size), expiry: entry.expiry)
    var batch = KeyValueBatch()
    if let place = state.places[key], let queue = state[place]?.queue {
      entry.queue = queue
      state.replace(place, entry, expiry: entry.expiry)
      batch.set(.data(entry.bytes), forKey: key)
    } else {
      files.remove(entry)
    }
    try settle(batch, replacing: key)
  }

  /// Notes a use, in the index too where it matters after the next start.
  mutating func use(_ key: String) throws(StorageError) {
    guard let place = state.places[key], let before = state[place] else { return }
    state.use(place)
    guard let after = state[place] else { return }
    var entry = after.value
    (entry.queue, entry.uses) = (after.queue, after.uses)
    if state.policy == .lru {
      order += 1
      entry.order = order
    }
    guard entry != before.value else { return }
    state.replace(place, entry, expiry: entry.expiry)
    try index.set(.data(entry.bytes), forKey: after.key)
  }

  mutating func remove(_ keys: some Sequence<String>) throws(StorageError) {
    for key in keys { if let place = state.places[key] { state.remove(place) } }
    try settle(KeyValueBatch())
  }

  mutating func resize(to capacity: Int) throws(StorageError) {
    state.resize(capacity)
    boundGhosts()
    try settle(KeyValueBatch())
  }

  /// Writes the changes of the index at once, and only then removes the files that it names no more.
  private mutating func settle(_ changes: KeyValueBatch, replacing key: String? = nil) throws(StorageError) {
    let removed = state.removed
    state.removed = []
    var batch = changes
    for entry in removed where changes.isEmpty || !(key.map { $0.utf8.elementsEqual(entry.key.utf8) } ?? false) {
      batch.remove(forKey: entry.key)
    }
    if !batch.isEmpty { try index.write(batch) }
    for entry in removed { files.remove(entry.value) }
  }

  /// Costs are bytes, and keys of what went are counted: there are no more of them than this.
  private mutating func boundGhosts() { state.ghosts.capacity = min(state.ghosts.capacity, 1 << 14) }
}

extension KeyValueBatch {
  var isEmpty: Bool { changes.isEmpty }
}
