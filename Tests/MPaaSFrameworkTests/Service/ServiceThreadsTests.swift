import Foundation
import MPaaSFramework
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("Services that need each other") struct ServiceCycleTests {
  @Test("a circle is reported with its path and the lines, wherever it is entered", arguments: ["a", "b", "c"])
  func circle(_ first: String) throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "a", type: RingA.self, place: place(1)),
      ServiceEntry(name: "b", type: RingB.self, place: place(2)),
      ServiceEntry(name: "c", type: RingC.self, place: place(3)),
    ])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: first) }
    #expect(error?.code == .serviceCycle)
    #expect(error?.subject == .service(first))
    let line = ["a": 1, "b": 2, "c": 3]
    let order = ["a": ["a", "b", "c", "a"], "b": ["b", "c", "a", "b"], "c": ["c", "a", "b", "c"]][first] ?? []
    let path = order.map { "\($0) (MobileRuntime.plist:\(line[$0] ?? 0))" }.joined(separator: " → ")
    #expect(error?.values["path"] == path)
  }

  @Test("a circle of services of which there may be several is found too")
  func several() throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "a", type: RingA.self, isSingleton: false),
      ServiceEntry(name: "b", type: RingB.self, isSingleton: false),
      ServiceEntry(name: "c", type: RingC.self, isSingleton: false),
    ])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: "a") }
    #expect(error?.values["path"] == "a → b → c → a")
  }

  @Test("the same service twice under one maker is no circle")
  func diamond() throws {
    let services = try ServiceRegistry()
    try services.register(Greeter.self, as: (any Greeting).self)
    try services.register(Host.self)
    #expect(try services.service(for: Host.self).greeting.words == "hello")
  }

  @Test("a service that asks only in start() may close a circle")
  func start() throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "early", type: Early.self), ServiceEntry(name: "late", type: Late.self),
    ])
    let early = try services.service(named: "early")
    #expect(try services.service(named: "late", as: Late.self).early === early)
  }
}

/// Makes a service on two threads so that each holds what the other wants.
final class Meeting: Sendable {
  static let all = Mutex<[ObjectIdentifier: Meeting]>([:])
  private let arrived = Mutex(0)

  /// Waits until two are here; goes on alone after a while, as when the other was told of the circle already.
  func arrive() {
    let mine = arrived.withLock { count -> Int in
      count += 1
      return count
    }
    guard mine <= 2 else { return }
    for _ in 0..<20_000 {
      if arrived.withLock({ $0 >= 2 }) { return }
      usleep(100)
    }
  }
}

final class Left: MobileService {
  init(services: ServiceRegistry) throws {
    Meeting.all.withLock { $0[ObjectIdentifier(services)] }?.arrive()
    _ = try services.service(named: "right")
  }
}
final class Right: MobileService {
  init(services: ServiceRegistry) throws {
    Meeting.all.withLock { $0[ObjectIdentifier(services)] }?.arrive()
    _ = try services.service(named: "left")
  }
}

final class Counted: MobileService {
  static let made = Mutex(0)
  private let isReady = Mutex(false)
  init(services: ServiceRegistry) {
    Self.made.withLock { $0 += 1 }
    usleep(2_000)
  }
  func start() {
    usleep(2_000)
    isReady.withLock { $0 = true }
  }
  var ready: Bool { isReady.withLock { $0 } }
}

@Suite("Services on many threads") struct ServiceThreadsTests {
  /// Runs a body on threads of their own, and waits for them.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchSemaphore(value: 0)
    for index in 0..<count {
      Thread.detachNewThread {
        body(index)
        done.signal()
      }
    }
    for _ in 0..<count { done.wait() }
  }

  @Test("two threads that make services that need each other are both told of the circle")
  func deadlock() throws {
    for _ in 0..<5 {
      let services = try ServiceRegistry([
        ServiceEntry(name: "left", type: Left.self, place: place(1)),
        ServiceEntry(name: "right", type: Right.self, place: place(2)),
      ])
      let key = ObjectIdentifier(services)
      Meeting.all.withLock { $0[key] = Meeting() }
      let errors = Mutex<[FrameworkError]>([])
      onThreads(2) { index in
        do { _ = try services.service(named: index == 0 ? "left" : "right") } catch {
          if let error = error as? FrameworkError { errors.withLock { $0.append(error) } }
        }
      }
      Meeting.all.withLock { $0[key] = nil }
      let all = errors.withLock { $0 }
      #expect(all.count == 2)
      #expect(all.allSatisfy { $0.code == .serviceCycle })
      for error in all {
        let path = error.values["path"] ?? ""
        #expect(
          path.hasPrefix("left (MobileRuntime.plist:1) → right")
            || path.hasPrefix("right (MobileRuntime.plist:2) → left"))
      }
    }
  }

  @Test("a service that many threads ask for at once is made once, and is ready when they get it")
  func once() throws {
    Counted.made.withLock { $0 = 0 }
    let services = try ServiceRegistry([ServiceEntry(name: "counted", type: Counted.self)])
    let found = Mutex<Set<ObjectIdentifier>>([])
    let unready = Mutex(0)
    onThreads(16) { _ in
      guard let counted = try? services.service(for: Counted.self) else { return }
      found.withLock { _ = $0.insert(ObjectIdentifier(counted)) }
      if !counted.ready { unready.withLock { $0 += 1 } }
    }
    #expect(found.withLock { $0.count } == 1)
    #expect(Counted.made.withLock { $0 } == 1)
    #expect(unready.withLock { $0 } == 0)
  }

  @Test("random webs of needs on many threads end, each service made or the circle told")
  func webs() throws {
    for seed in 0..<SeededRandom.rounds(or: 20) {
      let web = Web(seed: UInt64(seed))
      let services = try ServiceRegistry(web.entries)
      Web.all.withLock { $0[ObjectIdentifier(services)] = web }
      let wrong = Mutex<[String]>([])
      onThreads(6) { index in
        for step in 0..<web.needs.count {
          let number = (index * 3 + step) % web.needs.count
          do {
            _ = try services.service(named: "\(number)")
            if web.reachesCircle(number) { wrong.withLock { $0.append("\(number) made") } }
          } catch {
            if !web.reachesCircle(number) { wrong.withLock { $0.append("\(number): \(error)") } }
          }
        }
      }
      Web.all.withLock { $0[ObjectIdentifier(services)] = nil }
      #expect(wrong.withLock { $0 } == [], "seed \(seed)")
    }
  }

  @Test("asking, registering and taking out at once leaves the registry whole")
  func churn() throws {
    let services = try ServiceRegistry()
    onThreads(6) { index in
      for round in 0..<200 {
        let name = "s\((index + round) % 4)"
        switch (index + round) % 3 {
        case 0: try? services.register(Greeter.self, name: name)
        case 1: _ = try? services.service(named: name)
        default: try? services.unregister(name)
        }
      }
    }
    for name in (0..<4).map({ "s\($0)" }) where services.contains(name) {
      #expect(throws: Never.self) { try services.service(named: name) }
    }
    services.stop()
    #expect(services.entries.allSatisfy { !$0.isMade })
  }
}
