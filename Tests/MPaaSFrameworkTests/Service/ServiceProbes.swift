import MPaaSFramework
import Synchronization

/// The actions of services, in order; safe for any thread.
final class ServiceLog: Sendable {
  @TaskLocal static var current: ServiceLog?

  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

protocol Greeting: MobileService {
  var words: String { get }
}

final class Greeter: Greeting {
  let words = "hello"
  private let log = ServiceLog.current
  init(services: ServiceRegistry) { log?.add("init") }
  func didCreate() { log?.add("didCreate") }
  func start() { log?.add("start") }
  func willDestroy() { log?.add("willDestroy") }
}

/// Needs a greeter to be made.
final class Host: MobileService {
  let greeting: any Greeting
  init(services: ServiceRegistry) throws {
    greeting = try services.service(for: (any Greeting).self)
    ServiceLog.current?.add("Host.init")
  }
  func start() { ServiceLog.current?.add("Host.start") }
}

/// Services that need the next of a ring: 0 → 1 → 2 → 0.
class Ring: MobileService, @unchecked Sendable {
  class var next: String { "" }
  required init(services: ServiceRegistry) throws {
    _ = try services.service(named: Self.next)
  }
}
final class RingA: Ring, @unchecked Sendable { override class var next: String { "b" } }
final class RingB: Ring, @unchecked Sendable { override class var next: String { "c" } }
final class RingC: Ring, @unchecked Sendable { override class var next: String { "a" } }

/// Needs itself only as it is started, through another.
final class Early: MobileService {
  private let registry: ServiceRegistry
  init(services: ServiceRegistry) { registry = services }
  func start() throws { _ = try registry.service(named: "late") }
}
final class Late: MobileService {
  let early: any MobileService
  init(services: ServiceRegistry) throws { early = try services.service(named: "early") }
}

struct Broken: Error, CustomStringConvertible {
  var description: String { "out of order" }
}
final class BrokenService: MobileService {
  init(services: ServiceRegistry) throws { throw Broken() }
}
final class NeedsBroken: MobileService {
  init(services: ServiceRegistry) throws { _ = try services.service(named: "broken") }
}
final class BrokenStart: MobileService {
  private let log = ServiceLog.current
  init(services: ServiceRegistry) {}
  func start() throws { throw Broken() }
  func willDestroy() { log?.add("willDestroy") }
}

func place(_ line: Int) -> SourcePlace { SourcePlace("MobileRuntime.plist", line: line) }
