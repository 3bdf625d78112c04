import Foundation
import MPaaSAppServices
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Reports an installation as an app does, with the app's key.
  @discardableResult
  fileprivate func register(
    _ installation: String, _ token: String, user: String? = "ann",
    _ change: (inout PushInstallation) -> Void = { _ in }
  ) async throws -> TestAnswer {
    var report = PushInstallation(
      installation: installation, token: token, user: user, topic: "com.example.shop", registered: 1_000)
    change(&report)
    return try await send(
      "POST", ServerPaths.pushInstallations, ["Authorization": "Bearer \(run.ready.appKey)"],
      body: Array(try JSONEncoder().encode(report)))
  }

  fileprivate func page(_ query: String = "", _ headers: [String: String] = [:]) async throws -> PushInstallationPage {
    let answer = try await send("GET", ServerPaths.pushInstallations + query, headers)
    return try JSONDecoder().decode(PushInstallationPage.self, from: Data(answer.body))
  }

  /// The installations and their tokens, the newest first.
  fileprivate func known(_ query: String = "") async throws -> [String] {
    try await page(query).installations.map { "\($0.installation) \($0.token)" }
  }

  fileprivate func end(
    _ outcomes: PushRefusal..., environment: PushEnvironment? = nil, as headers: [String: String] = [:]
  ) async throws -> TestAnswer {
    let refusals = PushRefusals(environment: environment, outcomes: outcomes)
    return try await send(
      "POST", ServerPaths.pushOutcomes, headers, body: Array(try JSONEncoder().encode(refusals)))
  }
}

extension TestAnswer {
  fileprivate var ended: [String]? { json["ended"] as? [String] }
}

@Suite("The registry of installations for notifications") struct PushRegistryTests {
  @Test("has one token for each installation and topic, and each token at one installation")
  func tokens() async throws {
    let server = try await TestServer(time: Time(2_000))
    try await server.register("i1", "0a0a") { $0.tags = ["vip", "vip", "beta"] }
    try await server.register("i1", "<0B0B>", user: nil)
    let entry = try #require(try await server.page().installations.first)
    #expect(entry.token == "0b0b" && entry.user == nil && entry.tags.isEmpty && entry.registered == 1_000)
    #expect(try await server.known("?tag=vip").isEmpty)
    try await server.register("i1", "0c0c") { $0.topic = "com.example.shop.voip" }
    try await server.register("i2", "0d0d")
    #expect(try await server.known() == ["i2 0d0d", "i1 0c0c", "i1 0b0b"])
    let moved = try await server.register("i3", "0b0b")
    #expect(moved.json["removed"] as? Int == 1)
    #expect(try await server.known() == ["i3 0b0b", "i2 0d0d", "i1 0c0c"])
    let removed = try await server.send(
      "DELETE", ServerPaths.pushInstallations + "/i3", ["Authorization": "Bearer \(server.run.ready.appKey)"])
    #expect(removed.json["removed"] as? Int == 1)
    #expect(try await server.known() == ["i2 0d0d", "i1 0c0c"])
    let tags = try await server.services.store.read { try $0.row("SELECT count(*) FROM push_tags") { $0.integer(0) } }
    #expect(tags == 0)
    await server.end()
  }

  @Test("is told by an app's service whom the token belongs to, and is asked by user, tag, topic and page by page")
  func app() async throws {
    let server = try await TestServer(time: Time(2_000))
    var registry = PushRegistry(
      AppServer(server.run.ready.url, appKey: server.run.ready.appKey), topic: "com.example.shop",
      environment: .sandbox)
    registry.locale = "zh-Hans-CN"
    registry.tags = { ["vip"] }
    let service = PushService(
      PushServiceConfiguration(registry, appID: "SHOP", installationID: "i0", now: { 1_500 }))
    let users = UserState()
    users.observe(.push, by: service)
    service.register(deviceToken: [1, 2])
    await users.signIn("ann")
    let entry = try #require(try await server.page("?user=ann&tag=vip&environment=sandbox").installations.first)
    #expect(entry.token == "0102" && entry.locale == "zh-Hans-CN" && entry.registered == 1_500)
    for number in 1...5 { try await server.register("i\(number)", "000\(number)", user: number < 4 ? "ann" : "bob") }
    #expect(try await server.known("?user=bob") == ["i5 0005", "i4 0004"])
    #expect(try await server.known("?topic=com.example").isEmpty)
    let first = try await server.page("?user=ann&limit=2")
    let second = try await server.page("?user=ann&limit=2&cursor=\(first.cursor ?? "")")
    #expect((first.installations + second.installations).map(\.installation) == ["i3", "i2", "i1", "i0"])
    #expect(first.cursor != nil && second.cursor == nil)
    await users.signOut()
    #expect(try await server.known("?user=ann").count == 3)
    try await registry.remove("i0")
    #expect(try await server.known("?tag=vip").isEmpty)
    await server.end()
  }

