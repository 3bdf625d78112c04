import MPaaSAppServices
import MPaaSLock
import Testing

@Suite("The push service") struct PushServiceTests {
  /// A server that can be out of reach, and what the app keeps.
  private final class Server: Sendable {
    struct Down: Error {}
    private let state = Lock(
      (bindings: [PushBinding](), isDown: false, isMute: false, kept: KeptPushBinding?.none, now: 1000.0))

    var bindings: [PushBinding] { state.withLock { $0.bindings } }
    var isDown: Bool {
      get { state.withLock { $0.isDown } }
      set { state.withLock { $0.isDown = newValue } }
    }
    /// True where it takes what it is told, and the answer gets lost.
    var isMute: Bool {
      get { state.withLock { $0.isMute } }
      set { state.withLock { $0.isMute = newValue } }
    }
    func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }

    func service() -> PushService {
      PushService(
        PushServiceConfiguration(
          appID: "SHOP", installationID: "i1", now: { self.state.withLock { $0.now } },
          kept: { self.state.withLock { $0.kept } }, keep: { kept in self.state.withLock { $0.kept = kept } },
          report: { binding in
            // A report takes its time.
            for _ in 0..<10 { await Task.yield() }
            let isDown = self.state.withLock { state in
              if !state.isDown { state.bindings.append(binding) }
              return state.isDown || state.isMute
            }
            if isDown { throw Down() }
          }))
    }
  }

  private func users(_ server: Server) -> [String] { server.bindings.map { "\($0.token) \($0.userID ?? "–")" } }

  @Test("reports the token in plain digits, with the app and the installation, and once for each change")
  func token() async throws {
    let server = Server()
    let service = server.service()
    #expect(service.deviceToken == nil)
    #expect(await service.retry())
    try service.register(described: "<0A1B2C3D 4e5f6071>")
    #expect(service.deviceToken == "0a1b2c3d4e5f6071")
    #expect(await service.retry())
    service.register(deviceToken: [0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f, 0x60, 0x71])
    #expect(await service.retry())
    let binding = PushBinding(token: "0a1b2c3d4e5f6071", userID: nil, appID: "SHOP", installationID: "i1")
    #expect(server.bindings == [binding])
    for wrong in ["", "<>", "<0a1>", "token"] {
      let error = #expect(throws: AppServiceError.self) { try service.register(described: wrong) }
      #expect(error?.identifier == "push-token-malformed")
    }
  }

  @Test("binds the token to each user in turn, and unbinds it on logout; the last report is of the present user")
  func users() async {
    let (server, users) = (Server(), UserState())
    let service = server.service()
    users.observe(.push, by: service)
    service.register(deviceToken: [1, 2])
    await users.signIn("ann")
    await users.signIn("bob")
    await users.signOut()
    #expect(self.users(server).suffix(3) == ["0102 ann", "0102 bob", "0102 –"])
    // Switches that come at once end with the last one.
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 { group.addTask { await users.signIn("user\(number)") } }
    }
    await users.signIn("eve")
    #expect(self.users(server).last == "0102 eve")
  }

  @Test("tells what the server could not hear as soon as it can, and after a start nothing that it knows")
  func unreachable() async {
    let (server, users) = (Server(), UserState())
    let service = server.service()
    users.observe(.push, by: service)
    server.isDown = true
    service.register(deviceToken: [1, 2])
    await users.signIn("ann")
    #expect(await !service.retry())
    server.isDown = false
    #expect(await service.retry())
    #expect(self.users(server) == ["0102 ann"])

    let next = server.service()
    let nextUsers = UserState()
    nextUsers.observe(.push, by: next)
    await nextUsers.signIn("ann")
    next.register(deviceToken: [1, 2])
    #expect(await next.retry())
    #expect(server.bindings.count == 1)
    server.pass(7 * 86_400)
    #expect(await next.retry())
    #expect(server.bindings.count == 2)
    next.register(deviceToken: [3, 4])
    #expect(await next.retry())
    #expect(self.users(server).last == "0304 ann")
  }

  @Test("binds the token to the user before again where the server may know another one, after a start, too")
  func lostAnswers() async {
    let (server, users) = (Server(), UserState())
    let service = server.service()
    users.observe(.push, by: service)
    service.register(deviceToken: [1, 2])
    await users.signIn("ann")
    server.isMute = true
    await users.signIn("bob")
    #expect(await !service.retry())
    server.isMute = false
    await users.signIn("ann")
    #expect(await service.retry())
    #expect(self.users(server).last == "0102 ann")

    server.isMute = true
    await users.signOut()
    server.isMute = false
    let (next, nextUsers) = (server.service(), UserState())
    nextUsers.observe(.push, by: next)
    await nextUsers.signIn("ann")
    next.register(deviceToken: [1, 2])
    #expect(await next.retry())
    #expect(self.users(server).suffix(2) == ["0102 –", "0102 ann"])
  }

  @Test("hands notifications to listeners, the one that opened the app to the first, however late it comes")
  func events() throws {
    let service = Server().service()
    let told = Lock<[String]>([])
    let opening = #"{"aps":{"alert":{"title":"Shop","body":"Sent"},"badge":3,"category":"order"},"order":42}"#
    let first = try PushEvent(.remote, payload: Array(opening.utf8), wasOpened: true)
    #expect(first.title == "Shop" && first.body == "Sent" && first.badge == 3 && first.category == "order")
    #expect(first["order"] == "42" && first["aps"] == nil && !first.isContentAvailable)
    service.receive(first)
    let one = service.observe { event in told.withLock { $0.append("one \(event.body ?? "") \(event.wasOpened)") } }
    service.observe { event in told.withLock { $0.append("two \(event.body ?? "") \(event.origin)") } }
    service.receive(try PushEvent(.local, payload: Array(#"{"aps":{"alert":"Wake up"}}"#.utf8), wasOpened: false))
    one.cancel()
    service.receive(try PushEvent(.remote, payload: Array(#"{"aps":{"content-available":1}}"#.utf8), wasOpened: false))
    #expect(told.withLock { $0 } == ["one Sent true", "one Wake up false", "two Wake up local", "two  remote"])
    for wrong in ["", "[]", "{", "{\"a\":\"\(String(repeating: "a", count: 70_000))\"}"] {
      #expect(throws: AppServiceError.self) { try PushEvent(.remote, payload: Array(wrong.utf8), wasOpened: false) }
    }
  }
}
