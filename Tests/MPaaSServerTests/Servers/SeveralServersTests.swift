import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Several servers of a console", .severalServers) struct SeveralServersTests {
  /// Seconds: less than one on a machine that does nothing else; other tests can keep a question waiting for some.
  private static let soon = 10.0

  @Test("share issues, each event once, whichever server it comes to")
  func events() async throws {
    let console = try SharedConsole()
    let servers = [try await console.server(), try await console.server()]
    let event = #"{"platform":"python","user":{"id":"u"},"exception":{"values":[{"type":"E","value":"x"}]}}"#
    for number in 0..<20 {
      let id = String(repeating: "0", count: 30) + String(format: "%02x", number)
      for server in servers { #expect(try await server.envelope(event, id: id).status == 200) }
    }
    for server in servers {
      let issues = try await server.issues()
      #expect(issues.count == 1 && issues.first?["count"] as? Int == 20 && issues.first?["users"] as? Int == 1)
    }
    #expect(try console.number("SELECT value FROM counts WHERE name = 'accepted.crash'") == 20)
    for server in servers { await server.end() }
    #expect(try console.number("SELECT count(*) FROM servers") == 0)
  }

  @Test("are one console where they start at once on an empty database and bucket")
  func together() async throws {
    let console = try SharedConsole()
    let servers = try await withThrowingTaskGroup(of: TestServer.self) { group in
      for _ in 0..<3 { group.addTask { try await console.server() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try console.number("SELECT count(*) FROM servers") == 3)
    for server in servers { await server.end() }
  }

  @Test("are refused where blobs are in a folder, or in another bucket")
  func refusals() async throws {
    let console = try SharedConsole()
    let first = try await console.server()
    let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    let alone = await #expect(throws: ServerError.self) {
      try await console.server(in: folder) { $0.blobs = elsewhere.path }
    }
    #expect(alone?.code == .databaseTaken)
    let other = await #expect(throws: ServerError.self) {
      try await console.server { $0.blobs = SeaweedStore.shared?.address() }
    }
    #expect(other?.code == .blobsTaken)
    // The first folder goes on alone only where no other server lives.
    let second = try await console.server()
    await first.end()
    let early = await #expect(throws: ServerError.self) {
      try await console.server(in: first.folder) { $0.blobs = elsewhere.path }
    }
    #expect(early?.code == .databaseTaken)
    await second.end()
    let again = try await console.server(in: first.folder) { $0.blobs = elsewhere.path }
    let late = await #expect(throws: ServerError.self) { try await console.server(in: second.folder) }
    #expect(late?.code == .databaseTaken)
    await again.end()
  }

  @Test("are refused on a copy of the folder of another one that lives, and not on that of one that was killed")
  func copies() async throws {
    let console = try SharedConsole()
    let folder = try TemporaryFolder()
    let first = try console.process(in: folder)
    let copy = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: copy.path + "/data", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path + "/data/name", toPath: copy.path + "/data/name")
    let refused = await #expect(throws: ServerError.self) { try await console.server(in: copy) }
    #expect(refused?.code == .folderInUse)
    first.end(SIGKILL)
    let again = try console.process(in: folder)
    #expect(again.end() == 0)
  }

  @Test("refuse a token soon that was revoked at another one, and so a session that was ended")
  func tokens() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(), try await console.server())
    let made = try await one.services.access.issue("ci", [.read], lifetime: 3600)
    let headers = ["Authorization": "Bearer \(made.token)"]
    for _ in 0..<3 { #expect(try await two.send("GET", "/api/v1/issues", headers).status == 200) }
    #expect(try await one.services.access.revoke(made.grant.id))
    #expect(try await one.send("GET", "/api/v1/issues", headers).status == 401)
    let time = try await seconds { try await two.send("GET", "/api/v1/issues", headers).status == 401 }
    #expect(try #require(time) < Self.soon)
    await one.end()
    await two.end()
  }

  @Test("see rules of scrubbing, quotas and flags soon that were changed at another one")
  func changes() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(), try await console.server())
    let app = one.run.ready.appKey
    let scrubbing = try JSONDecoder().decode(ScrubbingRules.self, from: Data(#"{"keys":["coupon"]}"#.utf8))
    try await one.services.scrubbing.set(scrubbing, of: app, in: one.services.store)
    let event = Array(#"{"extra":{"coupon":"abc"}}"#.utf8)
    func isScrubbed() -> Bool {
      let clean = event.withUnsafeBytes { two.services.scrubbing.scrubber(of: app).document($0) }
      return clean.map { !String(decoding: $0, as: UTF8.self).contains("abc") } ?? false
    }
    let first = try await seconds { isScrubbed() }
    #expect(try #require(first) < Self.soon)
    let quota = QuotaLimits(hour: QuotaAmount(events: 0))
    try await one.services.quotas.set(quota, of: QuotaMeter.subject(app: app), in: one.services.store)
    let second = try await seconds {
      two.services.quotas.refusal([QuotaMeter.subject(app: app)], at: two.services.now()) != nil
    }
    #expect(try #require(second) < Self.soon)
    let flag = #"[{"type":"feature-updated","feature":{"name":"new-cart","enabled":true}}]"#
    #expect(try await one.changeFlags(flag).status == 201)
    let third = try await seconds { try await two.send("GET", FlagPaths.flags).text.contains("new-cart") }
    #expect(try #require(third) < Self.soon)
    // The next change by the other one is behind it.
    let next = try await two.changeFlags(flag.replacing("new-cart", with: "old-cart"), base: 1)
    #expect(next.status == 201, "\(next.text)")
    await one.end()
    await two.end()
  }

  @Test("have one that does each work in the background; another one goes on with a greater number")
  func works() async throws {
    let console = try SharedConsole()
    let one = try await console.server(isTidied: false)
    for work in SharedWork.allCases { #expect(await one.services.does(work)) }
    let two = try await console.server(isTidied: false)
    for work in SharedWork.allCases { #expect(await !two.services.does(work)) }
    let numbers = "SELECT min(number) FROM work_leases"
    let before = try console.number("SELECT max(number) FROM work_leases")
    await one.end()
    for work in SharedWork.allCases {
      #expect(try await seconds { await two.services.does(work) } != nil)
    }
    #expect(try console.number(numbers) > before)
    let number = try #require(two.services.session?.number)
    #expect(try console.number("SELECT count(*) FROM work_leases WHERE server = \(number)") == 8)
    await two.end()
  }

  @Test("take nothing from one that another took for dead")
  func fence() async throws {
    let console = try SharedConsole()
    let (one, two) = (try await console.server(), try await console.server())
    #expect(try await one.envelope(#"{"message":"a"}"#, id: String(repeating: "a", count: 32)).status == 200)
    let number = try #require(one.services.session?.number)
    try console.run("DELETE FROM servers WHERE number = \(number)")
    let answer = try await one.envelope(#"{"message":"b"}"#, id: String(repeating: "b", count: 32))
    #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
    #expect(try await seconds { one.services.session?.isOver == true } != nil)
    #expect(await !one.services.does(.upkeep))
    #expect(try await two.envelope(#"{"message":"b"}"#, id: String(repeating: "b", count: 32)).status == 200)
    #expect(try console.number("SELECT count(*) FROM crashes") == 2)
    await one.end()
    await two.end()
  }

  @Test("never take more than a quota together, and take all of it")
  func quota() async throws {
    let console = try SharedConsole()
    let servers = [try await console.server(isTidied: false), try await console.server(isTidied: false)]
    let subject = QuotaMeter.subject(app: servers[0].run.ready.appKey)
    try await servers[0].services.quotas.set(
      QuotaLimits(month: QuotaAmount(events: 1000, bytes: 1_000_000)), of: subject, in: servers[0].services.store)
    try await servers[1].services.quotas.readLimits(from: servers[1].services.store)
    func send(_ count: Int, to server: TestServer) async -> Int {
      var taken = 0
      for _ in 0..<count {
        let services = server.services
        let (now, store) = (services.now(), services.store)
        if (try? await services.quotas.take([subject], bytes: 10, at: now, in: store)) != nil { taken += 1 }
      }
      return taken
    }
    let all = await withTaskGroup(of: Int.self) { group in
      for number in 0..<8 { group.addTask { await send(200, to: servers[number % 2]) } }
      return await group.reduce(0, +)
    }
    #expect(all <= 1000 && all > 800, "\(all)")
    // What one of them leased and did not use comes back.
    for services in servers.map(\.services) {
      await services.quotas.keep(in: services.store, at: services.now(), isLast: true)
    }
    #expect(try console.number("SELECT events FROM quota_usage WHERE period = 'month'") == Int64(all))
    try await Task.sleep(for: .seconds(1))
    let rest = await send(1000 - all + 10, to: servers[0])
    #expect(all + rest == 1000)
    for server in servers { await server.end() }
    #expect(try console.number("SELECT events FROM quota_usage WHERE period = 'month'") == 1000)
    #expect(try console.number("SELECT bytes FROM quota_usage WHERE period = 'month'") == 10_000)
  }

  @Test("send one message of an alert, at which all of them look")
  func alert() async throws {
    let console = try SharedConsole()
    let double = try WebhookDouble()
    let servers = [
      try await console.server { $0.allowsPrivateWebhooks = true },
      try await console.server { $0.allowsPrivateWebhooks = true },
    ]
    let rule = #"{"name":"new","when":{"new":{}},"to":[{"webhook":"\#(double.url)"}]}"#
    #expect(try await servers[0].send("POST", ConsolePaths.alerts, body: Array(rule.utf8)).status == 201)
    for number in 0..<20 {
      let event = #"{"platform":"python","exception":{"values":[{"type":"New","value":"x"}]}}"#
      let id = UUID().uuidString.replacing("-", with: "").lowercased()
      #expect(try await servers[number % 2].envelope(event, id: id).status == 200)
    }
    for _ in 0..<3 {
      await withTaskGroup(of: Void.self) { group in
        for server in servers { group.addTask { try? await AlertWatch(server.services).look() } }
      }
    }
    #expect(try await seconds { !double.calls.isEmpty } != nil)
    try await Task.sleep(for: .seconds(3))
    #expect(double.calls.count == 1)
    for server in servers { await server.end() }
  }
}
