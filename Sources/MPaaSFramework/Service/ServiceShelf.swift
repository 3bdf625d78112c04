internal import MPaaSLock

/// The lock that holds others back while a service is made: its maker has it locked.
final class ServiceGate: Sendable {
  // The value says nothing; one without a size has the address of the lock, which the sanitizer takes for a race.
  let lock = Lock(true)
}

/// One registered service and how far it has come.
struct ServiceSlot {
  enum Stage {
    case idle
    /// Under way in a chain of makings.
    case making(chain: Int, gate: ServiceGate)
    /// There, and not yet done with its `start()`.
    case starting(any MobileService, chain: Int, gate: ServiceGate)
    /// Made as the framework starts, `start()` comes later.
    case unstarted(any MobileService)
    case made(any MobileService)
  }

  let entry: ServiceEntry
  var stage = Stage.idle
  var isRemoved = false

  var object: (any MobileService)? {
    switch stage {
    case .idle, .making: nil
    case .starting(let object, _, _), .unstarted(let object), .made(let object): object
    }
  }

  /// The chain that makes it, as long as nothing of it can be given out.
  var maker: Int? {
    if case .making(let chain, _) = stage { chain } else { nil }
  }
}

/// The registry's state: what is registered, and who is making what.
///
/// It is only used under the registry's lock.
struct ServiceShelf {
  enum Found: Sendable {
    case object(any MobileService)
    case slot(Int)
  }

  /// The services that one thread is making: A, for A's sake B, and so on.
  struct Chain {
    var path: [Int] = []
    /// The slot of another chain that it waits for.
    var waitingFor: Int?
  }

  var slots: [ServiceSlot] = []
  private var byName: [String: Int] = [:]
  private var byType: [ObjectIdentifier: Int] = [:]
  var chains: [Int: Chain] = [:]
  private var lastChain = 0
  private var madeInOrder: [Int] = []
  private(set) var isClosed = false

  /// Adds an entry; gives the one that it clashes with.
  mutating func add(_ entry: ServiceEntry, made object: (any MobileService)? = nil) -> ServiceEntry? {
    if let index = byName[entry.name] {
      let known = slots[index].entry
      return known.type == entry.type && known.interface == entry.interface && object == nil ? nil : known
    }
    if let interface = entry.interface, let index = byType[ObjectIdentifier(interface)] { return slots[index].entry }
    let index = slots.count
    slots.append(ServiceSlot(entry: entry))
    byName[entry.name] = index
    if let interface = entry.interface { byType[ObjectIdentifier(interface)] = index }
    let own = ObjectIdentifier(entry.type)
    if byType[own] == nil { byType[own] = index }
    if let object {
      slots[index].stage = .made(object)
      madeInOrder.append(index)
    }
    return nil
  }

  mutating func remove(_ name: String) -> ServiceSlot? {
    guard let index = byName.removeValue(forKey: name) else { return nil }
    let removed = slots[index]
    slots[index].isRemoved = true
    slots[index].stage = .idle
    madeInOrder.removeAll { $0 == index }
    for (type, other) in byType where other == index {
      let next = slots.indices.first { !slots[$0].isRemoved && ObjectIdentifier(slots[$0].entry.type) == type }
      byType[type] = next
    }
    return removed
  }

  func find(_ name: String) -> Found? { byName[name].map(found) }
  func find(_ type: ObjectIdentifier) -> Found? { byType[type].map(found) }

  private func found(_ index: Int) -> Found {
    if case .made(let object) = slots[index].stage { .object(object) } else { .slot(index) }
  }

  func entry(of object: any MobileService) -> ServiceEntry? {
    slots.first { $0.object === object }?.entry
      ?? slots.first { !$0.isRemoved && $0.entry.type == type(of: object) }?.entry
  }

  var eager: [Int] {
    slots.indices.filter { !slots[$0].isRemoved && !slots[$0].entry.isLazy && slots[$0].entry.isSingleton }
  }

  /// The service that was made last, which is not there any more afterwards; nothing new is made from now on.
  mutating func takeYoungest() -> (any MobileService)? {
    isClosed = true
    while let index = madeInOrder.popLast() {
      defer { slots[index].stage = .idle }
      if let object = slots[index].object { return object }
    }
    return nil
  }

  mutating func newChain() -> Int {
    lastChain += 1
    chains[lastChain] = Chain()
    return lastChain
  }

  mutating func set(_ stage: ServiceSlot.Stage, of index: Int) {
    guard !slots[index].isRemoved else { return }
    slots[index].stage = stage
    switch stage {
    case .unstarted: madeInOrder.append(index)
    case .made: if madeInOrder.last(where: { $0 == index }) == nil { madeInOrder.append(index) }
    case .idle: madeInOrder.removeAll { $0 == index }
    case .making, .starting: break
    }
  }
}
