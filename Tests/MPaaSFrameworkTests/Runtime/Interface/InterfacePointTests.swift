import Foundation
import MPaaSFramework
import MPaaSTestSupport
import Testing

@Suite("The points of the app's interface that the framework calls") @MainActor struct InterfacePointTests {
  struct Refused: Error {}

  struct Noting: MPaaSAppInterface {
    let journal: Journal<String>
    var pushServerURL: String?
    var commonInterceptor: (any RPCInterceptor)?
    var refuses: @Sendable (String) -> Bool = { _ in false }

    @MainActor func note(_ point: String, _ context: MobileContext) throws {
      journal.note("\(point) \(context.stack.count)")
      if refuses(point) { throw Refused() }
    }
    @MainActor func willLaunch(in context: MobileContext) throws { try note("willLaunch", context) }
    @MainActor func willStartLauncher(in context: MobileContext) throws { try note("willStartLauncher", context) }
    @MainActor func didLaunch(in context: MobileContext) throws { try note("didLaunch", context) }
    @MainActor func handle(_ event: SystemEvent, in context: MobileContext) throws { try note(event.name, context) }
    var userID: String? { "u1" }
  }

  struct Stamp: RPCInterceptor {
    let name: String
    func willSend(_ request: inout MessageTransport.Request) async throws { request.url += name }
    func didReceive(
      _ response: inout MessageTransport.Response, to request: MessageTransport.Request
    ) async throws { response.headers["by", default: ""] += name }
  }

  let journal = Journal<String>()
  let table = RuntimeTable(
    launcher: "home", applications: [ApplicationEntry(name: "home", delegate: Probe.self)],
    modules: [ModuleEntry(type: Cart.self)])

  @Test("are told before the launch, before the launcher and at the end, each once")
  func launch() async throws {
    let context = try MobileContext(table, interface: Noting(journal: journal))
    try await NotingModule.$journal.withValue(journal) { try await context.launch() }
    try await context.launch()
    let steps = ["Cart set-up", "Cart init", "Cart splash"]
    #expect(journal.entries == ["willLaunch 0"] + steps + ["willStartLauncher 0", "didLaunch 1"])
  }

  @Test("end the launch where they throw, and are told again as it goes on")
  func refused() async throws {
    let tries = Journal<String>()
    let interface = Noting(journal: journal) { point in
      tries.note(point)
      return point == "willStartLauncher" && tries.entries.count { $0 == point } == 1
    }
    let context = try MobileContext(table, interface: interface)
    let error = await #expect(throws: FrameworkError.self) { try await context.launch() }
    #expect(error?.code == .interfaceFailed)
    #expect(context.stack.isEmpty)
    try await context.launch()
    #expect(context.stack.count == 1)
    #expect(journal.entries == ["willLaunch 0", "willStartLauncher 0", "willStartLauncher 0", "didLaunch 1"])
  }

  @Test("hear events before the modules do, which hear them even where the interface throws")
  func events() throws {
    let context = try MobileContext(table, interface: Noting(journal: journal) { $0 == "willTerminate" })
    try NotingModule.$journal.withValue(journal) {
      try context.startModules()
      #expect(context.trigger(.didBecomeActive).isEmpty)
      #expect(context.trigger(.willTerminate).map(\.code) == [.interfaceFailed])
    }
    #expect(
      journal.entries.suffix(4) == [
        "didBecomeActive 0", "Cart didBecomeActive", "willTerminate 0", "Cart willTerminate",
      ])
  }

  @Test("name the events of login and logout, which carry the user")
  func login() throws {
    let context = try MobileContext(table, interface: Noting(journal: journal))
    try context.startModules()
    let cart = try context.modules.module(Cart.self)
    for name in [context.interface.loginNotificationName, context.interface.logoutNotificationName] {
      try context.modules.observe(named: name, by: cart) { [journal] in
        journal.note("\($0.name) \($0.values["userID"] as? String ?? "-")")
      }
    }
    context.announceLogin()
    context.announceLogout()
    #expect(journal.entries == ["mpaas.login u1", "mpaas.logout u1"])
  }

  @Test("give the address of the push server, unless the gateway has one; what is no address is refused")
  func push() throws {
    let context = try MobileContext(interface: Noting(journal: journal, pushServerURL: "https://push.example.com"))
    #expect(try context.pushServer() == "https://push.example.com")
    let error = #expect(throws: FrameworkError.self) {
      try MobileContext(interface: Noting(journal: journal, pushServerURL: "push"))
    }
    #expect(error?.code == .interfaceMalformed)
    #expect(error?.subject == .parameter("pushServerURL"))
  }

  @Test("put the common interceptor around a transport: calls in order, answers in reverse")
  func interceptor() async throws {
    let both = RPCInterceptors([Stamp(name: "a"), Stamp(name: "b")])
    let context = try MobileContext(interface: Noting(journal: journal, commonInterceptor: both))
    let transport = MessageTransport { request in
      MessageTransport.Response(status: 200, headers: ["url": request.url])
    }
    let answer = try await context.intercepted(transport)(.init(url: "/"))
    #expect(answer.headers == ["url": "/ab", "by": "ba"])
    #expect(try await MobileContext().intercepted(transport)(.init(url: "/")).headers == ["url": "/"])
  }
}
