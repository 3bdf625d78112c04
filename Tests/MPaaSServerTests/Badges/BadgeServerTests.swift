import Foundation
import MPaaSAppServices
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  @discardableResult
  fileprivate func push(_ targets: [BadgeTarget], _ badges: BadgeItem...) async throws -> TestAnswer {
    let push = BadgePush(targets: targets, badges: badges)
    return try await send("POST", ServerPaths.badgeTargets, body: Array(try JSONEncoder().encode(push)))
  }

  fileprivate func badges(_ user: String, since: String? = nil, segments: String? = nil) async throws -> BadgeUpdate {
    let query = "?user=\(user)" + (since.map { "&since=\($0)" } ?? "") + (segments.map { "&segments=\($0)" } ?? "")
    let answer = try await send(
      "GET", ServerPaths.badges + query, ["Authorization": "Bearer \(run.ready.appKey)"])
    return try JSONDecoder().decode(BadgeUpdate.self, from: Data(answer.body))
  }

  fileprivate func tap(_ user: String, _ widgets: [String], _ version: String?) async throws {
    let taps = BadgeAcknowledgement(user: user, widgets: widgets, version: version)
    _ = try await send(
      "POST", ServerPaths.badges + "/ack", ["Authorization": "Bearer \(run.ready.appKey)"],
      body: Array(try JSONEncoder().encode(taps)))
  }
}

@Suite("Badges on the server") struct BadgeServerTests {
  @Test("go to users, segments and all, and the narrowest target decides")
  func targets() async throws {
    let server = try await TestServer()
    try await server.push([.all], BadgeItem("tab, a,", style: "new", temporary: 1), BadgeItem("tab,b", temporary: 1))
    try await server.push([.segment("vip"), .segment("old")], BadgeItem("tab,a", style: "num", temporary: 5))
    try await server.push([.user("ann"), .user("bob")], BadgeItem("tab,a", style: "惠", persistent: 7))
    let carl = try await server.badges("carl").badges
    #expect(carl.map(\.badgeID) == ["tab,a", "tab,b"])
    #expect(carl.first?.style == "new")
    #expect(try await server.badges("carl", segments: "x,vip").badges.first?.temporary == 5)
    #expect(try await server.badges("ann", segments: "vip").badges.first?.persistent == 7)
    let clear = try await server.send("DELETE", ServerPaths.badgeTargets + "?user=ann")
    #expect(clear.json["count"] as? Int == 1)
    #expect(try await server.badges("ann", segments: "vip").badges.first?.temporary == 5)
    let listed = try await server.send("GET", ServerPaths.badgeTargets + "?limit=2")
    let page = try JSONDecoder().decode(BadgePage.self, from: Data(listed.body))
    #expect(page.badges.map(\.target) == [.user("bob"), .segment("old")])
    let rest = try await server.send("GET", ServerPaths.badgeTargets + "?before=\(page.badges[1].version)")
    #expect(try JSONDecoder().decode(BadgePage.self, from: Data(rest.body)).badges.count == 3)
    await server.end()
  }

  @Test("come as changes since a version of the same reader, and else in full")
  func deltas() async throws {
    let server = try await TestServer()
    try await server.push([.all], BadgeItem("a", temporary: 1), BadgeItem("b", temporary: 1))
    let first = try await server.badges("ann")
    #expect(first.full)
    #expect(first.badges.count == 2)
    try await server.push([.user("bob")], BadgeItem("c", temporary: 1))
    let none = try await server.badges("ann", since: first.version)
    #expect(!none.full && none.badges.isEmpty && none.removed.isEmpty)
    try await server.push([.user("ann")], BadgeItem("a", style: "num", temporary: 9))
    _ = try await server.send("DELETE", ServerPaths.badgeTargets + "?path=b")
    let changed = try await server.badges("ann", since: none.version)
    #expect(changed.badges == [BadgeItem("a", style: "num", temporary: 9)])
    #expect(changed.removed == ["b"])
    for foreign in ["x", "1.000000", "-1." + first.version.suffix(12), "9999." + first.version.suffix(12)] {
      #expect(try await server.badges("ann", since: foreign).full, "\(foreign)")
    }
    #expect(try await server.badges("bob", since: first.version).full)
    #expect(try await server.badges("ann", since: first.version, segments: "vip").full)
    await server.end()
  }

  @Test("with paths and segments that only look alike are kept apart")
  func alike() async throws {
    let server = try await TestServer()
    let (one, two) = ("\u{e9}", "e\u{301}")
    try await server.push([.segment(one)], BadgeItem(one, temporary: 1), BadgeItem(two, temporary: 1))
    try await server.push([.segment(two)], BadgeItem("c", temporary: 1))
    let first = try await server.badges("ann", segments: "%C3%A9,e%CC%81")
    #expect(first.badges.count == 3)
    _ = try await server.send("DELETE", ServerPaths.badgeTargets + "?path=e%CC%81")
    try await server.push([.segment(one)], BadgeItem(one, temporary: 2))
    let changed = try await server.badges("ann", since: first.version, segments: "%C3%A9,e%CC%81")
    #expect(!changed.full && changed.badges.map(\.temporary) == [2])
    #expect(changed.removed.map { Array($0.utf8) } == [Array(two.utf8)])
    await server.end()
  }

