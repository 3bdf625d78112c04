internal import MPaaSLock

/// The state of the present thread: which registry it makes services for, in which chain.
struct ServiceMaking: Sendable {
  @TaskLocal static var current: [ServiceMaking] = []

  let registry: ObjectIdentifier
  let chain: Int
  /// A task that a service starts while it is made is not waited for by its maker.
  let task: Int?

  static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension ServiceShelf {
  /// The rights of a caller that asks for a service.
  enum Claim {
    case take(any MobileService)
    case make(chain: Int, gate: ServiceGate, entry: ServiceEntry)
    case wait(ServiceGate)
    case cycle([Int])
    /// Taken out meanwhile.
    case gone
    case closed
  }

  /// Decides for a chain, or for somebody who makes nothing (nil); `gate` is locked by the caller.
  mutating func claim(_ index: Int, chain: Int?, gate: ServiceGate) -> Claim {
    guard !slots[index].isRemoved else { return .gone }
    switch slots[index].stage {
    case .made(let object), .unstarted(let object): return .take(object)
    case .starting(let object, _, let other):
      // A thread that makes a service itself does not wait for a start that may need it.
      return chain == nil ? .wait(other) : .take(object)
    case .making(let maker, let other):
      guard let chain else { return .wait(other) }
      if let cycle = cycle(from: chain, through: maker, to: index) { return .cycle(cycle) }
      chains[chain]?.waitingFor = index
      return .wait(other)
    case .idle:
      guard !isClosed else { return .closed }
      let entry = slots[index].entry
      if let chain, let first = chains[chain]?.path.firstIndex(of: index), !entry.isSingleton {
        return .cycle(Array(chains[chain]?.path[first...] ?? []) + [index])
      }
      let own = chain ?? newChain()
      chains[own]?.path.append(index)
      if entry.isSingleton { slots[index].stage = .making(chain: own, gate: gate) }
      return .make(chain: own, gate: gate, entry: entry)
    }
  }

  /// The slots of a circle that would close if `chain` waited for `index`, which `maker` makes; nil if none would.
  private func cycle(from chain: Int, through maker: Int, to index: Int) -> [Int]? {
    var circle: [Int] = []
    var (wanted, maker) = (index, maker)
    while maker != chain {
      guard let other = chains[maker], let next = other.waitingFor, let nextMaker = slots[next].maker else {
        return nil
      }
      circle += other.path.drop { $0 != wanted }
      (wanted, maker) = (next, nextMaker)
    }
    let own = chains[chain]?.path ?? []
    return own.drop { $0 != wanted } + circle + [wanted]
  }

  /// Ends the making of the last slot of a chain.
  mutating func leave(_ chain: Int) {
    chains[chain]?.path.removeLast()
    if chains[chain]?.path.isEmpty == true { chains[chain] = nil }
  }
}

extension ServiceRegistry {
  private enum Turn {
    case done(Result<any MobileService, FrameworkError>)
    case wait(ServiceGate)
  }

  /// The chain that this thread is making services in; nil if it makes none.
  private var chain: Int? {
    let own = ObjectIdentifier(self)
    let task = ServiceMaking.task
    return ServiceMaking.current.last { $0.registry == own && $0.task == task }?.chain
  }

  /// The service of a slot: taken, waited for, or made.
  func make(_ index: Int, starts: Bool = true) throws(FrameworkError) -> any MobileService {
    let chain = chain
    while true {
      switch turn(index, chain, starts) {
      case .done(let result): return try result.get()
      case .wait(let gate):
        gate.lock.withLock { _ in }
        if let chain { shelf.withLock { $0.chains[chain]?.waitingFor = nil } }
      }
    }
  }

  private func turn(_ index: Int, _ chain: Int?, _ starts: Bool) -> Turn {
    let gate = ServiceGate()
    return gate.lock.withLock { _ in
      switch shelf.withLock({ $0.claim(index, chain: chain, gate: gate) }) {
      case .take(let object): .done(.success(object))
      case .wait(let other): .wait(other)
      case .cycle(let path): .done(.failure(cycle(path)))
      case .gone: .done(.failure(unknown(shelf.withLock { $0.slots[index].entry.name })))
      case .closed:
        .done(.failure(FrameworkError(.contextTerminated, .service(shelf.withLock { $0.slots[index].entry.name }))))
      case .make(let chain, let gate, let entry): .done(build(index, entry, chain, gate, starts))
      }
    }
  }

