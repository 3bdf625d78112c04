import MPaaSFramework
import Testing

@Suite("Services") struct ServiceRegistryTests {
  @Test("a lazy service is made once, when it is first asked for: init, didCreate, start")
  func lazy() throws {
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      let services = try ServiceRegistry([ServiceEntry(name: "greeter", type: Greeter.self)])
      try services.start()
      #expect(log.all == [])
      let first = try services.service(named: "greeter")
      #expect(log.all == ["init", "didCreate", "start"])
      #expect(try services.service(named: "greeter") === first)
      #expect(try services.service(for: Greeter.self) === first)
      services.stop()
      #expect(log.all.last == "willDestroy")
      #expect(log.all.count == 4)
    }
  }

  @Test("services that are not lazy are all made before the first is started")
  func eager() throws {
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      let services = try ServiceRegistry([
        ServiceEntry(name: "greeter", type: Greeter.self, interface: (any Greeting).self, isLazy: false),
        ServiceEntry(name: "host", type: Host.self, isLazy: false),
      ])
      try services.start()
      #expect(log.all == ["init", "didCreate", "Host.init", "start", "Host.start"])
    }
  }

  @Test("is found by protocol, by class and by name, as the type that is asked for")
  func find() throws {
    let services = try ServiceRegistry()
    try services.register(Greeter.self, name: "greeter", as: (any Greeting).self)
    #expect(try services.service(for: (any Greeting).self).words == "hello")
    #expect(try services.service(for: Greeter.self).words == "hello")
    #expect(try services.service(named: "greeter", as: (any Greeting).self).words == "hello")
    #expect(services.contains("greeter"))
    #expect(!services.contains("host"))
  }

  @Test("of a service of which there may be several each who asks gets a new one")
  func several() throws {
    let services = try ServiceRegistry([ServiceEntry(name: "greeter", type: Greeter.self, isSingleton: false)])
    #expect(try services.service(named: "greeter") !== services.service(named: "greeter"))
  }

  @Test("what was never registered is answered with the nearest name")
  func unknown() throws {
    let services = try ServiceRegistry([ServiceEntry(name: "greeter", type: Greeter.self)])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: "greter") }
    #expect(error?.code == .serviceUnknown)
    #expect(error?.description.contains("(greeter?)") == true)
    #expect(throws: FrameworkError.self) { try services.service(for: (any Greeting).self) }
  }

  @Test("a name or a protocol that is taken is refused, with both lines; the same entry again is not")
  func twice() throws {
    let entry = ServiceEntry(name: "a", type: Greeter.self, interface: (any Greeting).self, place: place(3))
    let services = try ServiceRegistry([entry, entry])
    let name = #expect(throws: FrameworkError.self) {
      try services.register(ServiceEntry(name: "a", type: Host.self, place: place(9)))
    }
    #expect(name?.code == .serviceRegisteredTwice)
    #expect(name?.place == place(3))
    #expect(name?.description.contains("MobileRuntime.plist:9") == true)
    let interface = #expect(throws: FrameworkError.self) {
      try services.register(ServiceEntry(name: "b", type: Greeter.self, interface: (any Greeting).self))
    }
    #expect(interface?.code == .serviceRegisteredTwice)
  }

  @Test("a class that is not what it is registered for is reported with the line")
  func notInterface() throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "host", type: BrokenStart.self, interface: (any Greeting).self, place: place(4))
    ])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: "host") }
    #expect(error?.code == .serviceNotInterface)
    #expect(error?.place == place(4))
    #expect(throws: FrameworkError.self) {
      try services.register(BrokenStart(services: services), as: (any Greeting).self)
    }
  }

  @Test("an error names the service that threw, its step, its line and on whose behalf it was made")
  func failure() throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "broken", type: BrokenService.self, place: place(5)),
      ServiceEntry(name: "needy", type: NeedsBroken.self, place: place(6)),
    ])
    let error = #expect(throws: FrameworkError.self) { try services.service(named: "needy") }
    #expect(error?.code == .serviceFailed)
    #expect(error?.subject == .service("broken"))
    #expect(error?.underlying is Broken)
    #expect(
      error?.description.hasPrefix(
        "MobileRuntime.plist:5: The service broken failed in init(services:) (needy → broken): out of order.") == true)
  }

  @Test("a service whose start throws is destroyed, and made anew for the next who asks")
  func startFails() throws {
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      let services = try ServiceRegistry([
        ServiceEntry(name: "broken", type: BrokenStart.self),
        ServiceEntry(name: "eager", type: BrokenStart.self, isLazy: false),
        ServiceEntry(name: "greeter", type: Greeter.self, isLazy: false),
      ])
      for _ in 0..<2 {
        let error = #expect(throws: FrameworkError.self) { try services.service(named: "broken") }
        #expect(error?.values["step"] == "start()")
      }
      let error = #expect(throws: FrameworkError.self) { try services.start() }
      #expect(error?.subject == .service("eager"))
      #expect(log.all.filter { $0 == "willDestroy" }.count == 3)
      #expect(log.all.last == "start")
    }
  }

  @Test("one that is taken out is destroyed and not found any more; its name is free again")
  func unregister() throws {
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      let services = try ServiceRegistry()
      try services.register(Greeter.self, name: "greeter", as: (any Greeting).self)
      _ = try services.service(for: (any Greeting).self)
      try services.unregister("greeter")
      #expect(log.all.last == "willDestroy")
      #expect(throws: FrameworkError.self) { try services.service(for: (any Greeting).self) }
      #expect(throws: FrameworkError.self) { try services.unregister("greeter") }
      try services.register(Greeter(services: services), name: "greeter", as: (any Greeting).self)
      #expect(try services.service(for: (any Greeting).self).words == "hello")
    }
  }

  @Test("services end in the opposite order of their making")
  func stopOrder() throws {
    let services = try ServiceRegistry([
      ServiceEntry(name: "host", type: Host.self),
      ServiceEntry(name: "greeter", type: Greeter.self, interface: (any Greeting).self),
    ])
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      _ = try services.service(named: "host")
      #expect(log.all == ["init", "didCreate", "start", "Host.init", "Host.start"])
      #expect(services.entries.map(\.isMade) == [true, true])
      services.stop()
      #expect(services.entries.map(\.isMade) == [false, false])
      #expect(log.all.last == "willDestroy")
      let error = #expect(throws: FrameworkError.self) { try services.service(named: "host") }
      #expect(error?.code == .contextTerminated)
    }
  }

  /// Says goodbye by two services, one made before it, one never made.
  private final class Polite: MobileService {
    private let registry: ServiceRegistry
    private let log = ServiceLog.current
    init(services: ServiceRegistry) throws {
      registry = services
      _ = try services.service(named: "greeter")
    }
    func willDestroy() {
      for name in ["greeter", "host"] {
        log?.add((try? registry.service(named: name)) == nil ? "no \(name)" : "still \(name)")
      }
    }
  }

  @Test("a service that ends still has those that were made before it; nothing is made any more")
  func lastWords() throws {
    let log = ServiceLog()
    try ServiceLog.$current.withValue(log) {
      let services = try ServiceRegistry([
        ServiceEntry(name: "polite", type: Polite.self), ServiceEntry(name: "host", type: Host.self),
        ServiceEntry(name: "greeter", type: Greeter.self, interface: (any Greeting).self),
      ])
      _ = try services.service(named: "polite")
      services.stop()
      #expect(log.all.suffix(3) == ["still greeter", "no host", "willDestroy"])
    }
  }

  private final class SelfNamed: Greeting, RegisteredService {
    static let registration = ServiceRegistration(
      name: "self", interface: (any Greeting).self, isLazy: false, isSingleton: true)
    let words = "self"
    init(services: ServiceRegistry) {}
  }

  @Test("a class that registers itself is an entry with what it says")
  func registered() throws {
    let entry = ServiceEntry(registered: SelfNamed.self, place: place(1))
    #expect(entry.name == "self")
    #expect(!entry.isLazy)
    #expect(entry.isSingleton)
    #expect(entry.place == place(1))
    #expect(try ServiceRegistry([entry]).service(for: (any Greeting).self).words == "self")
  }
}