  @Test("are cleared by a tap on each device of the user, but not what came after the tap was seen")
  func taps() async throws {
    let server = try await TestServer()
    let badge = BadgeItem("me,orders", style: "num", temporary: 2, persistent: 1)
    try await server.push([.all], badge, BadgeItem("me,theme", style: "new", temporary: 1))
    let seen = try await server.badges("ann")
    try await server.tap("ann", ["theme"], seen.version)
    let after = try await server.badges("ann", since: seen.version)
    #expect(after.removed == ["me,theme"])
    #expect(try await server.badges("bob").badges.count == 2)
    try await server.push([.all], badge)
    try await server.tap("ann", ["orders"], seen.version)
    #expect(try await server.badges("ann").badges == [badge])
    try await server.tap("ann", ["orders", "me"], try await server.badges("ann").version)
    #expect(try await server.badges("ann").badges == [BadgeItem("me,orders", style: "num", persistent: 1)])
    try await server.push([.all], badge)
    #expect(try await server.badges("ann").badges == [badge])
    await server.end()
  }

  @Test("that were taken away are forgotten after a time, and whoever asks from before gets all")
  func forgotten() async throws {
    let time = Time(1000)
    let server = try await TestServer(time: time, isTidied: false)
    try await server.push([.all], BadgeItem("a", temporary: 1), BadgeItem("b", temporary: 1))
    let first = try await server.badges("ann")
    try await server.tap("ann", ["a"], nil)
    _ = try await server.send("DELETE", ServerPaths.badgeTargets + "?all=1&path=a")
    time.now += 31 * 86_400
    for routes in server.run.routes { await routes.tidy() }
    let rows = try await server.services.store.read { database in
      try database.row("SELECT (SELECT count(*) FROM badges), (SELECT count(*) FROM badge_taps)") {
        [$0.integer(0), $0.integer(1)]
      }
    }
    #expect(rows == [1, 0])
    let later = try await server.badges("ann", since: first.version)
    #expect(later.full)
    #expect(later.badges.map(\.badgeID) == ["b"])
    await server.end()
  }

  @Test("keep a bounded number of taps, the newest")
  func bounded() async throws {
    let server = try await TestServer(isTidied: false)
    try await server.push([.all], BadgeItem("a", temporary: 1))
    for number in 1...10 { try await server.tap("made-up-\(number)", ["a"], nil) }
    let users = try await server.services.store.write { database in
      try BadgeStore.forgetTaps(most: 4, in: database)
      return try database.rows("SELECT user FROM badge_taps ORDER BY version") { $0.text(0) }
    }
    #expect(users == (7...10).map { "made-up-\($0)" })
    try await server.services.store.write { try BadgeStore.forgetTaps(most: 4, in: $0) }
    #expect(try await server.badges("made-up-10").badges.isEmpty)
    #expect(try await server.badges("made-up-1").badges.count == 1)
    await server.end()
  }

  @Test("are refused where they cannot be, and changed only by who may operate")
  func refused() async throws {
    let server = try await TestServer()
    let good = BadgeItem("a", temporary: 1)
    #expect(try await server.push([], good).status == 400)
    #expect(try await server.push([.all]).status == 400)
    #expect(try await server.push([.user("")], good).status == 400)
    for bad in [BadgeItem(" , ", temporary: 1), BadgeItem("a", temporary: -1), BadgeItem("a", style: "", temporary: 1)]
    {
      #expect(try await server.push([.all], good, bad).status == 400)
    }
    let deep = (1...101).map { "w\($0 % 10)" }
    #expect(try await server.push([.all], BadgeItem(deep.joined(separator: ","), temporary: 1)).status == 400)
    let path = deep.dropLast().joined(separator: ",")
    #expect(try await server.push([.user("deep")], BadgeItem(path, temporary: 1)).status == 201)
    #expect(try await server.send("DELETE", ServerPaths.badgeTargets).status == 400)
    #expect(try await server.send("DELETE", ServerPaths.badgeTargets + "?user=a&all=1").status == 400)
    #expect(try await server.send("GET", ServerPaths.badges).status == 400)
    #expect(try await server.badges("ann").badges.isEmpty)
    for scopes: Set<Scope> in [[.ingest], [.read, .collect]] {
      let token = try await server.services.access.issue("t", scopes, lifetime: 100).token
      let headers = ["Authorization": "Bearer \(token)"]
      let push = try JSONEncoder().encode(BadgePush(targets: [.all], badges: [good]))
      #expect(try await server.send("POST", ServerPaths.badgeTargets, headers, body: Array(push)).status == 403)
      #expect(try await server.send("DELETE", ServerPaths.badgeTargets + "?all=1", headers).status == 403)
    }
    await server.end()
  }

  @Test("reach the tree of an app, and a tap on one device clears the other")
  @MainActor func devices() async throws {
    let server = try await TestServer()
    try await server.push([.user("ann")], BadgeItem("me,orders", style: "num", temporary: 3))
    let address = AppServer(server.run.ready.url, appKey: server.run.ready.appKey)
    let devices = (0..<2).map { _ in BadgeService(address, encrypt: { $0 }, decrypt: { $0 }) }
    for device in devices {
      await device.tree.refreshAfterLogin("ann")
      #expect(try await device.refresh())
      #expect(device.tree.count(widgetID: "me") == 3)
    }
    devices[0].tree.tap(widgetID: "orders")
    await devices[0].tree.settle()
    try await devices[1].refresh()
    #expect(devices[1].tree.count(widgetID: "me") == 0)
    await server.end()
  }
}