  @Test("lets go of tokens that a provider has ended, at 410 only of those that are older than its timestamp")
  func ended() async throws {
    let server = try await TestServer(time: Time(2_000))
    for number in 1...4 { try await server.register("i\(number)", "000\(number)") }
    try await server.register("ahead", "0005") { $0.registered = 9e9 }
    let early = PushRefusal(token: "0001", status: 410, reason: "Unregistered", timestamp: 1_000_000)
    #expect(try await server.end(early).ended == [])
    let late = PushRefusal(token: "0001", status: 410, reason: "Unregistered", timestamp: 1_000_001)
    let ahead = PushRefusal(token: "0005", status: 410, reason: "ExpiredToken", timestamp: 2_000_001)
    #expect(try await server.end(late, ahead).ended == ["0001", "0005"])
    let bad = PushRefusal(token: "0002", status: 400, reason: "BadDeviceToken")
    #expect(try await server.end(bad, environment: .sandbox).ended == [])
    let other = PushRefusal(token: "0003", status: 400, reason: "DeviceTokenNotForTopic")
    let busy = PushRefusal(token: "0003", status: 429, reason: "TooManyRequests")
    #expect(try await server.end(bad, other, busy, environment: .production).ended == ["0002"])
    #expect(try await server.end(PushRefusal(token: "0004", status: 404, reason: "UNREGISTERED")).ended == ["0004"])
    #expect(try await server.known() == ["i3 0003"])
    await server.end()
  }

  @Test("of one app is nothing to another, and neither apps nor readers end tokens")
  func apps() async throws {
    let server = try await TestServer(time: Time(2_000))
    try await server.register("i1", "0a0a")
    let access = server.services.access
    let foreign = try await access.issue("other", [.ingest, .read, .operate], app: "other", lifetime: 100).token
    let headers = ["Authorization": "Bearer \(foreign)"]
    #expect(try await server.page("", headers).installations.isEmpty)
    let bad = PushRefusal(token: "0a0a", status: 400, reason: "BadDeviceToken")
    #expect(try await server.end(bad, as: headers).ended == [])
    let removed = try await server.send("DELETE", ServerPaths.pushInstallations + "/i1", headers)
    #expect(removed.json["removed"] as? Int == 0)
    let report = PushInstallation(installation: "i1", token: "0a0a", topic: "com.example.shop", registered: 1)
    let told = try await server.send(
      "POST", ServerPaths.pushInstallations, headers, body: Array(try JSONEncoder().encode(report)))
    #expect(told.json["removed"] as? Int == 0)
    #expect(try await server.page().installations.count == 2)
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    #expect(try await server.send("GET", ServerPaths.pushInstallations, key).status == 403)
    #expect(try await server.end(bad, as: key).status == 403)
    let reader = try await access.issue("reader", [.read], lifetime: 100).token
    #expect(try await server.end(bad, as: ["Authorization": "Bearer \(reader)"]).status == 403)
    #expect(try await server.end(bad).ended == ["0a0a"])
    #expect(try await server.page().installations.isEmpty)
    await server.end()
  }

  @Test("refuses what cannot be so by its name, and keeps what it had")
  func refused() async throws {
    let server = try await TestServer(time: Time(2_000))
    try await server.register("i1", "0a0a")
    let long = String(repeating: "x", count: 1_001)
    let changes: [(String, @Sendable (inout PushInstallation) -> Void)] = [
      ("installation", { $0.installation = "../i1" }), ("installation", { $0.installation = "" }),
      ("token", { $0.token = "" }), ("token", { $0.token = long }), ("token", { $0.token = "a\nb" }),
      ("user", { $0.user = "" }), ("user", { $0.user = long }), ("topic", { $0.topic = "com example" }),
      ("locale", { $0.locale = long }), ("tags", { $0.tags = Array(repeating: "a", count: 51) }),
      ("tags", { $0.tags = ["a\u{7}"] }), ("registered", { $0.registered = -1 }),
      ("registered", { $0.registered = 1e300 }),
    ]
    for (field, change) in changes {
      let answer = try await server.register("i1", "0b0b") { change(&$0) }
      #expect(answer.status == 400)
      #expect((answer.json["message"] as? String)?.contains(field) == true, "\(field): \(answer.text)")
    }
    let many = Array(repeating: PushRefusal(token: "0a0a", status: 400, reason: "BadDeviceToken"), count: 501)
    for outcomes in [[], many] {
      let body = Array(try JSONEncoder().encode(PushRefusals(outcomes: outcomes)))
      #expect(try await server.send("POST", ServerPaths.pushOutcomes, body: body).status == 400)
    }
    for query in ["?environment=test", "?cursor=x"] {
      #expect(try await server.send("GET", ServerPaths.pushInstallations + query).status == 400)
    }
    #expect(try await server.known() == ["i1 0a0a"])
    await server.end()
  }

  @Test("keeps a report wholly or not at all: a fault in its last step leaves the token where it was", .inFile)
  func whole() async throws {
    let server = try await TestServer(time: Time(2_000))
    try await server.register("i1", "0a0a") { $0.tags = ["vip"] }
    try await server.services.store.write {
      try $0.run(
        "CREATE TRIGGER no_tags BEFORE INSERT ON push_tags BEGIN SELECT RAISE(ABORT, 'no'); END", [])
    }
    #expect(try await server.register("i2", "0a0a") { $0.tags = ["new"] }.status >= 500)
    #expect(try await server.known("?tag=vip") == ["i1 0a0a"])
    #expect(try await server.known() == ["i1 0a0a"])
    await server.end()
  }
}
