import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// 2026-11-23, 12:30:00 UTC.
private let noon = 1_795_437_000.0

extension TestServer {
  /// Tells of a session; `patches` is a JSON value, nil where nothing is said of patches.
  fileprivate func session(
    _ number: Int, _ device: String?, _ patches: String?, status: String = "exited", release: String = "com.shop@1.0",
    at time: Double = noon
  ) async throws {
    let started = Date(timeIntervalSince1970: time).ISO8601Format(.iso8601(timeZone: .gmt))
    let attributes = [#""release":"\#(release)""#] + (patches.map { [#""patches":\#($0)"#] } ?? [])
    let members = [
      #""sid":"00000000-0000-4000-8000-\#(String(format: "%012d", number))""#, #""status":"\#(status)""#,
      #""started":"\#(started)""#, #""attrs":{\#(attributes.joined(separator: ","))}"#,
    ]
    let all = members + (device.map { [#""did":"\#($0)""#] } ?? [])
    #expect(try await sendItems([("session", "{\(all.joined(separator: ","))}")]).status == 200)
  }

  fileprivate func patches(_ query: String = "") async throws -> [PatchEntry] {
    let answer = try await send("GET", ConsolePaths.patches + query)
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONDecoder().decode(PatchPage.self, from: Data(answer.body)).patches
  }

  fileprivate func note(_ rollouts: [RolloutNote.Rollout], of identity: String = "com.shop") async throws -> Int {
    let body = String(decoding: try JSONEncoder().encode(RolloutNote(version: 1, rollouts: rollouts)), as: UTF8.self)
    return try await ask("PUT", "\(ConsolePaths.rollouts)/\(identity)", body).status
  }

  fileprivate func form(_ fields: String) async throws -> TestAnswer {
    try await send(
      "POST", "/patches", ["Content-Type": "application/x-www-form-urlencoded", "Cookie": "mpaas_token=\(token)"],
      body: Array(fields.utf8))
  }
}

private let cart = RolloutNote.Rollout(
  patch: "cart", version: "3", channel: "release", state: "running", stage: "official", basisPoints: 2_050,
  reason: "a <b>start</b>")

@Suite("Hotpatches on devices") struct PatchTests {
  @Test("each device counts once for a version, and as crashed once, in whatever order and however often it tells it")
  func counts() async throws {
    for isReversed in [false, true] {
      let server = try await TestServer(time: Time(noon))
      var told: [(number: Int, device: String, patches: String, status: String)] = [
        (1, "a", #"["cart@3"]"#, "exited"), (2, "a", #"["cart@3"]"#, "crashed"), (2, "a", #"["cart@3"]"#, "crashed"),
        (3, "a", #"["cart@3"]"#, "crashed"), (4, "b", #"["cart@3","pay@1"]"#, "exited"), (5, "c", "[]", "exited"),
        (6, "d", "[]", "crashed"), (7, "e", "[]", "exited"), (7, "e", "[]", "abnormal"),
      ]
      if isReversed { told.reverse() }
      for one in told { try await server.session(one.number, one.device, one.patches, status: one.status) }
      let found = try await server.patches()
      #expect(Set(found.map { "\($0.patch)@\($0.version)" }) == ["cart@3", "pay@1"])
      let entry = try #require(found.first { $0.patch == "cart" })
      #expect(entry.devices == 2 && entry.crashed == 1 && entry.identity == "com.shop")
      #expect(entry.baseline == PatchEntry.Devices(devices: 3, crashed: 1) && entry.population == 5)
      #expect(entry.firstSeen == noon && entry.lastSeen == noon && entry.ratio != nil)
      await server.end()
    }
  }

  @Test("a session that says nothing of patches counts for none, and is no device without one")
  func unknown() async throws {
    let server = try await TestServer(time: Time(noon))
    try await server.session(1, "a", nil)
    try await server.session(2, "b", #""cart@3""#)
    try await server.session(3, nil, #"["cart@3"]"#)
    #expect(try await server.patches().isEmpty)
    let long = String(repeating: "x", count: 200)
    try await server.session(4, "c", #"["cart@3",7,"","@","cart@","@3","a b@1","\#(long)@1"]"#)
    let found = try await server.patches()
    #expect(found.map(\.patch) == ["cart"])
    #expect(found.first?.baseline == nil && found.first?.ratio == nil)
    await server.end()
  }

  @Test("devices without a patch are those since the day on which the version was seen first")
  func window() async throws {
    let server = try await TestServer(time: Time(noon))
    try await server.session(1, "old", "[]", status: "crashed", at: noon - 3 * 86_400)
    try await server.session(2, "new", "[]", at: noon - 3600)
    try await server.session(3, "a", #"["cart@3"]"#, at: noon - 86_400)
    try await server.session(4, "b", #"["cart@3"]"#)
    let entry = try #require(try await server.patches("?identity=com.shop").first)
    #expect(entry.devices == 2 && entry.baseline == PatchEntry.Devices(devices: 1, crashed: 0))
    #expect(entry.firstSeen == noon - 86_400 && entry.lastSeen == noon && entry.population == 4)
    #expect(try await server.patches("?identity=com.other").isEmpty)
    await server.end()
  }

  @Test("alive reports and ends of runs count as sessions do")
  func reports() async throws {
    let server = try await TestServer(time: Time(noon))
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    func post(_ value: some Encodable, _ path: String) async throws {
      let answer = try await server.send("POST", path, key, body: Array(try JSONEncoder().encode(value)))
      #expect(answer.status == 201, "\(answer.text)")
    }
    for device in ["a", "b", "c"] {
      let patches = device == "c" ? [] : ["cart@3"]
      try await post(
        AliveReport(id: device, app: "com.shop", version: "1.0", device: device, time: noon, patches: patches),
        ServerPaths.alive)
    }
    for (device, reason) in [("a", "crash"), ("b", "out-of-memory"), ("c", "hang")] {
      try await post(
        TerminationReport(
          id: device, app: "com.shop", version: "1.0", reason: reason, time: noon, device: device,
          patches: device == "c" ? [] : ["cart@3"]), ServerPaths.terminations)
    }
    try await post(
      TerminationReport(id: "d", app: "com.shop", version: "1.0", reason: "crash", time: noon), ServerPaths.terminations
    )
    let entry = try #require(try await server.patches().first)
    #expect(entry.devices == 2 && entry.crashed == 1 && entry.baseline == PatchEntry.Devices(devices: 1, crashed: 1))
    await server.end()
  }

  @Test("days that are too old are freed, and with them versions that nothing is known of")
  func retention() async throws {
    let time = Time(noon)
    let server = try await TestServer(time: time)
    try await server.session(1, "a", #"["cart@3"]"#, status: "crashed")
    let app = server.run.ready.appKey
    let later = noon + Double(HealthInterval.day.memory) + 2 * 86_400
    try await server.services.store.write { try HealthRetention.freeDevices(app: app, at: later, in: $0) }
    let counts = try await server.services.store.read { database in
      try ["patch_versions", "patch_members", "patch_crashes"].map { table in
        try database.row("SELECT count(*) FROM \(table)") { $0.integer(0) }
      }
    }
    #expect(counts == [0, 0, 0])
    await server.end()
  }

  @Test("an app has no more versions than there is room for; what is left out is counted")
  func most() async throws {
    let server = try await TestServer(time: Time(noon))
    let app = server.run.ready.appKey
    let leftOut = try await server.services.store.write { database in
      try (0...PatchBatch.mostVersions).reduce(0 as Int64) { sum, number in
        let label = try #require(PatchLabel("p@\(number)"))
        return try sum
          + PatchBatch.store(
            [
              PatchBatch.Run(
                app: app, identity: "com.shop", device: "d", patches: [label], started: Int64(noon), hasCrashed: false)
            ], in: database)
      }
    }
    #expect(leftOut == 1)
    try await server.session(1, "a", #"["cart@3"]"#)
    #expect(server.services.counts.all["left-out.patches"] == 1)
    await server.end()
  }
}

@Suite("Rollouts on the console") struct RolloutConsoleTests {
  private func server() async throws -> TestServer {
    let server = try await TestServer(time: Time(noon))
    try await server.session(1, "a", #"["cart@3"]"#)
    #expect(try await server.note([cart]) == 200)
    return server
  }

  private let wish = #"{"identity":"com.shop","patch":"cart","version":"3","channel":"release","action":"#

  @Test("the console shows how they stand, and escapes all that it was told")
  func page() async throws {
    let server = try await server()
    try await server.session(2, "b", #"["<script>@1"]"#, release: "<i>shop</i>@1.0")
    let cookie = ["Authorization": "", "Cookie": "mpaas_token=\(server.token)"]
    let page = try await server.send("GET", "/patches", cookie)
    #expect(page.status == 200)
    #expect(page.text.contains("20.5%") && page.text.contains("a &lt;b&gt;start&lt;/b&gt;"))
    #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>") && !page.text.contains("<i>shop"))
    #expect(page.text.contains("aria-current=page>Patches"))
    let chinese = try await server.send("GET", "/patches", cookie.merging(["Accept-Language": "zh-CN"]) { $1 })
    #expect(chinese.text.contains("没有可比较的设备") && chinese.text.contains("运行中"))
    let own = try await server.send("GET", "/apps/\(server.run.ready.appKey)/patches", cookie)
    #expect(own.status == 200 && own.text.contains("Patches of"))
    #expect(try await server.send("GET", "/apps/none/patches", cookie).status == 404)
    let entry = try #require(try await server.patches("?identity=com.shop").first)
    #expect(entry.rollouts == [cart])
    await server.end()
  }

  @Test("a change is asked for once, is told to the keeper of the keys, and ends once")
  func requests() async throws {
    let server = try await server()
    let made = try await server.ask("POST", ConsolePaths.rolloutRequests, wish + #""halt","reason":"bad"}"#)
    #expect(made.status == 201 && made.json["state"] as? String == "waiting", "\(made.text)")
    let id = try #require(made.json["id"] as? String)
    let waiting = try await server.list("\(ConsolePaths.rolloutRequests)?state=waiting", "requests")
    #expect(waiting.map { $0["id"] as? String } == [id])
    let path = "\(ConsolePaths.rolloutRequests)/\(id)"
    #expect(try await server.ask("PATCH", path, #"{"state":"waiting","outcome":""}"#).status == 400)
    let done = try await server.ask("PATCH", path, #"{"state":"done","outcome":""}"#)
    #expect(done.json["state"] as? String == "done" && done.json["ended"] as? Double == noon)
    let again = try await server.ask("PATCH", path, #"{"state":"refused","outcome":"late"}"#)
    #expect(again.status == 200 && again.json["state"] as? String == "done" && again.json["outcome"] as? String == "")
    #expect(try await server.list("\(ConsolePaths.rolloutRequests)?state=waiting", "requests").isEmpty)
    let none = "\(ConsolePaths.rolloutRequests)/none"
    #expect(try await server.ask("PATCH", none, #"{"state":"done","outcome":""}"#).status == 404)
    let audit = try await server.list(ConsolePaths.audit, "entries")
    #expect(audit.contains { $0["action"] as? String == "rollout.halt" && $0["detail"] as? String == "bad" })
    await server.end()
  }

  @Test(
    "a change of what is not known, or of no share, is refused",
    arguments: [
      (#"{"identity":"com.shop","patch":"cart","version":"4","channel":"release","action":"halt"}"#, 404),
      (#"{"identity":"com.other","patch":"cart","version":"3","channel":"release","action":"halt"}"#, 404),
      (#"{"identity":"com.shop","patch":"cart","version":"3","channel":"release","action":"percentage"}"#, 400),
      (
        #"{"identity":"com.shop","patch":"cart","version":"3","channel":"release","action":"percentage","basis_points":10001}"#,
        400
      ),
      (
        #"{"identity":"com.shop","patch":"cart","version":"3","channel":"release","action":"halt","basis_points":1}"#,
        400
      ),
      (#"{"identity":"com.shop","patch":"cart","version":"3","channel":"release","action":"ship"}"#, 400), ("{}", 400),
    ])
  func refusals(_ body: String, _ status: Int) async throws {
    let server = try await server()
    let answer = try await server.ask("POST", ConsolePaths.rolloutRequests, body)
    #expect(answer.status == status, "\(answer.text)")
    #expect(try await server.list(ConsolePaths.rolloutRequests, "requests").isEmpty)
    await server.end()
  }

  @Test("the form asks for a change; a reader may look, and may not ask")
  func form() async throws {
    let server = try await server()
    let rollout = "rollout=com.shop%09cart%093%09release"
    let asked = try await server.form("\(rollout)&action=percentage&percent=12.5&reason=more")
    #expect(asked.status == 303 && asked.headers["location"] == "/patches", "\(asked.text)")
    let found = try #require(try await server.list(ConsolePaths.rolloutRequests, "requests").first)
    #expect(found["basis_points"] as? Int == 1250 && found["action"] as? String == "percentage")
    for wrong in ["\(rollout)&action=percentage&percent=nan", "rollout=x&action=halt", "\(rollout)&action=fly"] {
      let answer = try await server.form(wrong)
      #expect(answer.status == 400 && answer.text.contains("role=alert"), "\(wrong): \(answer.status)")
    }
    let reader = try await server.services.access.issue("r", [.read], lifetime: 1e6).token
    let page = try await server.send("GET", "/patches", ["Authorization": "", "Cookie": "mpaas_token=\(reader)"])
    #expect(page.status == 200 && !page.text.contains("method=post"))
    #expect(try await server.ask("POST", ConsolePaths.rolloutRequests, wish + #""halt"}"#, as: reader).status == 403)
    #expect(try await server.ask("PUT", "\(ConsolePaths.rollouts)/com.shop", "{}", as: reader).status == 403)
    await server.end()
  }
}
