import Foundation
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Unleash's client API") struct UnleashRoutesTests {
  private static let base = "/unleash/api"

  private func features(_ answer: TestAnswer) -> [String] {
    (answer.json["features"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  @Test("gives the flags as they were written, once, and of the projects that are asked for")
  func features() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let path = Self.base + "/client/features"
    let answer = try await server.send("GET", path)
    #expect(features(answer) == ["old", "search"])
    #expect(answer.text.contains(#""owner":"ana""#))
    let etag = try #require(answer.headers["etag"])
    #expect(try await server.send("GET", path, ["If-None-Match": etag]).status == 304)
    #expect(features(try await server.send("GET", path + "?project=shop")) == ["search"])
    #expect(features(try await server.send("GET", path + "?project=shop&project=default")) == ["old", "search"])
    #expect(try await server.send("GET", path + "/search").json["owner"] as? String == "ana")
    #expect(try await server.send("GET", path + "/none").status == 404)
    _ = try await server.changeFlags(TestServer.flag("new"))
    #expect(features(try await server.send("GET", path, ["If-None-Match": etag])) == ["new", "old", "search"])
    await server.end()
  }

  @Test("makes a body once for all who ask for the same flags, whatever projects they make up")
  func shared() throws {
    let state = try FlagState(json: #"{"features":[{"name":"a","project":"x"},{"name":"b","project":"y"}]}"#)
    let edition = FlagEdition(FlagSources(), state, version: 1, updated: 0, channel: "c")
    var made = 0
    func ask(_ kind: String, _ names: Set<String>) {
      _ = edition.body(kind, of: FlagProjects(names: names)) {
        made += 1
        return "b"
      }
    }
    for index in 0..<40 { ask("k", ["x", "made-up-\(index)"]) }
    #expect(made == 1)
    for names in [[], ["x", "y"], ["y", "z", "x"]] as [Set<String>] { ask("k", names) }
    #expect(made == 2)
    // Rare selections go before that of all.
    for index in 0..<40 { ask("k\(index)", ["x"]) }
    ask("k", [])
    #expect(made == 42)
    #expect(edition.flags(of: FlagProjects(names: ["none"]).among(edition.projects)).isEmpty)
  }

  @Test("opens by the key of an app or a token, bare, behind Bearer or as X-API-Key, and by nothing else")
  func credentials() async throws {
    let server = try await TestServer()
    let environments = FlagPaths.environments
    #expect(try await server.flags("POST", environments, #"{"name":"test"}"#).status == 201)
    _ = try await server.changeFlags(TestServer.flag("only-test"), query: "?environment=test")
    let (path, key) = (Self.base + "/client/features", server.run.ready.appKey)
    let ways = [
      ["Authorization": key], ["Authorization": "Bearer \(key)"], ["Authorization": "", "X-API-Key": key],
      ["Authorization": server.token], ["Authorization": "", "X-API-Key": server.token],
      ["Authorization": "*:production.\(key)"],
    ]
    for headers in ways { #expect(features(try await server.send("GET", path, headers)).isEmpty, "\(headers)") }
    for headers in [["Authorization": "*:test.\(key)"], ["Authorization": "default:test.\(server.token)"]] {
      #expect(features(try await server.send("GET", path, headers)) == ["only-test"], "\(headers)")
    }
    #expect(features(try await server.send("GET", path + "?environment=test")) == ["only-test"])
    let other = try await server.send("GET", path, ["Authorization": "other:test.\(key)"])
    #expect(other.status == 200 && features(other).isEmpty)
    #expect(try await server.send("GET", path, ["Authorization": "*:none.\(key)"]).code == "flags-environment-unknown")
    #expect(try await server.send("GET", path, ["Authorization": "wrong"]).status == 401)
    #expect(try await server.send("GET", path, ["Authorization": ""]).status == 401)
    // The key of an app changes nothing.
    #expect(try await server.changeFlags(TestServer.flag("a"), token: key).code == "server-scope")
    await server.end()
  }

  @Test("tells by its delta what has changed, and everything to who knows nothing of it")
  func delta() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let path = Self.base + "/client/delta"
    let whole = try await server.send("GET", path)
    var state = try FlagState(json: whole.text)
    #expect(state.flags.map(\.name) == ["old", "search"])
    let etag = try #require(whole.headers["etag"])
    #expect(try await server.send("GET", path, ["If-None-Match": etag]).status == 304)
    _ = try await server.changeFlags(TestServer.flag("new"))
    _ = try await server.changeFlags(#"[{"type":"feature-removed","featureName":"old"}]"#)
    let changes = try await server.send("GET", path, ["If-None-Match": etag])
    #expect(!changes.text.contains("hydration"))
    state = try FlagState(json: changes.text, changing: state)
    #expect(Set(state.flags.map(\.name)) == ["search", "new"])
    #expect(try await server.send("GET", path, ["If-None-Match": "\"other-1\""]).text.contains("hydration"))
    await server.end()
  }

  @Test("streams everything at first, then what changes, to each client what its projects have")
  func streaming() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let path = Self.base + "/client/streaming"
    var stream = try await EventConnection(server, path)
    var shop = try await EventConnection(server, path + "?project=shop")
    let first = try await stream.event("unleash-connected")
    var state = try FlagState(json: first.data)
    #expect(first.id == 1 && state.flags.count == 2)
    #expect(try FlagState(json: try await shop.event("unleash-connected").data).flags.map(\.name) == ["search"])
    _ = try await server.changeFlags(TestServer.flag("new"))
    _ = try await server.changeFlags(#"[{"type":"feature-removed","featureName":"search"}]"#)
    for _ in 0..<2 { state = try FlagState(json: try await stream.event("unleash-updated").data, changing: state) }
    #expect(Set(state.flags.map(\.name)) == ["old", "new"])
    // The first change was none of theirs.
    #expect(try await shop.event("unleash-updated").data.contains(#""featureName":"search""#))
    await server.end()
  }

  @Test("a change reaches each of many streams, and streams that end are forgotten")
  func many() async throws {
    let server = try await TestServer()
    let path = Self.base + "/client/streaming"
    var streams: [EventConnection] = []
    for _ in 0..<100 { streams.append(try await EventConnection(server, path)) }
    for index in streams.indices { _ = try await streams[index].event("unleash-connected") }
    let audience = try #require(server.flags?.book.place(app: nil, environment: nil).audience)
    #expect(audience.count == 100)
    _ = try await server.changeFlags(TestServer.flag("stop", false, type: "kill-switch"))
    for index in streams.indices {
      let event = try await streams[index].event("unleash-updated")
      #expect(event.id == 1 && event.data.contains("stop"))
    }
    for stream in streams { stream.connection.cut() }
    // A line that cannot be sent tells that its connection is dead.
    while audience.count > 0 {
      audience.beat()
      await Task.yield()
    }
    await server.end()
  }

  @Test("a stream ends when its token expires, and streams leave connections to others")
  func bounds() async throws {
    let time = Time(1_800_000_000)
    let server = try await TestServer(time: time, isTidied: false) { $0.limits.connections = 16 }
    let path = Self.base + "/client/streaming"
    let token = try await server.services.access.issue("short", [.flags], lifetime: 60).token
    let audience = try #require(server.flags?.book.place(app: nil, environment: nil).audience)
    var streams: [EventConnection] = []
    let most = server.services.connections.usual * 7 / 8
    for _ in 0..<most {
      var stream = try await EventConnection(server, path, streams.isEmpty ? ["Authorization": token] : [:])
      _ = try await stream.event("unleash-connected")
      streams.append(stream)
    }
    #expect(try await server.send("GET", path).code == "server-crowded")
    #expect(try await server.send("GET", Self.base + "/client/features").status == 200)
    time.now += 59
    audience.beat(at: time.now)
    #expect(audience.count == most)
    time.now += 2
    audience.beat(at: time.now)
    #expect(audience.count == most - 1)
    var rest = ""
    while !rest.hasSuffix("0\r\n\r\n") {
      let more = try await streams[0].connection.bytes()
      try #require(!more.isEmpty)
      rest += String(decoding: more, as: UTF8.self)
    }
    await server.end()
  }

  @Test("gives phones what is on for them, and never a rule")
  func frontend() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let path = Self.base + "/frontend"
    let here = try await server.send("GET", path + "?userId=7&properties%5Bcity%5D=%E6%9D%AD%E5%B7%9E")
    let toggles = here.json["toggles"] as? [[String: Any]] ?? []
    #expect(toggles.map { $0["name"] as? String } == ["search"])
    let variant = toggles.first?["variant"] as? [String: Any]
    #expect(variant?["name"] as? String == "blue")
    #expect((variant?["payload"] as? [String: Any])?["value"] as? String == "#00f")
    #expect(!here.text.contains("secret-town") && !here.text.contains("flexibleRollout"))
    let body = #"{"context":{"userId":"7","properties":{"city":"杭州"}}}"#
    #expect(try await server.flags("POST", path, body).json["toggles"] as? [[String: Any]] != nil)
    #expect(try await server.flags("POST", path, body).body == here.body)
    let there = try await server.send("GET", path + "?userId=7")
    #expect((there.json["toggles"] as? [Any])?.isEmpty == true)
    #expect(try await server.flags("POST", path, "[").status == 400)
    #expect(try await server.flags("POST", path, #"{"context":7}"#).code == "flags-context-malformed")
    await server.end()
  }

  @Test("takes registrations and metrics, and counts how often flags were on")
  func metrics() async throws {
    let server = try await TestServer()
    _ = try await server.changeFlags(TestServer.twoFlags)
    let metrics = #"{"appName":"app","bucket":{"toggles":{"search":{"yes":3,"no":1},"none":{"yes":1,"no":0}}}}"#
    for base in ["/client", "/frontend/client"] {
      #expect(try await server.flags("POST", Self.base + base + "/register", #"{"appName":"a"}"#).status == 202)
      #expect(try await server.flags("POST", Self.base + base + "/metrics", metrics).status == 202)
    }
    let none = #"{"appName":"app","bucket":null,"impactMetrics":[]}"#
    #expect(try await server.flags("POST", Self.base + "/client/metrics", none).status == 202)
    #expect(try await server.flags("POST", Self.base + "/client/metrics", "{}").status == 400)
    let page: FlagUsagePage = try await server.send("GET", FlagPaths.usage).value()
    #expect(page.usage.map { "\($0.flag) \($0.yes) \($0.no)" } == ["search 6 2"])
    await server.end()
  }
}
