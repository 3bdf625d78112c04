import MPaaSFlags
import MPaaSLock
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTime
import Testing

@testable import MPaaSAppServices

@Suite("The flags client") struct FlagClientTests {
  @Test("asks with the fields of the client API, again after the interval, and with the validator of the last answer")
  func asks() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["a": true]), etag: "\"v1\""))
    let client = samples.client { configuration in
      configuration.project = "web shop"
      configuration.headers = ["X-Tenant": "7"]
    }
    let news = FlagNews(client)
    await client.start()
    await news.waitFor(.fetched)
    #expect(client.isEnabled("a") && client.source == .server)
    let first = try #require(samples.server.requests.first { $0.method == "GET" })
    #expect(first.url == "http://flags.test/api/client/features?project=web%20shop")
    #expect(first["Authorization"] == "web:production.secret" && first["X-Tenant"] == "7")
    #expect(first["unleash-appname"] == "shop" && first["unleash-instanceid"] == client.sessionID)
    #expect(first["unleash-connection-id"]?.utf8.count == 36)
    #expect(first["unleash-sdk"]?.hasPrefix("mpaaskit:") == true && first["unleash-interval"] == "60000")
    #expect(first["Unleash-Client-Spec"] == "6.1.0" && first["If-None-Match"] == nil)
    await samples.clock.pass(.seconds(60)...(.seconds(60)))
    await eventually { samples.server.requests.count { $0.method == "GET" } == 2 }
    #expect(samples.server.requests.last { $0.method == "GET" }?["If-None-Match"] == "\"v1\"")
    // Nothing new: nothing is told.
    await eventually { samples.clock.pauses.contains(.seconds(60)) }
    #expect(news.events.count { $0 == .fetched } == 1)
    #expect(client.context.environment == "production" && client.context.sessionId == client.sessionID)
    await client.stop()
  }

  @Test("answers by the kept state at the next start, before the server does and without it")
  func cache() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["a": true]), etag: "\"v1\""))
    let first = samples.client()
    try await first.refresh()
    samples.server.answer { _ in throw CancellationError() }
    let second = samples.client { $0.bootstrap = Array(FlagSamples.state(["a": false]).utf8) }
    #expect(second.isEnabled("a") && second.source == .cache && second.sessionID == first.sessionID)
    let news = FlagNews(second)
    await news.waitFor(.ready(.cache))
    await #expect(throws: AppServiceError.self) { try await second.refresh() }
    #expect(second.isEnabled("a"))
    // Another server's flags are not taken for this one's.
    let other = samples.client { $0.url = "http://other.test/api" }
    #expect(!other.isEnabled("a") && other.source == nil)
    // The validator is kept along.
    samples.server.serve(FlagSamples.state(["a": true]), etag: "\"v1\"")
    try await second.refresh()
    #expect(samples.server.requests.last?["If-None-Match"] == "\"v1\"" && second.source == .server)
  }

  @Test("answers by the state that came with the app where none is kept, and a damaged kept one counts as none")
  func bootstrap() async throws {
    let samples = try FlagSamples()
    let bootstrap = Array(FlagSamples.state(["a": true]).utf8)
    #expect(samples.client().source == nil)
    let client = samples.client { $0.bootstrap = bootstrap }
    #expect(client.isEnabled("a") && client.source == .bootstrap)
    samples.server.serve(FlagSamples.state(["a": false]))
    try await client.refresh()
    #expect(!client.isEnabled("a"))
    for damage in [[], Array("x".utf8), Array("mpaas-flags 1 00\n{}\n".utf8)] {
      try Bytes(damage).write(to: samples.folder.path + "/flags/flags-nobody")
      #expect(samples.client { $0.bootstrap = bootstrap }.source == .bootstrap)
    }
    let broken = samples.client { $0.bootstrap = Array("{".utf8) }
    #expect(broken.source == nil)
    let news = FlagNews(broken)
    await news.waitForFailures(1)
    #expect(news.failures == ["flags-malformed"])
  }

  @Test("pauses longer after each failure, and as long as the server wants; a good answer ends it")
  func pauses() async throws {
    let samples = try FlagSamples(FlagServerDouble { _ in FlagResponse(status: 503) })
    let client = samples.client { $0.pace.metrics = .zero }
    let news = FlagNews(client)
    await client.start()
    for pause in [1, 2, 4, 8] { await samples.clock.pass(.seconds(pause)...(.seconds(pause))) }
    await news.waitForFailures(5)
    #expect(news.failures.allSatisfy { $0 == "server-failed" })
    samples.server.answer { _ in FlagResponse(status: 429, headers: ["retry-after": "120"]) }
    await samples.clock.pass(.seconds(16)...(.seconds(16)))
    await eventually { samples.clock.pauses == [.seconds(120)] }
    samples.server.answer { _ in throw FlagSamplesError() }
    samples.clock.advance(.seconds(120))
    await eventually { samples.clock.pauses == [.seconds(64)] }
    samples.server.serve(FlagSamples.state(["a": true]))
    samples.clock.advance(.seconds(64))
    await news.waitFor(.fetched)
    samples.server.answer { _ in FlagResponse(status: 500, headers: ["retry-after": "Fri, 01 Jan 1999 00:00:00 GMT"]) }
    for pause in [60, 60, 120, 240, 480, 600, 600] {
      await samples.clock.pass(.seconds(pause)...(.seconds(pause)))
    }
    await client.stop()
    #expect(client.isEnabled("a"))
    await eventually { samples.clock.pauses.isEmpty }
    #expect(samples.clock.pauses.isEmpty)
  }

  @Test("lengthens pauses by chance, up to the share that is set, and never asks for less than the server wants")
  func jitter() {
    var pace = FlagPace()
    pace.jitter = 0.5
    #expect(pace.spread(.seconds(60), 0) == .seconds(60))
    #expect(pace.spread(.seconds(60), 0.5) == .seconds(75))
    #expect(pace.pause(failures: 1, hasAnswered: false, wait: .seconds(9), 0.99) == .seconds(9))
    #expect(pace.pause(failures: 60, hasAnswered: true, wait: nil, 0) == .seconds(600))
  }

  @Test("refuses what is no state; the last one stays, and the validator with it")
  func refused() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["a": true]), etag: "\"good\""))
    let client = samples.client()
    try await client.refresh()
    for (body, identifier) in [("{\"features\":[", "flags-malformed"), ("{}", "flags-shape"), ("", "flags-malformed")] {
      samples.server.answer { _ in FlagResponse(status: 200, headers: ["etag": "\"bad\""], body: Array(body.utf8)) }
      let error = await #expect(throws: AppServiceError.self) { try await client.refresh() }
      #expect(error?.identifier == identifier)
      #expect(client.isEnabled("a") && samples.client().isEnabled("a"))
    }
    #expect(samples.server.requests.last?["If-None-Match"] == "\"good\"")
  }

  @Test("tells the names of the flags that changed, and nothing where none did")
  func changes() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["a": true, "b": true])))
    let client = samples.client()
    let news = FlagNews(client)
    try await client.refresh()
    samples.server.serve(FlagSamples.state(["a": true, "b": false, "c": true]), etag: "\"2\"")
    try await client.refresh()
    samples.server.serve(FlagSamples.state(["a": true, "b": false, "c": true]), etag: "\"3\"")
    try await client.refresh()
    await eventually { news.events.count >= 6 }
    #expect(
      news.events == [
        .ready(.server), .changed(["a", "b"]), .fetched, .changed(["b", "c"]), .fetched, .fetched,
      ])
  }

  @Test("fills the context with the facts of the device, which may change")
  func facts() async throws {
    let state =
      #"{"features":[{"name":"wifi","enabled":true,"strategies":[{"name":"default","constraints":["#
      + #"{"contextName":"network","operator":"IN","values":["wifi"]}]}]}]}"#
    let samples = try FlagSamples()
    let client = samples.client { configuration in
      configuration.bootstrap = Array(state.utf8)
      configuration.facts = DeviceFacts(platform: "ios", network: "wifi")
    }
    #expect(client.isEnabled("wifi"))
    client.setFacts(DeviceFacts(platform: "ios", network: "5g"))
    #expect(!client.isEnabled("wifi") && client.context.properties == ["platform": "ios", "network": "5g"])
    client.setProperty("network", to: "wifi")
    #expect(client.isEnabled("wifi"))
  }

  @Test("holds a state back until the app says so, but for kill switches; the next start has it")
  func staging() async throws {
    let samples = try FlagSamples()
    let staged: (inout FlagConfiguration) -> Void = { $0.staging = .untilActivation }
    func state(_ isOn: Bool) -> String {
      let flags = FlagSamples.flag("new", isOn) + "," + FlagSamples.flag("stop", isOn, type: "kill-switch")
      return #"{"features":[\#(flags)]}"#
    }
    samples.server.serve(state(false))
    let client = samples.client(staged)
    let news = FlagNews(client)
    try await client.refresh()
    samples.server.serve(state(true), etag: "\"2\"")
    try await client.refresh()
    #expect(client.isEnabled("stop") && !client.isEnabled("new"))
    await news.waitFor(.held(["new"]))
    #expect(news.events.contains(.changed(["stop"])))
    let next = samples.client(staged)
    #expect(next.isEnabled("stop") && next.isEnabled("new"))
    #expect(await client.activate())
    #expect(client.isEnabled("new"))
    await news.waitFor(.changed(["new"]))
    #expect(await !client.activate())
  }

  @Test("a switch of the user during a fetch never mixes users")
  func users() async throws {
    let samples = try FlagSamples()
    let gate = Lock<CheckedContinuation<Void, Never>?>(nil)
    samples.server.answer { request in
      if request.method == "POST" { return FlagResponse(status: 202) }
      await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
      return FlagResponse(status: 200, body: Array(FlagSamples.state(["anns": true]).utf8))
    }
    let users = UserState()
    let client = samples.client()
    users.observe(.flags, by: client)
    await users.signIn("ann")
    #expect(client.context.userId == "ann")
    async let fetched: Void = client.refresh()
    await eventually { gate.withLock { $0 != nil } }
    await users.signIn("bob")
    gate.withLock { $0 }?.resume()
    try await fetched
    #expect(client.context.userId == "bob" && !client.isEnabled("anns") && client.source == nil)
    samples.server.serve(FlagSamples.state(["bobs": true]))
    try await client.refresh()
    #expect(client.isEnabled("bobs"))
    await users.signIn("ann")
    #expect(!client.isEnabled("bobs") && client.source == nil)
    await users.signIn("bob")
    #expect(client.isEnabled("bobs") && client.source == .cache)
    await users.signOut()
    #expect(!client.isEnabled("bobs") && client.context.userId == nil)
  }

  @Test("a client that runs asks anew for a new user, and not for a renewed session")
  func restarts() async throws {
    let samples = try FlagSamples(FlagServerDouble(state: FlagSamples.state(["a": true])))
    let users = UserState()
    let client = samples.client { $0.pace.metrics = .zero }
    users.observe(.flags, by: client)
    await users.signIn("ann")
    await client.start()
    await eventually { samples.clock.pauses.count == 1 }
    await users.signIn("ann", sessionID: "renewed")
    #expect(samples.server.requests.count == 1)
    await users.signIn("bob")
    await eventually { samples.server.requests.count == 2 && samples.clock.pauses.count == 1 }
    #expect(samples.server.requests.count == 2 && samples.server.requests.last?["If-None-Match"] == nil)
    #expect(client.isEnabled("a"))
    await client.stop()
  }

  @Test("a question for the user before that fails is no failure of the next one")
  func failures() async throws {
    let gates = Lock<[CheckedContinuation<Void, Never>]>([])
    let samples = try FlagSamples(
      FlagServerDouble { _ in
        await withCheckedContinuation { continuation in gates.withLock { $0.append(continuation) } }
        return FlagResponse(status: 503)
      })
    let users = UserState()
    let client = samples.client { $0.pace.metrics = .zero }
    users.observe(.flags, by: client)
    await client.start()
    await eventually { gates.withLock { $0.count == 1 } }
    await users.signIn("ann")
    await eventually { gates.withLock { $0.count == 2 } }
    for number in 0..<2 {
      gates.withLock { $0[number] }.resume()
      for _ in 0..<200 { await Task.yield() }
    }
    await eventually { !samples.clock.pauses.isEmpty }
    #expect(samples.clock.pauses.allSatisfy { $0 < .seconds(2) })
    await client.stop()
  }
}

struct FlagSamplesError: Error {}