  /// Makes one service in a chain; others wait at the gate meanwhile.
  private func build(
    _ index: Int, _ entry: ServiceEntry, _ chain: Int, _ gate: ServiceGate, _ starts: Bool
  ) -> Result<any MobileService, FrameworkError> {
    let making = ServiceMaking(registry: ObjectIdentifier(self), chain: chain, task: ServiceMaking.task)
    let result = ServiceMaking.$current.withValue(ServiceMaking.current + [making]) {
      Result { () throws(FrameworkError) in try traced(index, entry, chain, gate: gate, starts: starts) }
    }
    shelf.withLock { shelf in
      if entry.isSingleton {
        switch result {
        case .success(let object): shelf.set(starts ? .made(object) : .unstarted(object), of: index)
        case .failure: shelf.set(.idle, of: index)
        }
      }
      shelf.leave(chain)
    }
    return result
  }

  private func traced(
    _ index: Int, _ entry: ServiceEntry, _ chain: Int, gate: ServiceGate, starts: Bool
  ) throws(FrameworkError) -> any MobileService {
    guard let trace else { return try build(index, entry, chain, gate: gate, starts: starts) }
    return try trace.measure(.service, entry.name, phase: "create", at: entry.place) { () throws(FrameworkError) in
      try build(index, entry, chain, gate: gate, starts: starts)
    }
  }

  private func build(
    _ index: Int, _ entry: ServiceEntry, _ chain: Int, gate: ServiceGate, starts: Bool
  ) throws(FrameworkError) -> any MobileService {
    let object: any MobileService
    do { object = try entry.type.init(services: self) } catch { throw failed(entry, "init(services:)", chain, error) }
    try check(object, entry)
    do { try object.didCreate() } catch { throw failed(entry, "didCreate()", chain, error) }
    guard starts else { return object }
    if entry.isSingleton { shelf.withLock { $0.set(.starting(object, chain: chain, gate: gate), of: index) } }
    do { try object.start() } catch {
      object.willDestroy()
      throw failed(entry, "start()", chain, error)
    }
    return object
  }

  /// Starts a service that was made as the framework starts; another thread may have unregistered it meanwhile.
  func startLater(_ index: Int) throws(FrameworkError) {
    let slot = shelf.withLock { $0.slots[index] }
    guard case .unstarted(let object) = slot.stage else { return }
    do { try object.start() } catch {
      shelf.withLock { $0.set(.idle, of: index) }
      object.willDestroy()
      throw failed(slot.entry, "start()", nil, error)
    }
    shelf.withLock { $0.set(.made(object), of: index) }
  }

  private func cycle(_ path: [Int]) -> FrameworkError {
    let entries = shelf.withLock { shelf in path.map { shelf.slots[$0].entry } }
    let told = entries.map { entry in entry.place.map { "\(entry.name) (\($0))" } ?? entry.name }
    return FrameworkError(
      .serviceCycle, .service(entries.first?.name ?? ""), at: entries.first?.place,
      values: ["path": told.joined(separator: " → ")])
  }

  /// A failure of a service that this one needs goes through as it is: it names the one that it began with.
  private func failed(_ entry: ServiceEntry, _ step: String, _ chain: Int?, _ error: any Error) -> FrameworkError {
    if let error = error as? FrameworkError, [.serviceFailed, .serviceCycle].contains(error.code) { return error }
    let path = shelf.withLock { shelf in
      (chain.flatMap { shelf.chains[$0]?.path } ?? []).map { shelf.slots[$0].entry.name }
    }
    return FrameworkError(
      .serviceFailed, .service(entry.name), at: entry.place,
      values: ["step": step, "path": path.count > 1 ? " (\(path.joined(separator: " → ")))" : ""], underlying: error)
  }
}
